package volume

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
	"sheetdrop/verify/e2e"
)

// A file of millions of rows is loaded as it stands there, row by row, by a process whose memory does not grow with it, and who waits sees
// how far it is. With -full it has 5 GB and 20,000,000 rows of ten columns; its load is then compared with a plain COPY, and stopped and
// cancelled in the middle as well. P9.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	const memory = 128 << 20
	l := newLargeLoad(t, messages(600_000, 20_000_000))
	handler := l.StartHandler(t, nil)
	l.load(t, handler)
	held := e2e.PeakMemory(t, handler.Process())
	t.Logf("the handler held %d MiB at the most", held>>20)
	if held > memory {
		t.Errorf("the handler held %d MiB, want at most %d", held>>20, memory>>20)
	}
	l.wantExact(t)
	if *full {
		l.compareWithCopy(t)
		l.stopInTheMiddle(t)
		l.cancelInTheMiddle(t)
	}
}

// largeLoad is an app, without a host, that has a large file in its store.
type largeLoad struct {
	*e2e.App
	rows int
	file postgres.Upload
}

// newLargeLoad puts the file into the store, block by block as it is made, and commits a task for it.
func newLargeLoad(t *testing.T, rows int) *largeLoad {
	t.Helper()
	servers := devtest.Shared(t)
	if *full {
		servers = devtest.Private(t)
	}
	parts := devtest.StorageOn(t, servers)
	l := &largeLoad{App: e2e.Prepare(t, e2e.Options{Database: pgtest.NewOn(t, servers), Storage: &parts}), rows: rows}
	blobs, _, err := azure.Open(azure.Settings{Connection: parts.ConnectionString, Container: parts.Container, Queue: parts.Queue})
	if err != nil {
		t.Fatal(err)
	}
	began, sum, size := time.Now(), sha256.New(), new(counter)
	stored := pgtest.NewUpload()
	if err := blobs.Upload(t.Context(), stored.File.BlobName, io.TeeReader(largeTable(rows), io.MultiWriter(sum, size))); err != nil {
		t.Fatal(err)
	}
	stored.File.SizeBytes, stored.File.SHA256 = int64(*size), [32]byte(sum.Sum(nil))
	l.file = l.AddSentUpload(t, func(u *postgres.Upload) { *u = stored })
	t.Logf("%d rows, %d bytes, stored in %.1f s", rows, *size, time.Since(began).Seconds())
	return l
}

// again commits one more task for the file.
func (l *largeLoad) again(t *testing.T) postgres.Upload {
	t.Helper()
	u := l.file
	u.TaskID = task.NewID()
	l.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options) values ($1, $2, $3, '{}')`, u.TaskID, u.File.ID, u.File.Owner)
	return u
}

// load loads the file, and looks all the time at how far it says to be.
func (l *largeLoad) load(t *testing.T, handler *e2e.Handler) {
	t.Helper()
	const wal = `select pg_current_wal_lsn() - '0/0'::pg_lsn`
	before, began := pgtest.Query[int64](t, l.Database, wal), time.Now()
	done, tick := handler.Deliver(t, l.file), time.NewTicker(100*time.Millisecond)
	defer tick.Stop()
	seen, changes, changed, longest := progress{}, 0, time.Now(), time.Duration(0)
	for status := 0; status == 0; {
		select {
		case status = <-done:
			if status != http.StatusOK {
				t.Fatalf("the message is answered with %d", status)
			}
		case <-tick.C:
			if now := l.progress(t, handler, l.file); now.RowsRead > seen.RowsRead && now.BytesRead > seen.BytesRead {
				seen, changes = now, changes+1
				longest, changed = max(longest, time.Since(changed)), time.Now()
			}
		}
	}
	if changes == 0 {
		t.Error("nobody could see how far the load was")
	}
	took := time.Since(began)
	end := pgtest.Query[string](t, l.Database, `select concat_ws(' ', status, attempt, crashes, faults, error_code, error_detail)
from sheetdrop.task where id = $1`, l.file.TaskID)
	if end != "COMPLETED 1 0 0" {
		t.Fatalf("the task is %s", end)
	}
	t.Logf("loaded in %.1f s, %.0f rows a second; seen %d times, after %.1f s at the longest",
		took.Seconds(), float64(l.rows)/took.Seconds(), changes, longest.Seconds())
	t.Logf("write-ahead log %d MiB, tables %d MiB, dead rows of tasks %d", (pgtest.Query[int64](t, l.Database, wal)-before)>>20, l.tables(t)>>20,
		pgtest.Query[int64](t, l.Database, `select pg_stat_get_dead_tuples('sheetdrop.task'::regclass)`))
	if *full && longest > 5*time.Second {
		t.Errorf("the progress stood still for %s", longest)
	}
}

// progress is how far a task is.
type progress struct {
	RowsRead  int64 `json:"rows_read"`
	BytesRead int64 `json:"bytes_read"`
}

func (l *largeLoad) progress(t *testing.T, handler *e2e.Handler, u postgres.Upload) progress {
	t.Helper()
	response, err := http.Get(handler.URL + "/api/tasks/" + u.TaskID.String())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var shown struct{ Progress progress }
	if err := json.NewDecoder(response.Body).Decode(&shown); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the task: %s, %v", response.Status, err)
	}
	return shown.Progress
}

// tables is what the rows take, with their index.
func (l *largeLoad) tables(t *testing.T) int64 {
	t.Helper()
	return pgtest.Query[int64](t, l.Database, `select pg_total_relation_size('sheetdrop.sheet_row')`)
}

// wantExact compares how many rows there are, their sum of quantities, and the first and last one.
func (l *largeLoad) wantExact(t *testing.T) {
	t.Helper()
	sum := 0
	for i := range l.rows {
		sum += quantity(i)
	}
	want := fmt.Sprintf("COMPLETED %d %d %d 2 %d", l.rows, l.rows, sum, l.rows+1) // the header is number 1
	got := pgtest.Query[string](t, l.Database, `select concat_ws(' ', t.status, t.summary->>'rows_loaded',
  count(*), sum(r.cells[7]::bigint), min(r.row_no), max(r.row_no))
