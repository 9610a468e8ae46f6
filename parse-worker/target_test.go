package parse_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// table is a target with its table in SQL.
type table struct {
	id   uuid.UUID
	name string
	sql  string
	def  target.Definition
}

// prices are articles with a price, upserted by their number.
func prices(change ...func(*target.Definition)) target.Definition {
	def := target.Definition{
		Name: "prices", Key: []string{"article"}, Mode: target.Upsert,
		Columns: []target.Column{
			{Name: "article", Type: target.Text, Required: true, Synonyms: []string{"SKU"}},
			{Name: "net", Type: target.Decimal, Digits: 8, Scale: 2, Required: true},
			{Name: "valid_from", Type: target.Date},
		},
	}
	for _, c := range change {
		c(&def)
	}
	return def
}

func inserting(def *target.Definition) { def.Mode = target.Insert }

func keyless(def *target.Definition) { def.Mode, def.Key = target.Insert, nil }

// target makes a target as its owner does.
func (f *fixture) target(t *testing.T, def target.Definition) table {
	t.Helper()
	if problems := def.Validate(); len(problems) > 0 {
		t.Fatal(problems)
	}
	text, err := json.Marshal(def)
	if err != nil {
		t.Fatal(err)
	}
	made := table{id: task.NewID(), name: def.Name, def: def}
	f.Exec(t, `with made as (
  insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
  values ($1, 'local', $2::text, 'MANAGED', sheetdrop.schema_of('local'), $2::text::name, $4)
) insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $3, 'local')`,
		made.id, def.Name, text, len(def.Key) > 0 || def.Mode == target.Replace)
	made.sql = pgtest.Query[string](t, f.Database, `select sheetdrop.target_create($1)`, made.id)
	return made
}

// send uploads a file into a target.
func (f *fixture) send(t *testing.T, into table, content string, change ...func(*target.Request)) postgres.Upload {
	t.Helper()
	return f.sendWith(t, into, content, `{}`, change...)
}

func (f *fixture) sendWith(t *testing.T, into table, content, options string, change ...func(*target.Request)) postgres.Upload {
	t.Helper()
	request := target.Request{ID: into.id, Name: into.name}
	for _, c := range change {
		c(&request)
	}
	joined, err := target.JoinOptions([]byte(options), request)
	if err != nil {
		t.Fatal(err)
	}
	return f.uploadWith(t, content, string(joined))
}

func mapped(header, column, format string) func(*target.Request) {
	return func(r *target.Request) {
		if r.Mapping == nil {
			r.Mapping = map[string]target.Choice{}
		}
		r.Mapping[header] = target.Choice{Column: column, Format: format}
	}
}

// wantTable compares a target's rows, in the order of their text: the definition's columns, separated by bars.
func (f *fixture) wantTable(t *testing.T, of table, want ...string) {
	t.Helper()
	var columns []string
	for _, c := range of.def.Columns {
		columns = append(columns, fmt.Sprintf(`coalesce(%q::text, '-')`, c.Name))
	}
	got := pgtest.Query[string](t, f.Database, fmt.Sprintf(`select coalesce(string_agg(r, E'\n' order by r collate "C"), '') from (
  select concat_ws('|', %s) from %s) as rows (r)`, strings.Join(columns, ", "), of.sql))
	if got != strings.Join(want, "\n") {
		t.Errorf("%s:\n%s\nwant:\n%s", of.name, got, strings.Join(want, "\n"))
	}
}

