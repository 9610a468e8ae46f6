package parse_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/postgres/pgtest"
)

// P3, P5: the rows are there, in order, with empty and missing told apart; every reject with its bytes, line and reason; the counts add up.
func TestRowsAndRejects(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "id;name\r\n1;\"a;b\nc\"\r\n\r\n2\r\n3;\r\n4;x;y\r\n")
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, "{1,\"a;b\nc\"}", `{3,""}`)
	rejects := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws('|', row_no, error_no, line, byte_offset, column_no, column_name, code, convert_from(raw, 'UTF8')), E'\n' order by row_no, error_no)
from sheetdrop.row_reject`)
	if want := "4|1|5|22|2|name|missing_cell|2\n6|1|7|29|3|extra_cell|4;x;y"; rejects != want {
		t.Errorf("rejects:\n%s\nwant:\n%s", rejects, want)
	}
	counts := pgtest.Query[string](t, f.Database, `select concat_ws(' ', rows_read, rows_loaded, rows_rejected, rows_skipped, columns->0->>'name', columns->1->>'name') from sheetdrop.sheet`)
	if counts != "5 2 2 1 id name" {
		t.Errorf("sheet: %s, want 5 2 2 1 id name", counts)
	}
	summary := pgtest.Query[string](t, f.Database, `select concat_ws(' ', summary->'rows_read', summary->'rows_loaded', summary->'rows_rejected', summary->'rows_skipped', summary->'sheets'->0->'rows_loaded', progress->'rows_loaded', progress->'bytes_total', progress->'bytes_read') from sheetdrop.task`)
	if want := fmt.Sprintf("5 2 2 1 2 2 %d %[1]d", u.File.SizeBytes); summary != want {
		t.Errorf("summary and progress: %s, want %s", summary, want)
	}
}

// A record is one reject, whatever is wrong with it: cells that are missing side by side are one reason, others have their own.
func TestRejectOfSeveralReasons(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const options = `{"columns":[{"name":"a","type":"integer"},{"name":"c","required":true}]}`
	handle(t, f.worker(t, usual, ""), f.uploadWith(t, "a,b,c\n1,2,3\n4\nx,5,\n", options))
	rejects := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws('|', row_no, error_no, code, column_no, last_column_no, column_name,
  more_errors->0->>'code', more_errors->0->>'column_no', jsonb_array_length(more_errors), convert_from(raw, 'UTF8')), E'\n' order by row_no) from sheetdrop.row_reject`)
	if want := "3|1|missing_cell|2|3|b|4\n4|1|type_mismatch|1|a|required_missing|3|1|x,5,"; rejects != want {
		t.Errorf("rejects:\n%s\nwant:\n%s", rejects, want)
	}
}

// Many chunks arrive whole: 40,000 rows are more than are sent at once.
func TestManyChunks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var b strings.Builder
	b.WriteString("id,text\n")
	text := strings.Repeat("x", 200)
	const n = 40_000
	for i := range n {
		if i%100 == 99 {
			fmt.Fprintf(&b, "%d\n", i)
		} else {
			fmt.Fprintf(&b, "%d,%s\n", i, text)
		}
	}
	u := f.upload(t, b.String())
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', count(*), sum(cells[1]::int), min(length(cells[2]))) from sheetdrop.sheet_row`); got != fmt.Sprintf("%d %d 200", n-n/100, n*(n-1)/2-rejectedSum(n)) {
		t.Errorf("rows: %s", got)
	}
	if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', count(*), sum(convert_from(raw, 'UTF8')::int)) from sheetdrop.row_reject`); got != fmt.Sprintf("%d %d", n/100, rejectedSum(n)) {
		t.Errorf("rejects: %s", got)
	}
}

func rejectedSum(n int) (sum int) {
	for i := 99; i < n; i += 100 {
		sum += i
	}
	return sum
}

// P3: a relay that dies after sending a message sends it again. Three deliveries of one message load one set of rows.
func TestThreeDeliveriesLoadOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, rows := rowsOf(10)
	u := f.upload(t, content)
	w := f.worker(t, usual, "")
	for range 3 {
		handle(t, w, u)
	}
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, rows...)
}

// P3: the same with eight workers at once.
func TestManyWorkersAtOnceLoadOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, rows := rowsOf(10)
	u := f.upload(t, content)
	var workers sync.WaitGroup
	for range 8 {
		w := f.worker(t, usual, "")
		workers.Go(func() { handle(t, w, u) })
	}
	workers.Wait()
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, rows...)
}

// A message of a task that is gone is done with; one that is no parse message is kept by the queue's own means.
func TestUselessMessages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	u := f.upload(t, "a\n1\n")
	f.Exec(t, `delete from sheetdrop.task`)
	handle(t, w, u)
	for _, text := range []string{"", "{}", "[]", `{"v":2,"task_id":"` + u.TaskID.String() + `"}`, "\xff"} {
		if err := w.Handle(t.Context(), []byte(text)); err == nil {
			t.Errorf("message %q was acknowledged", text)
		}
	}
}
