package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/postgres"
)

func (e *examination) schemaIndexes(ctx context.Context) Finding {
	invalid, err := e.db.InvalidIndexes(ctx)
	if err != nil {
		return unreadable(err)
	}
	if len(invalid) == 0 {
		return fine(words.In("All indexes are valid."))
	}
	found := words.Sprintf("Indexes are not valid: %s.", strings.Join(invalid, ", "))
	means := words.In("Their creation was interrupted: no query uses them, and every write still pays for them.")
	schema, err := e.db.Schema(ctx)
	if err == nil && schema.Readable && schema.Version < postgres.NeededSchema || strings.Contains(invalid[0], "_ccnew") {
		return problem(found, means, words.Sprintf("drop index concurrently %s; then run `sheetdrop migrate`", invalid[0]))
	}
	return problem(found, means, fmt.Sprintf("reindex index concurrently %s", invalid[0]))
}

func (e *examination) schemaVersion(ctx context.Context) (f Finding) {
	found, err := e.db.Schema(ctx)
	if err != nil {
		return unreadable(err)
	}
	e.schema = found
	needed := postgres.NeededSchema
	if u := e.asServerTells(ctx); u != nil && u.neededSchema > 0 {
		needed = u.neededSchema // this program may be of another version: serverVersion says so
	}
	run := words.In("Run `sheetdrop migrate` as the owner of the schema; on Azure infra/database.sh does so.")
	switch {
	case !found.Exists:
		return problem(words.Sprintf("The database %s has no schema of sheetdrop.", e.db.Name),
			words.In("It is another database, or `sheetdrop migrate` was never run on it."), run)
	case !found.Readable:
		return problem(words.Sprintf("%s may not read sheetdrop.schema_version.", e.db.Login),
			words.In("If that is the app's login, the app is not ready; if not, this program cannot look further."),
			words.Sprintf("grant sheetdrop_app to \"%[1]s\" lets it work as the app, grant pg_read_all_data to \"%[1]s\" lets it read.", e.db.Login))
	case len(found.Missing) > 0:
		return problem(words.Sprintf("The schema is at version %d, and lacks migrations from before: %v.", found.Version, found.Missing),
			words.In("It is half of one version and half of another: a dump was restored over it, or somebody has changed schema_version."),
			words.In("Look at sheetdrop.schema_version, and restore the database to a point before."))
	case found.Version < needed:
		return problem(words.Sprintf("The schema has version %d, and version %d is needed.", found.Version, needed),
			words.In("A handler of this version is not ready."), run)
	case found.Version > needed:
		return warning(words.Sprintf("The schema has version %d, and the program is older: it needs %d.", found.Version, needed),
			words.In("It runs with it, as after a return to an older version; what is new there it does not know."),
			words.In("Use the programs of the version that was deployed last."))
	}
	return fine(words.Sprintf("The schema has version %d.", found.Version))
}

func (e *examination) schemaPartitions(ctx context.Context) Finding {
	missing, err := e.db.MissingPartitions(ctx)
	if err != nil {
		return unreadable(err)
	}
	if len(missing) == 0 {
		return fine(words.In("All partitions are there."))
	}
	_, slot, _ := strings.Cut(missing[0], "outbox_history_")
	return problem(words.Sprintf("Partitions are missing or detached: %s.", strings.Join(missing, ", ")),
		words.In("On the days of these slots messages that were sent cannot be settled, and are sent again and again."),
		fmt.Sprintf("alter table sheetdrop.outbox_history attach partition %s for values in (%d)", missing[0], slotNumber(slot)))
}

// slotNumber reads the number in a partition's name.
func slotNumber(digits string) int {
	n, _ := strconv.Atoi(digits) // the names are made of numbers
	return n
}

func (e *examination) schemaConstraints(ctx context.Context) Finding {
	open, err := e.db.OpenConstraints(ctx)
	if err != nil {
		return unreadable(err)
	}
	if len(open) == 0 {
		return fine(words.In("All constraints were validated."))
	}
	table, name, _ := strings.Cut(open[0], " ")
	return warning(words.Sprintf("Constraints were not validated: %s.", strings.Join(open, ", ")),
		words.In("Rows from before may break them."), fmt.Sprintf("alter table %s validate constraint %s", table, name))
}

