package inspect

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/migrations"
)

// Schema is which migrations the database has.
type Schema struct {
	Exists   bool
	Readable bool    // the login may read the notes of the migrations
	Version  int64   // the newest that was applied
	Missing  []int64 // older than Version, and not applied
}

// Schema asks for it.
func (d *Database) Schema(ctx context.Context) (Schema, error) {
	found, err := one[Schema](ctx, d, "look for the schema", `select count(*) > 0 as exists,
  coalesce(bool_and(has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')), false) as readable,
  0::bigint as version, '{}'::bigint[] as missing
from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'sheetdrop' and c.relname = 'schema_version'`)
	if err != nil || !found.Readable {
		return found, err
	}
	var applied []int64
	err = d.Read(ctx, func(q database.Querier) (err error) {
		applied, err = database.Column[int64](ctx, q, `select version_id from sheetdrop.schema_version where is_applied and version_id > 0`)
		return err
	})
	if err != nil {
		return found, fmt.Errorf("read the applied migrations: %w", err)
	}
	if len(applied) > 0 {
		found.Version = slices.Max(applied)
	}
	for _, version := range versions() {
		if version < found.Version && !slices.Contains(applied, version) {
			found.Missing = append(found.Missing, version)
		}
	}
	return found, nil
}

// versions are those of the migrations that this program has.
func versions() (all []int64) {
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		panic(err) // the pattern is right
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("migration %s has no number: %v", name, err))
		}
		all = append(all, version)
	}
	return all
}

// InvalidIndexes lists indexes of sheetdrop that no query uses, since their creation was interrupted: not those that are being built.
func (d *Database) InvalidIndexes(ctx context.Context) ([]string, error) {
	return column(ctx, d, "look for invalid indexes", `select n.nspname || '.' || c.relname
from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'sheetdrop' and not (i.indisvalid and i.indisready)
  and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)
order by 1`)
}

// Constraints that are added without validation, and those that are validated.
var (
	addedOpen = regexp.MustCompile(`add constraint (\w+) [^;]* not valid;`)
	validated = regexp.MustCompile(`validate constraint (\w+);`)
)

// leftOpen are the constraints that the migrations do not validate: on a large table that takes long.
func leftOpen() []string {
	names, closed := []string{}, []string{} // and not NULL, from which no name differs
	err := fs.WalkDir(migrations.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := migrations.Files.ReadFile(path)
		for _, match := range addedOpen.FindAllStringSubmatch(string(text), -1) {
			names = append(names, match[1])
		}
		for _, match := range validated.FindAllStringSubmatch(string(text), -1) {
			closed = append(closed, match[1])
		}
		return err
	})
	if err != nil {
		panic(err) // embedded files always read
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(closed, name) })
}

// OpenConstraints lists constraints of sheetdrop that were not validated, but for those that the migrations leave so: rows from before may
// break them.
func (d *Database) OpenConstraints(ctx context.Context) ([]string, error) {
	return column(ctx, d, "look for constraints", `select format('%I.%I %I', n.nspname, c.relname, k.conname)
from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'sheetdrop' and not k.convalidated and k.conname <> all($1::text[]) order by 1`, leftOpen())
}

// DisabledTriggers lists triggers of sheetdrop that were switched off.
func (d *Database) DisabledTriggers(ctx context.Context) ([]string, error) {
	return column(ctx, d, "look for triggers", `select format('%I.%I %I', n.nspname, c.relname, t.tgname)
from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'sheetdrop' and t.tgenabled = 'D' order by 1`)
}

// MissingPartitions lists the partitions of the history that are not there, or not attached: messages sent on their days cannot be settled.
func (d *Database) MissingPartitions(ctx context.Context) ([]string, error) {
	return column(ctx, d, "look for partitions", `with parent as (
  select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'sheetdrop' and c.relname = 'outbox_history'
)
select 'sheetdrop.outbox_history_' || to_char(slot, 'FM00') from generate_series(0, 31) slot
where not exists (select from pg_inherits i join parent p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
  where c.relname = 'outbox_history_' || to_char(slot, 'FM00')) order by 1`)
}
