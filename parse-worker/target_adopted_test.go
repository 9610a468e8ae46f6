package parse_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/target"
	"sheetdrop/parse-worker"
)

// stockTable is a table as applications have them: a number of its own, defaults, columns of types that no file has, and triggers.
const stockTable = `create schema "Shop";
create table "Shop"."Stock" (id serial primary key, article varchar(20) constraint stock_article unique not null, net numeric(8, 2) not null default 0,
  pieces smallint, note text default 'it''s new', tag uuid, gross numeric generated always as (net * 1.19) stored,
  changed_at timestamptz not null default now(), changes int not null default 0);
create function "Shop".count_changes() returns trigger language plpgsql as 'begin
  if new.net = 666 then raise ''no such price''; end if;
  new.changes := old.changes + 1; new.changed_at := now(); return new;
end';
create trigger count_changes before update on "Shop"."Stock" for each row execute function "Shop".count_changes();
insert into "Shop"."Stock" (article, net, tag) values ('A', 1, '00000000-0000-0000-0000-000000000001'), ('Z', 2, null);`

// adopt makes a table a target, as its owner does.
func (f *fixture) adopt(t *testing.T, base string, leaveOut ...string) table {
	t.Helper()
	made := table{sql: base, id: pgtest.Query[uuid.UUID](t, f.Database, `select sheetdrop.target_adopt($1::text::regclass, 'local', leave_out => coalesce($2::text[], '{}'))`, base, leaveOut)}
	text := pgtest.Query[string](t, f.Database, `select definition::text from sheetdrop.target_version where target_id = $1`, made.id)
	if _, problems := target.Parse(json.RawMessage(text)); len(problems) > 0 {
		t.Errorf("the definition %s has problems: %+v", text, problems)
	}
	if err := json.Unmarshal([]byte(text), &made.def); err != nil {
		t.Fatal(err)
	}
	made.name = made.def.Name
	return made
}

// undone takes a load back, and returns the task that did.
func (f *fixture) undone(t *testing.T, w *parse.Worker, of table, load int64) uuid.UUID {
	t.Helper()
	u := f.send(t, of, "-", undoes(load))
	handle(t, w, u)
	return u.TaskID
}

// shape is all that a table is, in words of PostgreSQL.
func (f *fixture) shape(t *testing.T, base string) string {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select concat_ws(E'\n',
  (select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid)), E'\n' order by attnum)
   from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum where attrelid = c.oid and attnum > 0 and not attisdropped),
  (select string_agg(pg_get_indexdef(indexrelid), E'\n' order by indexrelid) from pg_index where indrelid = c.oid),
  (select string_agg(pg_get_constraintdef(oid), E'\n' order by oid) from pg_constraint where conrelid = c.oid),
  (select string_agg(pg_get_triggerdef(oid), E'\n' order by oid) from pg_trigger where tgrelid = c.oid and not tgisinternal),
  (select string_agg(relname, ' ' order by relname) from pg_class where relnamespace = c.relnamespace))
