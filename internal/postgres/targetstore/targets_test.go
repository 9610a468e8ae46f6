package targetstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/task"
)

// createTarget makes an owner's target with the columns and settings of a definition.
func createTarget(t *testing.T, db *pgtest.Database, owner, name, settings string) (targetstore.Target, error) {
	t.Helper()
	definition := fmt.Sprintf(`{"name": %q, %s}`, name, settings)
	ordered := strings.Contains(settings, `"key"`)
	err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		_, err := targetstore.Create(ctx, tx, task.NewID(), owner, name, ordered, json.RawMessage(definition))
		return err
	})
	if err != nil {
		return targetstore.Target{}, err
	}
	found, err := targetstore.Find(t.Context(), db.DB, []string{owner}, name)
	return found, err
}

func mustCreateTarget(t *testing.T, db *pgtest.Database, owner, name, settings string) targetstore.Target {
	t.Helper()
	target, err := createTarget(t, db, owner, name, settings)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func changeTarget(t *testing.T, db *pgtest.Database, target targetstore.Target, settings string) error {
	t.Helper()
	return db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		return targetstore.Change(ctx, tx, target, target.Owner, target.Ordered, json.RawMessage(settings))
	})
}

const pricesDefinition = `"key": ["article"], "columns": [
  {"name": "article", "label": "商品コード", "type": "text", "required": true},
  {"name": "net", "type": "decimal", "digits": 12, "scale": 2, "min": "0", "required": true, "default": "0.50"},
  {"name": "valid_from", "type": "date"}]`

// shape shows the columns of a table, or of a view, as psql does.
func shape(t *testing.T, db *pgtest.Database, table string) string {
	t.Helper()
	return pgtest.Query[string](t, db, `select coalesce(string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
  pg_get_expr(adbin, adrelid), col_description(attrelid, attnum)), ', ' order by attnum), '')
from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attname !~ '^_'`, table)
}

