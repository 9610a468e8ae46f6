package parse_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/target"
)

// How cells are written is decided by the whole column: 1.234 is 1234 in a file with decimal commas. Where all of it can be read in two
// ways, the file FAILs and says which; a choice is remembered for the owner's next file.
func TestFormatsAreDecidedByTheWholeColumn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	into := f.target(t, prices(keyless))
	for content, want := range map[string]string{
		"article,net\nA,\"1.234\"\nB,\"0,5\"\n":                        "A|1234.00|-\nB|0.50|-",
		"article,net\nA,\"1,234\"\nB,\"0.5\"\n":                        "A|1234.00|-\nB|0.50|-",
		"article,net,valid_from\nA,1.5,01/02/2024\nB,1.5,31/12/2024\n": "A|1.50|2024-02-01\nB|1.50|2024-12-31",
		"article,net,valid_from\nA,1.5,02/01/2024\nB,1.5,12/31/2024\n": "A|1.50|2024-02-01\nB|1.50|2024-12-31",
		"article,net,valid_from\nA,1.5,R6.2.1\nB,1.5,\n":               "A|1.50|2024-02-01\nB|1.50|-",
	} {
		f.Exec(t, `truncate `+into.sql)
		handle(t, w, f.send(t, into, content))
		f.wantTable(t, into, strings.Split(want, "\n")...)
	}
	f.Exec(t, `truncate `+into.sql)
	for content, choices := range map[string]string{
		"article,net\nA,\"1.234\"\nB,\"5.678\"\n":        "0.0, #.##0,0",
		"article,net,valid_from\nA,7,01/02/2024\n":       "DD/MM/YYYY, MM/DD/YYYY",
		"article,net\nA,x\nB,y\nC,z\nD,\"1,500\"\nE,w\n": "0.0, 0,0",
	} {
		u := f.send(t, into, content)
		handle(t, w, u)
		f.wantTask(t, u.TaskID, "FAILED 1 0 0 format_ambiguous")
		if detail := pgtest.Query[string](t, f.Database, `select error_detail from sheetdrop.task where id = $1`, u.TaskID); !strings.Contains(detail, choices) {
			t.Errorf("%s: %s", content, detail)
		}
	}
	f.wantTable(t, into)
	dates := "article,net,valid_from\nA,7,01/02/2024\n"
	handle(t, w, f.send(t, into, dates, mapped("valid_from", "valid_from", "MM/DD/YYYY")))
	f.wantTable(t, into, "A|7.00|2024-01-02")
	handle(t, w, f.send(t, into, dates))
	f.wantTable(t, into, "A|7.00|2024-01-02", "A|7.00|2024-01-02")
}

// A word such as N/A is no value in a target as it is none in a view: where everything else in its column is of the column's type. Where it
// is not, or where the column must have values, the record is a reject. That needs no format to be asked for.
func TestWordsForNoValueAreDecidedByTheWholeColumn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	for name, format := range map[string]string{"found": "", "declared": "YYYY-MM-DD"} {
		into := f.target(t, prices(keyless, func(d *target.Definition) {
			d.Name = name
			d.Columns[1].Format, d.Columns[2].Format = "0.0", format
			d.Columns = append(d.Columns, target.Column{Name: "sold", Type: target.Boolean}, target.Column{Name: "note", Type: target.Text})
		}))
		for content, want := range map[string]struct{ task, table string }{
			"article,net,valid_from,sold,note\nA,1.0,N/A,-,N/A\nB,2.5,2024-01-31,yes,x\nC,3.0,n.d.,no,-\n": {"COMPLETED 3 0", "A - - N/A|B 2024-01-31 true x|C - false -"},
			"article,net,valid_from\nA,1.0,N/A\nB,2.5,2024-01-31\nC,3.0,soon\n":                            {"COMPLETED 1 2", "B 2024-01-31 - -"},
			"article,net\nA,N/A\nB,2.5\n": {"COMPLETED 1 1", "B - - -"},
		} {
			f.Exec(t, `truncate `+into.sql)
			u := f.send(t, into, content)
			handle(t, w, u)
			got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, summary->'rows_loaded', summary->'rows_rejected') from sheetdrop.task where id = $1`, u.TaskID)
			if got != want.task {
				t.Errorf("%s: the task is %s, want %s", content, got, want.task)
			}
			got = pgtest.Query[string](t, f.Database, `select coalesce(string_agg(concat_ws(' ', article, coalesce(valid_from::text, '-'), coalesce(sold::text, '-'), coalesce(note, '-')), '|' order by article), '')
from `+into.sql)
			if got != want.table {
				t.Errorf("%s: the table has %s, want %s", content, got, want.table)
			}
		}
	}
}

// What people choose for a header is remembered once it has led to a load, and not before; what the first attempt has found holds for the
// second.
func TestChoicesAreRememberedAndAMappingStays(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(keyless))
	const content = "Nr,Betrag,Rest\nA,1,x\n"
	failed := f.send(t, into, content, mapped("Betrag", "net", ""))
	handle(t, w, failed)
	f.wantTask(t, failed.TaskID, "FAILED 1 0 0 mapping_needed")
	if got := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', c->>'header', c->>'column', c->>'rule'), ',') from sheetdrop.task,
  jsonb_array_elements(mapping->'columns') c where id = $1`, failed.TaskID); got != "Nr,Betrag net request,Rest" {
		t.Errorf("the failed task shows %q", got)
	}
	handle(t, w, f.send(t, into, content))
	f.wantTable(t, into)
	handle(t, w, f.send(t, into, content, mapped("Betrag", "net", ""), mapped("Nr", "article", ""), mapped("Rest", "", "")))
	f.wantTable(t, into, "A|1.00|-")
	next := f.send(t, into, content)
	handle(t, w, next)
	f.wantTable(t, into, "A|1.00|-", "A|1.00|-")
	if got := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', header, column_name), ',' order by header) from sheetdrop.header_choice`); got != "betrag net,nr article,rest" {
		t.Errorf("remembered: %s", got)
	}

	stays := f.send(t, into, content)
	f.Exec(t, `update sheetdrop.task set mapping = (select mapping from sheetdrop.task where id = $1) where id = $2`, next.TaskID, stays.TaskID)
	f.Exec(t, `update sheetdrop.header_choice set column_name = null`)
	handle(t, w, stays)
	f.wantTable(t, into, "A|1.00|-", "A|1.00|-", "A|1.00|-")
}