from pg_class c where oid = $1::text::regclass`, base)
}

// T1, T3, T4 hold for a table that was there before: loads write the columns that they know and leave the others to the table, an undo sets their
// columns back, and in the end its owner has the table as it was, with what the loads that stay have written.
func TestAdoptedTable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	f.Exec(t, stockTable)
	before := f.shape(t, `"Shop"."Stock"`)
	into := f.adopt(t, `"Shop"."Stock"`, "changes")
	if columns := len(into.def.Columns); columns != 4 || strings.Join(into.def.Key, " ") != "article" {
		t.Errorf("%+v", into.def)
	}

	first := f.send(t, into, "article,net,pieces\nA,10,1\nB,20,2\nC,5,99999\nZ,2,\n")
	handle(t, w, first)
	f.wantLoad(t, first.TaskID, "4 3 1 0: 1 1 1 0")
	f.wantRejects(t, first.TaskID, "4 out_of_range C,5,99999")
	f.wantTable(t, into, "A|10.00|1|it's new", "B|20.00|2|it's new", "Z|2.00|-|it's new")

	again := f.send(t, into, "article,net,pieces\nA,10,1\nB,20,2\nZ,2,\n")
	handle(t, w, again)
	f.wantLoad(t, again.TaskID, "3 3 0 0: 0 0 3 0")
	second := f.send(t, into, "article,net\nA,11\nB,666\nD,3\n")
	handle(t, w, second)
	f.wantLoad(t, second.TaskID, "3 2 1 0: 1 1 0 0")
	f.wantRejects(t, second.TaskID, "3 constraint B,666")
	f.Exec(t, `update "Shop"."Stock" set note = 'mine' where article = 'D'`)

	f.wantUndo(t, f.undone(t, w, into, f.loadOf(t, first)), "COMPLETED 0 1 0") // B comes from the second file, and A stays
	f.wantTable(t, into, "A|11.00|1|it's new", "B|20.00|2|it's new", "D|3.00|-|mine", "Z|2.00|-|it's new")
	f.wantUndo(t, f.undone(t, w, into, f.loadOf(t, again)), "COMPLETED 1 1 0")
	f.wantTable(t, into, "A|11.00|-|it's new", "D|3.00|-|mine", "Z|2.00|-|it's new")
	f.wantUndo(t, f.undone(t, w, into, f.loadOf(t, second)), "COMPLETED 0 1 1")
	f.wantTable(t, into, "A|1.00|-|it's new", "D|3.00|-|mine", "Z|2.00|-|it's new")
	if got := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', article, case when id <= 2 then id end, tag, gross, changes > 0), ', ' order by id) from "Shop"."Stock"`); got !=
		"A 1 00000000-0000-0000-0000-000000000001 1.1900 t, Z 2 2.3800 f, D 3.5700 t" {
		t.Errorf("the table's own columns: %s", got)
	}

	f.Exec(t, `select sheetdrop.target_release('"Shop"."Stock"')`)
	if after := f.shape(t, `"Shop"."Stock"`); after != before {
		t.Errorf("the table is\n%s\nand was\n%s", after, before)
	}
	late := f.send(t, into, "article,net\nA,1\n")
	handle(t, w, late)
	if got := pgtest.Query[string](t, f.Database, `select status || ' ' || error_code from sheetdrop.task where id = $1`, late.TaskID); got != "FAILED target_dropped" {
		t.Error(got)
	}
	f.adopt(t, `"Shop"."Stock"`)
}