func (e *examination) schemaTriggers(ctx context.Context) Finding {
	disabled, err := e.db.DisabledTriggers(ctx)
	if err != nil {
		return unreadable(err)
	}
	if len(disabled) == 0 {
		return fine(words.In("All triggers are on."))
	}
	table, name, _ := strings.Cut(disabled[0], " ")
	return problem(words.Sprintf("Triggers are switched off: %s.", strings.Join(disabled, ", ")),
		words.In("What they write is missing: the next task of a target, events of webhooks, views that follow their files."),
		fmt.Sprintf("alter table %s enable trigger %s", table, name))
}

// rightsShown is how many rights a finding names.
const rightsShown = 4

func (e *examination) databaseRights(ctx context.Context) Finding {
	found, err := e.db.Rights(ctx)
	if err != nil {
		return unreadable(err)
	}
	run := words.In("infra/database.sh, which runs `sheetdrop provision`, grants what the app needs.")
	switch {
	case found.Role == "":
		return skipped(words.Sprintf("the app has no role of its own, and %s may only read: give --database with the app's login", e.db.Login))
	case len(found.Missing) > 0:
		return problem(words.Sprintf("%s lacks rights: %s.", found.Role, some(found.Missing)),
			words.In("What needs them waits until they are granted."), run)
	case found.Split && len(found.Logins) == 0:
		return problem(words.Sprintf("No login is a member of %s.", found.Role), words.In("So the app cannot do anything in the database."), run)
	case len(found.Surplus) > 0:
		return warning(words.Sprintf("%s has rights that it does not need: %s.", found.Role, some(found.Surplus)),
			words.In("Who gets hold of the app's login can do more harm than the app can."),
			words.In("Revoke them; `sheetdrop provision` grants all that are needed."))
	case !found.Split:
		return fine(words.Sprintf("%s has all rights; the app has no role of its own here.", found.Role))
	}
	return fine(words.Sprintf("%s has the rights that the app needs, and no others.", found.Role))
}

// some joins the first of a list, and says how many there are besides.
func some(list []string) string {
	text := strings.Join(list[:min(len(list), rightsShown)], "; ")
	if more := len(list) - rightsShown; more > 0 {
		text += words.Sprintf(" (and %d more)", more)
	}
	return text
}

// serverVersion compares the programs: the server that answers, the handler that lies here, and this one, by the schema that they need.
func (e *examination) serverVersion(ctx context.Context) Finding {
	mine := postgres.NeededSchema
	others := map[string]int64{}
	if e.handler != nil {
		others[words.In("The handler")] = e.handler.NeededSchema
	}
	if u := e.asServerTells(ctx); u != nil && u.neededSchema > 0 {
		others[words.In("The server")] = u.neededSchema
		if u.SchemaVersion < u.neededSchema {
			return problem(words.Sprintf("The server needs version %d of the schema, and the database has %d.", u.neededSchema, u.SchemaVersion),
				words.In("It is not ready until the schema is."), words.In("Run `sheetdrop migrate` as the owner of the schema; on Azure infra/database.sh does so."))
		}
	}
	if len(others) == 0 {
		return skipped(words.In("neither the server's version is known nor the handler's: an operator's sign-in or --settings tells one of them"))
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if needs := others[name]; needs != mine {
			return warning(words.Sprintf("%s needs version %d of the schema, and this program %d.", name, needs, mine),
				words.In("They are of different versions; what is new in one of them the other does not know."),
				words.In("Use the programs of one version."))
		}
	}
	return fine(words.Sprintf("All need version %d of the schema.", mine))
}

// asServerTells returns what the server tells an operator; nil where it does not.
func (e *examination) asServerTells(ctx context.Context) *upkeep {
	if !e.isSettled("api.signin") {
		return nil
	}
	u, _ := e.upkeepOfServer(ctx)
	return u
}