// Files that cannot be loaded say why, and change nothing.
func TestFilesThatDoNotGoIntoATarget(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	strict := f.target(t, prices(func(d *target.Definition) { d.Name, d.Extra = "strict", target.RefuseExtra }))
	dropped := f.target(t, prices(func(d *target.Definition) { d.Name = "dropped" }))
	f.Exec(t, `update sheetdrop.target set dropped_at = now() where id = $1`, dropped.id)
	book := string(workbook(t, func(b *excelize.File) error {
		for i, name := range []string{"Sheet1", "Other"} {
			if i > 0 {
				if _, err := b.NewSheet(name); err != nil {
					return err
				}
			}
			for row, cells := range [][]any{{"article", "net"}, {name, i + 1}} {
				if err := b.SetSheetRow(name, fmt.Sprintf("A%d", row+1), &cells); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	for _, c := range []struct {
		name string
		u    postgres.Upload
		code string
	}{
		{"a column that nobody wants", f.send(t, strict, "article,net,rest\nA,1,x\n"), "mapping_needed"},
		{"two headers for one column", f.send(t, strict, "article,net,net\nA,1,2\n"), "ambiguous_header"},
		{"a target that was deleted", f.send(t, dropped, pricesFile), "target_dropped"},
		{"a policy", f.sendWith(t, strict, "article,net\nA,1\nA,2\n", `{"policy":"fail"}`), "row_rejected"},
		{"two sheets", f.send(t, strict, book), "sheet_needed"},
		{"nothing", f.send(t, strict, "\n\n"), "empty_file"},
	} {
		handle(t, w, c.u)
		if got := pgtest.Query[string](t, f.Database, `select concat(status, ' ', error_code) from sheetdrop.task where id = $1`, c.u.TaskID); got != "FAILED "+c.code {
			t.Errorf("%s: %s, want %s", c.name, got, c.code)
		}
	}
	f.wantTable(t, strict)
	one := f.sendWith(t, strict, book, `{"sheet":"Other"}`)
	handle(t, w, one)
	f.wantTable(t, strict, "Other|2.00|-")
	f.wantLoad(t, one.TaskID, "1 1 0 0: 1 0 0 0")
}

// Cells without value are NULL, or the column's default; columns that the file does not have stay as they are, or take their default.
func TestDefaultsOfATarget(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	zero, start := "0.50", "2020-01-01"
	withDefaults := func(d *target.Definition) { d.Columns[1].Default, d.Columns[2].Default = &zero, &start }
	for missing, want := range map[target.Missing]string{target.KeepMissing: "A|3.00|2024-05-01", target.DefaultMissing: "A|3.00|2020-01-01"} {
		into := f.target(t, prices(withDefaults, func(d *target.Definition) { d.Name, d.Missing = string(missing), missing }))
		handle(t, w, f.send(t, into, "article,net,valid_from\nA,\" \",2024-05-01\nB,1,\nC,,\n"))
		f.wantTable(t, into, "A|0.50|2024-05-01", "B|1.00|2020-01-01", "C|0.50|2020-01-01")
		handle(t, w, f.send(t, into, "article,net\nA,3\nD,4\n"))
		f.wantTable(t, into, want, "B|1.00|2020-01-01", "C|0.50|2020-01-01", "D|4.00|2020-01-01")
	}
}

// A dry run says what a load would do, and does nothing.
func TestDryRunOfALoad(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	const next = "article,net\nA,1\nB,20\nD,4\nD,5\nE,x\n"
	for name, c := range map[string]struct {
		change func(*target.Definition)
		want   string
	}{
		"upserted": {func(*target.Definition) {}, "5 0 2 3: 1 1 1 0"}, "inserted": {inserting, "5 0 4 1: 1 0 0 0"}, "appended": {keyless, "5 0 1 4: 4 0 0 0"},
		"replaced": {func(d *target.Definition) { d.Mode = target.Replace }, "5 0 2 3: 1 1 1 1"},
	} {
		into := f.target(t, prices(c.change, func(d *target.Definition) { d.Name = name }))
		handle(t, w, f.send(t, into, "article,net\nA,1\nB,2\nC,3\n"))
		before := pgtest.Query[string](t, f.Database, `select (select string_agg(t.ctid::text || t::text, ',') from `+into.sql+` t) || (select string_agg(l::text, ',') from sheetdrop.target_load l)`)
		u := f.sendWith(t, into, next, `{"dry_run":true}`)
		handle(t, w, u)
		f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
		f.wantLoad(t, u.TaskID, c.want)
		if after := pgtest.Query[string](t, f.Database, `select (select string_agg(t.ctid::text || t::text, ',') from `+into.sql+` t) || (select string_agg(l::text, ',') from sheetdrop.target_load l)`); after != before {
			t.Errorf("%s: a dry run has changed the target", name)
		}
	}
}

// A load that replaces takes away the rows that the file does not have: all, or those of the partitions that the file has.
func TestReplace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	for name, c := range map[string]struct {
		change func(*target.Definition)
		table  []string
		counts string
	}{
		"all":         {func(d *target.Definition) { d.Mode = target.Replace }, []string{"A|1.00|2024-01-01", "C|30.00|2024-02-02", "D|4.00|2024-01-01"}, "3 3 0 0: 1 1 1 1"},
		"without_key": {func(d *target.Definition) { d.Mode, d.Key = target.Replace, nil }, []string{"A|1.00|2024-01-01", "C|30.00|2024-02-02", "D|4.00|2024-01-01"}, "3 3 0 0: 3 0 0 3"},
		"partition": {func(d *target.Definition) { d.Mode, d.Partition = target.Replace, []string{"valid_from"} },
			[]string{"A|1.00|2024-01-01", "C|30.00|2024-02-02", "D|4.00|2024-01-01"}, "3 3 0 0: 1 1 1 1"},
	} {
		into := f.target(t, prices(c.change, func(d *target.Definition) { d.Name = name }))
		handle(t, w, f.send(t, into, "article,net,valid_from\nA,1,2024-01-01\nB,2,2024-01-01\nC,3,2024-02-02\n"))
		u := f.send(t, into, "article,net,valid_from\nA,1,2024-01-01\nC,30,2024-02-02\nD,4,2024-01-01\n")
		handle(t, w, u)
		f.wantTable(t, into, c.table...)
		f.wantLoad(t, u.TaskID, c.counts)
		if name != "partition" {
			continue
		}
		handle(t, w, f.send(t, into, "article,net,valid_from\nE,5,2024-01-01\n"))
		f.wantTable(t, into, "C|30.00|2024-02-02", "E|5.00|2024-01-01")
	}
}

// T2: files that were sent one after the other are loaded in that order, by however many workers at once, and each message is needed once.
func TestFilesOfATargetAreLoadedInTheirOrder(t *testing.T) {
	t.Parallel()
	const files = 12
	f := newFixture(t)
	into := f.target(t, prices())
	uploads := make([]postgres.Upload, files)
	for i := range uploads {
		uploads[i] = f.send(t, into, fmt.Sprintf("article,net\nA,%d\nB%d,1\n", i+1, i))
	}
	w := []interface {
		Handle(ctx context.Context, message []byte) error
	}{f.worker(t, usual, ""), f.worker(t, usual, "")}
	waits := make([]func() error, 0, files)
	for i := range uploads {
		u, ended := uploads[files-1-i], make(chan error, 1)
		go func() { ended <- w[i%2].Handle(t.Context(), message(u)) }()
		waits = append(waits, func() error { return <-ended })
	}
	for _, wait := range waits {
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
	for pgtest.Query[bool](t, f.Database, `select exists (select from sheetdrop.outbox_message)`) {
		id := pgtest.Query[string](t, f.Database, `with m as (delete from sheetdrop.outbox_message where id = (select id from sheetdrop.outbox_message limit 1) returning task_id) select task_id::text from m`)
		for _, u := range uploads {
			if u.TaskID.String() == id {
				handle(t, f.worker(t, usual, ""), u)
			}
		}
	}
	if !pgtest.Query[bool](t, f.Database, `select bool_and(status = 'COMPLETED') from sheetdrop.task`) {
		t.Error("not all are loaded")
	}
	if !pgtest.Query[bool](t, f.Database, `select array_agg(task_id order by id) = (select array_agg(id order by turn) from sheetdrop.task) from sheetdrop.target_load`) {
		t.Error("they were not loaded in their order")
	}
	if got := pgtest.Query[string](t, f.Database, `select net::text from data.prices where article = 'A'`); got != fmt.Sprintf("%d.00", files) {
		t.Errorf("the last file does not win: %s", got)
	}
}