// What would have loads do something else than they say cannot be adopted, and nothing of the table is touched.
func TestTablesThatCannotBeAdopted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `create table public.good (a text primary key, b numeric); create view public.seen as select * from public.good`)
	for name, c := range map[string]struct{ table, why string }{
		"row security":             {`create table t (a text primary key); alter table t enable row level security`, "row security"},
		"forced row security":      {`create table t (a text primary key); alter table t force row level security`, "row security"},
		"no key":                   {`create table t (a text)`, "no unique index"},
		"a key that may be empty":  {`create table t (a text unique)`, "no unique index"},
		"a key of some rows":       {`create table t (a text not null); create unique index on t (a) where a <> ''`, "no unique index"},
		"a key of an expression":   {`create table t (a text not null); create unique index on t (lower(a))`, "no unique index"},
		"a key that is late":       {`create table t (a text not null unique deferrable)`, "no unique index"},
		"a key of its own numbers": {`create table t (id int generated always as identity primary key, a text)`, "no unique index"},
		"two keys":                 {`create table t (a text not null unique, b text not null unique)`, "no unique index"},
		"a value that no file has": {`create table t (a text primary key, b uuid not null)`, "left to the table because of its type uuid"},
		"rows that others lose":    {`create table t (a text primary key); create table u (a text references t on delete cascade)`, "rows of other tables would be changed"},
		"a rule":                   {`create table t (a text primary key); create rule r as on delete to t do instead nothing`, "it has rules"},
		"heirs":                    {`create table t (a text primary key); create table u () inherits (t)`, "it inherits"},
		"partitions":               {`create table t (a text primary key) partition by list (a)`, "no ordinary table"},
		"a view":                   {`create view t as select 1 as a`, "no ordinary table"},
		"no safety":                {`create unlogged table t (a text primary key)`, "a crash would empty it"},
		"a column of its own":      {`create table t (a text primary key, _load int)`, "it has a column _load"},
		"a table of its own":       {`create table t (a text primary key); create table t__was (a int)`, "is there"},
		"a long name":              {`create table ` + strings.Repeat("t", 58) + ` (a text primary key)`, "longer than 57 bytes"},
	} {
		tx := f.Begin(t)
		if _, err := tx.Exec(t.Context(), `create schema s; set local search_path = s; `+c.table); err != nil {
			t.Fatal(err)
		}
		_, err := tx.Exec(t.Context(), `select sheetdrop.target_adopt((select oid from pg_class where relnamespace = 's'::regnamespace and relname ~ '^t' order by relname limit 1)::regclass, 'local')`)
		if err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", name, err)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for sql, why := range map[string]string{
		`select sheetdrop.target_adopt('pg_catalog.pg_authid', 'local')`:                           "belongs to the system",
		`select sheetdrop.target_adopt('sheetdrop.header_choice', 'local')`:                        "belongs to the system",
		`select sheetdrop.target_adopt('public.good', '')`:                                         "target_owner_check",
		`select sheetdrop.target_adopt('public.good', 'local', name => '_x')`:                      "a target's name has",
		`select sheetdrop.target_adopt('public.good', 'local', key => '{b}')`:                      "no unique index",
		`select sheetdrop.target_adopt('public.good', 'local', leave_out => '{a}')`:                "cannot be left out",
		`select sheetdrop.target_adopt('public.good', 'local', leave_out => array['b', 'x" -- '])`: "cannot be left out",
		`select sheetdrop.target_release('public.good')`:                                           "is no adopted table",
	} {
		tx := f.Begin(t)
		if _, err := tx.Exec(t.Context(), sql); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", sql, err)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := pgtest.Query[string](t, f.Database, `select string_agg(attname, ' ' order by attnum) from pg_attribute where attrelid = 'public.good'::regclass and attnum > 0`); got != "a b" {
		t.Errorf("the table has %s", got)
	}
	f.Exec(t, `select sheetdrop.target_adopt('public.good', 'local')`)
	if _, err := f.Begin(t).Exec(t.Context(), `select sheetdrop.target_adopt('public.good', 'mallory', 'mine')`); err == nil {
		t.Error("a table is a target of two owners")
	}
}

// Its owner may change an adopted table at any time. Loads and undos that it does not fit any more end with the reason, and nothing of it is written;
// what others have added to it stays out of their way.
func TestAdoptedTableThatHasChanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	f.Exec(t, `create table public.prices (article text primary key, net numeric)`)
	into := f.adopt(t, `public.prices`)
	first := f.send(t, into, "article,net\nA,1\n")
	handle(t, w, first)
	f.Exec(t, `alter table public.prices add more int generated always as identity, add word xml`)
	handle(t, w, f.send(t, into, "article,net\nA,2\n"))
	f.wantTable(t, into, "A|2")
	wantRefused := func(id uuid.UUID, why string) {
		t.Helper()
		got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, error_code, error_detail) from sheetdrop.task where id = $1`, id)
		if !strings.HasPrefix(got, "FAILED target_refuses") || !strings.Contains(got, why) {
			t.Errorf("%s, want %s", got, why)
		}
	}
	loads := func(why string, change ...func(*target.Request)) {
		t.Helper()
		u := f.send(t, into, "article,net\nB,3\n", change...)
		handle(t, w, u)
		wantRefused(u.TaskID, why)
	}
	loads("columns that loads do not write: more, word", func(r *target.Request) { r.Mode = target.Replace })
	f.Exec(t, `alter table public.prices alter net type text`)
	loads("no longer there, or of another type: net")
	wantRefused(f.undone(t, w, into, f.loadOf(t, first)), "no longer there, or of another type: net")
	f.Exec(t, `alter table public.prices alter net type numeric using net::numeric, enable row level security`)
	loads("row security")
	f.Exec(t, `alter table public.prices rename to old`)
	loads("the table is gone")
	wantRefused(f.undone(t, w, into, f.loadOf(t, first)), "the table is gone")
	f.Exec(t, `alter table public.old rename to prices; alter table public.prices disable row level security`)
	f.wantUndo(t, f.undone(t, w, into, f.loadOf(t, first)), "COMPLETED 0 0 0")
	f.wantTable(t, into, "A|2")
}
