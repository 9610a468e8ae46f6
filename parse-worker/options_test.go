package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// mixed has four rows, two of which are short, and a blank line.
const mixed = "id,name\n1,a\n2\n\n3,b\n4\n"

const countsOfSheets = `select coalesce(string_agg(concat_ws(' ', rows_read, rows_loaded, rows_rejected, rows_skipped, rows_valid), ', ' order by number), 'none')
from sheetdrop.sheet where task_id = $1`

// A policy decides about the file as a whole: within it everything is loaded, beyond it nothing (P3), and the task says why in both
// languages. Its counts add up in either case and say all
// that was read, and what was rejected until then can be read (P5).
func TestPolicies(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	for _, c := range []struct {
		policy, task, counts string
		rows, rejects        int
	}{
		{"reject", "COMPLETED 1 0 0", "5 2 2 1 0", 2, 2},
		{"fail", "FAILED 1 0 0 row_rejected", "2 0 1 1 1", 0, 1},
		{"limit:0", "FAILED 1 0 0 too_many_rejects", "2 0 1 1 1", 0, 1},
		{"limit:1", "FAILED 1 0 0 too_many_rejects", "5 0 2 3 2", 0, 2},
		{"limit:2", "COMPLETED 1 0 0", "5 2 2 1 0", 2, 2},
		{"limit:39%", "FAILED 1 0 0 too_many_rejects", "5 0 2 3 2", 0, 2},
		{"limit:40%", "COMPLETED 1 0 0", "5 2 2 1 0", 2, 2},
	} {
		t.Run(c.policy, func(t *testing.T) {
			u := f.uploadWith(t, mixed, fmt.Sprintf(`{"policy":%q}`, c.policy))
			handle(t, w, u)
			f.wantTask(t, u.TaskID, c.task)
			if got := pgtest.Query[string](t, f.Database, countsOfSheets, u.TaskID); got != c.counts {
				t.Errorf("read, loaded, rejected, skipped, valid: %s, want %s", got, c.counts)
			}
			found := pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select count(*) from sheetdrop.sheet_row where sheet_id = s.id),
(select count(*) from sheetdrop.row_reject where sheet_id = s.id and message <> '' and message_ja <> ''))
from sheetdrop.sheet s where task_id = $1`, u.TaskID)
			if want := fmt.Sprint(c.rows, c.rejects); found != want {
				t.Errorf("rows and rejects: %s, want %s", found, want)
			}
			told := pgtest.Query[bool](t, f.Database, `select (status = 'FAILED') = (coalesce(error_detail_ja, '') <> '') from sheetdrop.task where id = $1`, u.TaskID)
			if !told {
				t.Error("the reason is not told in Japanese")
			}
		})
	}
}

// P3: rows that were sent long before the record which fails the file are not there either.
func TestPolicyTakesSentRowsBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content := "id,text\n" + strings.Repeat("1,"+strings.Repeat("x", 1000)+"\n", 10_000) + "2\n"
	u := f.uploadWith(t, content, `{"policy":"fail"}`)
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 row_rejected")
	f.wantRows(t)
	if got := pgtest.Query[string](t, f.Database, countsOfSheets, u.TaskID); got != "10001 0 1 10000 10000" {
		t.Errorf("read, loaded, rejected, skipped, valid: %s, want 10001 0 1 10000 10000", got)
	}
	if row := pgtest.Query[int](t, f.Database, `select row_no from sheetdrop.row_reject`); row != 10_002 {
		t.Errorf("reject of row %d, want 10002", row)
	}
}

// A dry run tells all that a real one would, and loads nothing. P5: what it found good was read and skipped.
func TestDryRun(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.uploadWith(t, mixed, `{"dry_run":true,"policy":"limit:2"}`)
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t)
	if got := pgtest.Query[string](t, f.Database, countsOfSheets, u.TaskID); got != "5 0 2 3 2" {
		t.Errorf("read, loaded, rejected, skipped, valid: %s, want 5 0 2 3 2", got)
	}
	summary := pgtest.Query[string](t, f.Database, `select concat_ws(' ', summary->'rows_read', summary->'rows_loaded', summary->'rows_rejected', summary->'rows_skipped', summary->'rows_valid',
summary->'sheets'->0->'rows_valid', progress->'rows_loaded') from sheetdrop.task`)
	if summary != "5 0 2 3 2 2 0" {
		t.Errorf("summary and progress: %s, want 5 0 2 3 2 2 0", summary)
	}
	found := pgtest.Query[string](t, f.Database, `select concat_ws(' ', columns->0->>'type', columns->1->>'type', (select count(*) from sheetdrop.row_reject where sheet_id = s.id)) from sheetdrop.sheet s`)
	if found != "integer text 2" {
		t.Errorf("types and rejects: %s, want integer text 2", found)
	}
	failed := f.uploadWith(t, mixed, `{"dry_run":true,"policy":"fail"}`)
	handle(t, f.worker(t, usual, ""), failed)
	f.wantTask(t, failed.TaskID, "FAILED 1 0 0 row_rejected")
}

// A row that does not fit its declared columns is a reject, with a code for each cell that people can act on, in both languages.
func TestDeclaredColumns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.uploadWith(t, "注文番号,納期,数量\n1,2024-01-31,10\n1,2024-02-30,\n2,,11\n", `{"columns":[{"name":"注文番号","type":"integer","required":true,"unique":true},
{"name":"納期","type":"date"},{"name":"数量","type":"integer","required":true,"max":"10"}]}`)
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, "{1,2024-01-31,10}")
	rejects := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', row_no, column_name, code, message_ja ~ '[ぁ-ん]',
  (select string_agg(concat_ws(' ', e->>'column_name', e->>'code', e->>'message_ja' ~ '[ぁ-ん]'), ' ') from jsonb_array_elements(more_errors) e)), ', ' order by row_no)
from sheetdrop.row_reject`)
	if want := "3 注文番号 not_unique t 納期 type_mismatch t 数量 required_missing t, 4 数量 out_of_range t"; rejects != want {
		t.Errorf("rejects: %s\nwant: %s", rejects, want)
	}
	missing := f.uploadWith(t, "a\n1\n", `{"columns":[{"name":"数量","type":"integer"}]}`)
	handle(t, f.worker(t, usual, ""), missing)
	f.wantTask(t, missing.TaskID, "FAILED 1 0 0 missing_column")
}