// wantLoad compares what a task's summary says: rows read, loaded, rejected and skipped; inserted, updated, unchanged and deleted.
func (f *fixture) wantLoad(t *testing.T, id uuid.UUID, want string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', s->'rows_read', s->'rows_loaded', s->'rows_rejected', s->'rows_skipped') || ': ' ||
  concat_ws(' ', s->'target'->'inserted', s->'target'->'updated', s->'target'->'unchanged', s->'target'->'deleted')
from (select coalesce(summary, '{}') from sheetdrop.task where id = $1) as t (s)`, id)
	if got != want {
		t.Errorf("counts %s, want %s", got, want)
	}
}

// wantRejects compares a task's rejects: row, code and bytes of each.
func (f *fixture) wantRejects(t *testing.T, id uuid.UUID, want ...string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select coalesce(string_agg(concat_ws(' ', r.row_no, code, convert_from(raw, 'UTF8')), E'\n' order by r.row_no, error_no), '')
from sheetdrop.row_reject r join sheetdrop.sheet s on s.id = r.sheet_id where s.task_id = $1`, id)
	if got != strings.Join(want, "\n") {
		t.Errorf("rejects:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// A file's rows come into the target's table, typed; those that do not fit are rejects with their reason and bytes, and the others are
// not held up. Rows with a key that is there, or that comes twice, are rejects of a load that only inserts.
func TestRowsComeIntoATarget(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	for name, def := range map[string]target.Definition{"with a key": prices(inserting), "without": prices(keyless)} {
		t.Run(name, func(t *testing.T) {
			def.Name = strings.ReplaceAll(name, " ", "_")
			into := f.target(t, def)
			first := f.send(t, into, "SKU;Net;Valid From\nA;1,50;31.01.2024\nB;1.234,5;\nC;x;\nD;2,505;\n;3,00;\nE;1234567,00;\nF;4,00\n")
			handle(t, w, first)
			f.wantTask(t, first.TaskID, "COMPLETED 1 0 0")
			f.wantTable(t, into, "A|1.50|2024-01-31", "B|1234.50|-")
			f.wantLoad(t, first.TaskID, "7 2 5 0: 2 0 0 0")
			f.wantRejects(t, first.TaskID, "4 type_mismatch C;x;", "5 out_of_range D;2,505;", "6 required_missing ;3,00;", "7 out_of_range E;1234567,00;", "8 missing_cell F;4,00")

			second := f.send(t, into, "article,net\nB,7\nC,8\nC,9\nD,x\n")
			handle(t, w, second)
			f.wantTask(t, second.TaskID, "COMPLETED 1 0 0")
			if into.def.Key == nil {
				f.wantTable(t, into, "A|1.50|2024-01-31", "B|1234.50|-", "B|7.00|-", "C|8.00|-", "C|9.00|-")
				return
			}
			f.wantTable(t, into, "A|1.50|2024-01-31", "B|1234.50|-", "C|8.00|-")
			f.wantLoad(t, second.TaskID, "4 1 3 0: 1 0 0 0")
			f.wantRejects(t, second.TaskID, "2 key_exists B,7", "4 duplicate_key C,9", "5 type_mismatch D,x")
			if !pgtest.Query[bool](t, f.Database, `select count(*) = 2 and max(l.id) = (select max(_load) from `+into.sql+`) and max(rejected) = 5 and bool_and(mode = 'insert')
from sheetdrop.target_load l where target_id = $1`, into.id) {
				t.Error("the loads are not written down")
			}
		})
	}
}

// T3: what an upsert does is counted, and is the least: rows that are there as they were are not written again.
func TestUpsert(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	handle(t, w, f.send(t, into, "article,net,valid_from\nA,1,2024-01-31\nB,2,2024-01-31\nC,3,2024-01-31\n"))
	second := f.send(t, into, "article,net\nA,1.00\nB,20\nD,4\nD,5\n")
	before := pgtest.Query[string](t, f.Database, `select ctid::text from `+into.sql+` where article = 'A'`)
	handle(t, w, second)
	f.wantTable(t, into, "A|1.00|2024-01-31", "B|20.00|2024-01-31", "C|3.00|2024-01-31", "D|4.00|-")
	f.wantLoad(t, second.TaskID, "4 3 1 0: 1 1 1 0")
	f.wantRejects(t, second.TaskID, "5 duplicate_key D,5")
	if after := pgtest.Query[string](t, f.Database, `select ctid::text from `+into.sql+` where article = 'A'`); after != before {
		t.Error("a row that is as it was was written again")
	}
	if got := pgtest.Query[string](t, f.Database, `select (select string_agg(concat_ws(' ', article, net, valid_from), ',') from data.prices__was) || '/' ||
  (select string_agg(article, ',') from data.prices__seen where _load = (select max(_load) from data.prices__seen))`); got != "B 2.00 2024-01-31/A" {
		t.Errorf("kept of before: %s", got)
	}

	again := f.send(t, into, "article,net\nA,1.00\nB,20\nD,4\nD,5\n")
	rows := pgtest.Query[string](t, f.Database, `select string_agg(t.ctid::text || t::text, ',' order by article) from `+into.sql+` t`)
	handle(t, w, again)
	f.wantLoad(t, again.TaskID, "4 3 1 0: 0 0 3 0")
	if after := pgtest.Query[string](t, f.Database, `select string_agg(t.ctid::text || t::text, ',' order by article) from `+into.sql+` t`); after != rows {
		t.Error("the same file again has written rows")
	}
}

// Whoever may not load into a target any more does not: not by a file that waits, and not by one that is read again.
func TestTargetThatIsNoLongerShared(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	f.Exec(t, `update sheetdrop.target set owner = 'somebody' where id = $1`, into.id)
	share := func(grantee, may string) {
		f.Exec(t, `delete from sheetdrop.target_share`)
		f.Exec(t, `insert into sheetdrop.target_share (target_id, grantee, may) values ($1, $2, $3)`, into.id, grantee, may)
	}
	for _, c := range []struct{ grantee, may, want string }{
		{"local", "read", "FAILED target_dropped"}, {"other", "load", "FAILED target_dropped"},
		{"local", "load", "COMPLETED"}, {"role:shop", "load", "COMPLETED"}, // whose roles they were was looked at when the target was named
	} {
		share(c.grantee, c.may)
		u := f.send(t, into, "article,net\nA,1\n")
		handle(t, w, u)
		if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, error_code) from sheetdrop.task where id = $1`, u.TaskID); got != c.want {
			t.Errorf("shared with %s to %s: %s, want %s", c.grantee, c.may, got, c.want)
		}
	}
}