from sheetdrop.task t join sheetdrop.sheet s on s.task_id = t.id join sheetdrop.sheet_row r on r.sheet_id = s.id
where t.id = $1 group by t.id`, l.file.TaskID)
	if got != want {
		t.Errorf("status, rows loaded, rows, sum, first, last: %s, want %s", got, want)
	}
	for _, row := range []int{0, l.rows / 2, l.rows - 1} {
		cells := pgtest.Query[string](t, l.Database, `select array_to_string(cells, ',') from sheetdrop.sheet_row where row_no = $1`, row+2)
		if want := strings.TrimSuffix(string(appendRow(nil, row)), "\n"); cells != want {
			t.Errorf("row %d: %s, want %s", row+1, cells, want)
		}
	}
}

// compareWithCopy has the server take the same text as it is into a table without an index, as fast as it can.
func (l *largeLoad) compareWithCopy(t *testing.T) {
	t.Helper()
	server, err := pgx.Connect(t.Context(), l.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close(t.Context())
	l.Exec(t, `create table plain (a text, b text, c text, d text, e text, f text, g text, h text, i text, j text)`)
	rows, began := min(l.rows, 4_000_000), time.Now()
	if _, err := server.PgConn().CopyFrom(t.Context(), largeTable(rows), `copy plain from stdin (format csv, header)`); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("a plain COPY of %d rows: %.1f s, %.0f rows a second", rows, took.Seconds(), float64(rows)/took.Seconds())
	l.Exec(t, `drop table plain`)
}

// stopInTheMiddle has a new version come when half of the file is loaded: the task is returned, no attempt is counted, and it begins anew.
func (l *largeLoad) stopInTheMiddle(t *testing.T) {
	t.Helper()
	u, handler, before := l.begin(t, l.rows/2)
	handler.TellToStop(t)
	handler.Exit()
	state := pgtest.Query[string](t, l.Database, `select concat_ws(' ', status, crashes) from sheetdrop.task where id = $1`, u.TaskID)
	if state != "PENDING 0" {
		t.Errorf("the stopped task is %s", state)
	}
	left := l.tables(t) - before
	began := time.Now()
	l.Exec(t, `vacuum sheetdrop.sheet_row`)
	t.Logf("stopped in the middle: %d MiB of dead rows, vacuumed in %.1f s, of which %d MiB stay",
		left>>20, time.Since(began).Seconds(), (l.tables(t)-before)>>20)
}

// cancelInTheMiddle does that, and has two seconds.
func (l *largeLoad) cancelInTheMiddle(t *testing.T) {
	t.Helper()
	u, _, _ := l.begin(t, l.rows/10)
	l.Exec(t, `update sheetdrop.task set cancel_requested_at = now() where id = $1`, u.TaskID)
	began := time.Now()
	l.Database.Await(t, `select finished_at is not null from sheetdrop.task where id = $1`, u.TaskID)
	took := time.Since(began)
	if status := pgtest.Query[string](t, l.Database, `select status from sheetdrop.task where id = $1`, u.TaskID); status != "CANCELLED" {
		t.Errorf("the cancelled task is %s", status)
	}
	t.Logf("cancelled within %.1f s", took.Seconds())
	if took > 2*time.Second {
		t.Errorf("the cancel took %s", took)
	}
}

// begin loads the file once more until so many rows were read, and returns the size of the tables before.
func (l *largeLoad) begin(t *testing.T, rows int) (u postgres.Upload, handler *e2e.Handler, before int64) {
	t.Helper()
	u, handler, before = l.again(t), l.StartHandler(t, nil), l.tables(t)
	began := time.Now()
	handler.Deliver(t, u)
	l.Database.Await(t, `select (progress->>'rows_read')::bigint > $2 from sheetdrop.task where id = $1`, u.TaskID, rows)
	t.Logf("%d rows are read after %.1f s", rows, time.Since(began).Seconds())
	return u, handler, before
}

// largeTable is a text of so many rows of ten columns and about 256 bytes, which is made as it is read.
func largeTable(rows int) io.Reader {
	return &table{rows: rows, text: []byte("number,date,customer,name,article,description,quantity,price,currency,note\n")}
}

type table struct {
	rows, next int
	text       []byte // that was made and not read
}

func (r *table) Read(p []byte) (int, error) {
	for len(r.text) < len(p) && r.next < r.rows {
		r.text = appendRow(r.text, r.next)
		r.next++
	}
	n := copy(p, r.text)
	r.text = r.text[:copy(r.text, r.text[n:])]
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

const note = "delivered in part and accepted by the warehouse on the day of arrival; " +
	"the rest follows with the next regular transport and at no further cost to us or to you"

func quantity(row int) int { return row*7919%500 + 1 }

// appendRow writes the row of that place, from 0.
func appendRow(b []byte, row int) []byte {
	return fmt.Appendf(b, "%08d,2026-03-%02d,C-%05d,Example Trading Ltd,A-%06d,Screw M8 x %02d zinc plated,%d,%d.%02d,EUR,%s\n",
		row, row%28+1, row%99_991, row%999_983, row%90+10, quantity(row), row%1000, row%100, note)
}

// counter counts bytes.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