// A target is a table of PostgreSQL like others: with types, a key, defaults and comments.
func TestTargetIsATypedTable(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := mustCreateTarget(t, db, "local", "prices", pricesDefinition)
	if target.SchemaName != "data" || target.TableName != "prices" || !target.Ordered || target.Version != 1 || !target.May(targetstore.MayLoad) {
		t.Errorf("%+v", target)
	}
	const want = "article text not null 商品コード, net numeric(12,2) not null 0.50::numeric(12,2) at least 0, valid_from date"
	if got := shape(t, db, "data.prices"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for table, n := range map[string]int{"data.prices": 6, "data.prices__was": 8, "data.prices__seen": 3} {
		if got := pgtest.Query[int](t, db, `select count(*)::int from pg_attribute where attrelid = $1::regclass and attnum > 0`, table); got != n {
			t.Errorf("%s has %d columns, want %d", table, got, n)
		}
	}
	db.Exec(t, `insert into data.prices (article, net, _load, _row) values ('a', 1, 7, 1)`)
	db.Exec(t, `update data.prices set net = 2, _load = 8`)
	if pgtest.Query[bool](t, db, `select _edited from data.prices`) {
		t.Error("a load's change counts as somebody's")
	}
	db.Exec(t, `update data.prices set net = 3`)
	if !pgtest.Query[bool](t, db, `select _edited from data.prices`) {
		t.Error("somebody's change is not marked")
	}
}

// Every type's values, as definitions and files have them, are values of its column.
func TestDefaultsOfTargets(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustCreateTarget(t, db, "local", "t", `"columns": [
  {"name": "text", "type": "text", "default": "it's \\ \"quoted\""}, {"name": "short", "type": "text", "max_length": 2, "default": "商品"},
  {"name": "integer", "type": "integer", "default": "-9223372036854775808"}, {"name": "decimal", "type": "decimal", "default": "1.5E-7"},
  {"name": "boolean", "type": "boolean", "default": "true"}, {"name": "date", "type": "date", "default": "0001-01-01"},
  {"name": "time", "type": "time", "default": "24:00:00"}, {"name": "timestamp", "type": "timestamp", "default": "2026-01-31T09:05:00.123456"},
  {"name": "instant", "type": "instant", "default": "2026-01-31T09:05:00+09:00"}, {"name": "duration", "type": "duration", "default": "-PT27H30M1.5S"}]`)
	db.Exec(t, `set time zone 'UTC'; insert into data.t (_load, _row) values (1, 1)`)
	const want = `it's \ "quoted"|商品|-9223372036854775808|0.00000015|t|0001-01-01|24:00:00|2026-01-31 09:05:00.123456|2026-01-31 00:05:00+00|-27:30:01.5`
	if got := pgtest.Query[string](t, db, `select concat_ws('|', text, short, integer, "decimal", "boolean", date, time, timestamp, instant at time zone 'utc' || '+00', duration) from data.t`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The names of a definition become names in SQL, and never SQL; and no target is a table that was there before.
func TestNamesOfTargetsAreNeverSQL(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	tasks := shape(t, db, "sheetdrop.task")
	odd := []string{`a"b`, `'; drop table sheetdrop.task; --`, "%I", "$$", "select", "値", `x" int); drop table sheetdrop.task; --`}
	for _, name := range append(odd, "sheetdrop.task", "pg_catalog.pg_authid", strings.Repeat("商", 19)) {
		var columns []string
		for _, column := range odd {
			columns = append(columns, fmt.Sprintf(`{"name": %q, "type": "text", "label": %q, "default": %q}`, column, column, column))
		}
		target := mustCreateTarget(t, db, "local", name, fmt.Sprintf(`"key": [%q], "columns": [%s]`, odd[0], strings.Join(columns, ",")))
		if n := pgtest.Query[int](t, db, `select count(*)::int from pg_tables where schemaname = 'data' and tablename = any(array[$1::text, $1 || '__was', $1 || '__seen'])`, target.TableName); n != 3 {
			t.Errorf("%s: %d tables, want 3", name, n)
		}
	}
	if got := shape(t, db, "sheetdrop.task"); got != tasks {
		t.Errorf("sheetdrop's own table has changed: %s", got)
	}
	for _, statement := range []string{
		`insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values (gen_random_uuid(), 'local', 'task', 'ADOPTED', 'sheetdrop', 'task', false)`,
		`insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values (gen_random_uuid(), 'local', 'x', 'ADOPTED', 'pg_catalog', 'pg_authid', false)`,
		`insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values (gen_random_uuid(), 'local', 'x__was', 'MANAGED', 'data', 'x__was', false)`,
		`insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values (gen_random_uuid(), 'local', repeat('x', 58), 'MANAGED', 'data', 'x', false)`,
	} {
		if err := refusal(t, db, statement); sqlState(err) != "23514" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	// A row that says that it is another table makes none.
	id := uuid.New()
	db.Exec(t, `insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values ($1, 'local', 'mine', 'MANAGED', 'public', 'mine', false)`, id)
	db.Exec(t, `insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, '{"columns": [{"name": "c", "type": "text"}]}', 'x')`, id)
	if err := refusal(t, db, `select sheetdrop.target_create($1)`, id); sqlState(err) != "P0002" {
		t.Errorf("a table in another schema: %v", err)
	}
}

// A type that SQL does not have makes no table at all.
func TestUnknownTypesMakeNoTable(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, columns := range []string{`[]`, `[{"name": "a", "type": "text"}, {"name": "c", "type": "text) inherits (sheetdrop.task"}]`} {
		if _, err := createTarget(t, db, "local", "t", `"columns": `+columns); sqlState(err) != "0A000" {
			t.Errorf("%s: %v", columns, err)
		}
	}
	if n := pgtest.Query[int](t, db, `select count(*)::int from sheetdrop.target`); n != 0 {
		t.Errorf("%d targets", n)
	}
}

// A target's name is its owner's, and a table or view that is there already is never taken for one.
func TestNameOfATargetIsTaken(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	first := mustCreateTarget(t, db, "alice", "prices", pricesDefinition)
	other := mustCreateTarget(t, db, "bob", "prices", pricesDefinition)
	if first.SchemaName == other.SchemaName {
		t.Errorf("two owners' targets are in %s", first.SchemaName)
	}
	if err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		created, err := targetstore.Create(ctx, tx, task.NewID(), "alice", "prices", true, json.RawMessage(`{}`))
		if created {
			t.Error("created again")
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	db.Exec(t, fmt.Sprintf(`create table %s.mine (a int)`, first.SchemaName))
	if _, err := createTarget(t, db, "alice", "mine", pricesDefinition); !errors.Is(err, targetstore.ErrTableExists) {
		t.Errorf("%v", err)
	}
}

// Dropping a target leaves its table to those who use it; and what depends on it is listed, and never dropped along.
func TestDropOfATarget(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	drop := func(target targetstore.Target, tables bool) error {
		return db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error { return targetstore.Drop(ctx, tx, target.ID, tables) })
	}
	kept := mustCreateTarget(t, db, "local", "kept", pricesDefinition)
	if err := drop(kept, false); err != nil {
		t.Fatal(err)
	}
	if shape(t, db, "data.kept") == "" {
		t.Error("the table is gone")
	}
	if _, err := targetstore.Find(t.Context(), db.DB, []string{"local"}, "kept"); !errors.Is(err, postgres.ErrNotFound) {
		t.Errorf("the target is there: %v", err)
	}
	if _, err := createTarget(t, db, "local", "kept", pricesDefinition); !errors.Is(err, targetstore.ErrTableExists) {
		t.Errorf("its table was taken for a new target: %v", err)
	}

	used := mustCreateTarget(t, db, "local", "used", pricesDefinition)
	db.Exec(t, `create view data.totals as select sum(net) from data.used`)
	err := drop(used, true)
	if inUse, ok := errors.AsType[*targetstore.InUseError](err); !ok || !slices.ContainsFunc(inUse.By, func(by string) bool { return strings.Contains(by, "data.totals") }) {
		t.Fatalf("%v", err)
	}
	db.Exec(t, `drop view data.totals`)
	if err := drop(used, true); err != nil || shape(t, db, "data.used")+shape(t, db, "data.used__was")+shape(t, db, "data.used__seen") != "" {
		t.Errorf("%v", err)
	}
	mustCreateTarget(t, db, "local", "used", pricesDefinition)
}

// Somebody who reads a table for long is not made to wait, nor ended: the change is tried again later.
func TestDropWaitsForNobody(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := mustCreateTarget(t, db, "local", "prices", pricesDefinition)
	if _, err := db.Begin(t).Exec(t.Context(), `select from data.prices`); err != nil {
		t.Fatal(err)
	}
	err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error { return targetstore.Drop(ctx, tx, target.ID, true) })
	if !errors.Is(err, targetstore.ErrTableInUse) {
		t.Errorf("%v", err)
	}
}

// A changed target keeps its rows and what others built on it.
func TestChangeOfATarget(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := mustCreateTarget(t, db, "local", "prices", pricesDefinition)
	db.Exec(t, `insert into data.prices (article, net, _load, _row) values ('a', 1, 7, 1)`)
	db.Exec(t, `create view data.articles as select article from data.prices where valid_from is null`)
	if err := changeTarget(t, db, target, `{"name": "prices", "key": ["article"], "columns": [
  {"name": "article", "label": "Code", "type": "text", "required": true},
  {"name": "net", "type": "decimal", "digits": 14, "scale": 2},
  {"name": "unit", "type": "text", "max_length": 3, "required": true, "default": "kg"},
  {"name": "note", "type": "text"},
  {"name": "valid_from", "type": "date", "default": "2026-01-01"}]}`); err != nil {
		t.Fatal(err)
	}
	const want = "article text not null Code, net numeric(14,2), valid_from date '2026-01-01'::date, unit character varying(3) not null 'kg'::character varying(3), note text"
	if got := shape(t, db, "data.prices"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := pgtest.Query[string](t, db, `select concat_ws(' ', article, net, unit) from data.prices natural join data.articles`); got != "a 1.00 kg" {
		t.Errorf("the row is %s", got)
	}
	db.Exec(t, `insert into data.prices__was (article, net, unit, note, valid_from, _load, _row, _edited, _by) select article, net, unit, note, valid_from, _load, _row, _edited, 8 from data.prices`)
	versions, err := targetstore.Versions(t.Context(), db.DB, target.ID)
	if err != nil || len(versions) != 2 || versions[0].Version != 2 {
		t.Errorf("%+v, %v", versions, err)
	}
}

// Whatever loses values, or what others built on the table, is refused, and changes nothing.
func TestChangesThatLoseSomethingAreRefused(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := mustCreateTarget(t, db, "local", "prices", pricesDefinition)
	before := shape(t, db, "data.prices")
	db.Exec(t, `create view data.nets as select net from data.prices`)
	const article, net, day = `{"name": "article", "label": "商品コード", "type": "text", "required": true}`,
		`{"name": "net", "type": "decimal", "digits": 12, "scale": 2, "required": true}`, `{"name": "valid_from", "type": "date"}`
	for name, columns := range map[string][]string{
		"a column less":     {article, net},
		"another key":       {article, net, day, `"key"`},
		"another type":      {article, net, `{"name": "valid_from", "type": "text"}`},
		"a limit":           {`{"name": "article", "type": "text", "required": true, "max_length": 10}`, net, day},
		"fewer digits":      {article, strings.Replace(net, "12", "11", 1), day},
		"another scale":     {article, strings.Replace(net, `"scale": 2`, `"scale": 3`, 1), day},
		"without a scale":   {article, strings.Replace(net, `, "scale": 2`, ``, 1), day},
		"required":          {article, net, `{"name": "valid_from", "type": "date", "required": true}`},
		"required and new":  {article, net, day, `{"name": "note", "type": "text", "required": true}`},
		"of a type unknown": {article, net, day, `{"name": "note", "type": "xml"}`},
	} {
		key := `["article"]`
		if columns[len(columns)-1] == `"key"` {
			key, columns = `["net"]`, columns[:3]
		}
		if err := changeTarget(t, db, target, fmt.Sprintf(`{"key": %s, "columns": [%s]}`, key, strings.Join(columns, ","))); sqlState(err) != "0A000" {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := changeTarget(t, db, target, fmt.Sprintf(`{"key": ["article"], "columns": [%s]}`, strings.Join([]string{article, strings.Replace(net, "12", "13", 1), day}, ",")))
	if inUse, ok := errors.AsType[*targetstore.InUseError](err); !ok || !strings.Contains(inUse.Error(), "data.nets") {
		t.Errorf("a wider type of a column that a view has: %v", err)
	}
	if got := shape(t, db, "data.prices"); got != before {
		t.Errorf("%s has become %s", before, got)
	}
}

// An owner sees their own targets and what was shared with them or their roles, and nothing of others.
func TestTargetsOfOthers(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	alices := mustCreateTarget(t, db, "alice", "prices", pricesDefinition)
	bobs := mustCreateTarget(t, db, "bob", "prices", pricesDefinition)
	mustCreateTarget(t, db, "bob", "secret", pricesDefinition)
	share := func(id uuid.UUID, grantee string, rights ...string) {
		for _, may := range rights {
			db.Exec(t, `insert into sheetdrop.target_share (target_id, grantee, may) values ($1, $2, $3)`, id, grantee, may)
		}
	}
	see := func(name string, who ...string) string {
		t.Helper()
		found, err := targetstore.Find(t.Context(), db.DB, who, name)
		if errors.Is(err, postgres.ErrNotFound) {
			return ""
		}
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(found.Owner, found.Rights)
	}
	share(alices.ID, "carol", "load", "read")
	share(bobs.ID, "role:shop", "read")
	share(bobs.ID, "alice", "define")
	for _, c := range []struct{ got, want string }{
		{see("prices", "dave"), ""}, {see("secret", "alice"), ""}, {see(bobs.ID.String(), "carol"), ""}, {see("prices", "dave", "shop"), ""},
		{see("prices", "carol"), "alice[load read]"}, {see("prices", "dave", "role:shop"), "bob[read]"},
		{see("prices", "alice"), "alice[own]"}, {see(bobs.ID.String(), "alice"), "bob[define]"},
		{see("prices", "carol", "role:shop"), ""}, {see(bobs.ID.String(), "carol", "role:shop"), "bob[read]"},
	} {
		if c.got != c.want {
			t.Errorf("sees %q, want %q", c.got, c.want)
		}
	}
	listed, more, err := targetstore.List(t.Context(), db.DB, []string{"alice"}, uuid.Max, 10)
	if err != nil || more || len(listed) != 2 || listed[0].ID != bobs.ID || listed[1].ID != alices.ID {
		t.Errorf("%+v, %t, %v", listed, more, err)
	}
}

// Whichever way a task is added, an upload or a repetition, also by a version that knows no targets: it is loaded in its turn.
func TestTasksOfATargetTakeTheirTurn(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	keyed := mustCreateTarget(t, db, "local", "keyed", pricesDefinition)
	keyless := mustCreateTarget(t, db, "local", "keyless", `"columns": [{"name": "c", "type": "text"}]`)
	options := func(target targetstore.Target, mode string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"header": 1, "target": {"id": %q, "name": "t"%s}}`, target.ID, mode))
	}
	none := db.AddUpload(t)
	first := db.AddUpload(t, func(u *postgres.Upload) { u.Options = options(keyed, "") })
	free := db.AddUpload(t, func(u *postgres.Upload) { u.Options = options(keyless, `, "mode": "insert"`) })
	replacing := db.AddUpload(t, func(u *postgres.Upload) { u.Options = options(keyless, `, "mode": "replace"`) })
	message := postgres.NewParseMessage(task.NewID(), task.NewID())
	if err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error { // parsed again as before
		return tx.InsertTasks(ctx, []postgres.NewTask{{FileID: first.File.ID, Message: message}})
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		task uuid.UUID
		want string
	}{
		{none.TaskID, "false"}, {first.TaskID, keyed.ID.String() + " true 1"}, {free.TaskID, keyless.ID.String() + " false 2"},
		{replacing.TaskID, keyless.ID.String() + " true 3"}, {*message.TaskID, keyed.ID.String() + " true 4"},
	} {
		if got := pgtest.Query[string](t, db, `select concat_ws(' ', target_id, case when ordered then 'true' else 'false' end, turn) from sheetdrop.task where id = $1`, c.task); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// refusal returns a statement's error, and takes back what it did without one.
func refusal(t *testing.T, db *pgtest.Database, sql string, args ...any) error {
	t.Helper()
	tx := db.Begin(t)
	_, err := tx.Exec(t.Context(), sql, args...)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	return err
}

// sqlState is PostgreSQL's code of an error, "" of others.
func sqlState(err error) string {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.Code
	}
	return ""
}
