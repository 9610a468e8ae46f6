package volume

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// beforeViews is the version before views and targets. It needs 13 migrations.
const beforeViews = "26274eba3a73109d8138e059c4dafa78c2b0c60c"

// BenchmarkMigration brings a database that has a million files, rows, rejects and sent messages to today's schema, while the version before views
// takes and loads files as fast as it can, also large ones, whose loads hold the table of rejects for seconds. What that version, and the callers,
// waited for a table at the longest is read from the server's log. P2, P3: all files are COMPLETED at their first attempt.
func BenchmarkMigration(b *testing.B) {
	for range b.N {
		servers := newServers(b, "log_lock_waits", "on", "deadlock_timeout", "10ms", "logging_collector", "on", "log_filename", "log")
		storage := devtest.StorageOn(b, servers)
		db := pgtest.NewEmptyOn(b, servers)
		older := e2e.BuildOlder(b, beforeViews)
		older.Migrate(b, db.URL)
		rows := messages(0, 1_000_000)
		fill(b, db, rows)
		app := e2e.Prepare(b, e2e.Options{Database: db, Storage: &storage})
		app.Host = older.Run(b, app.HostConfig(b, e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s"}}))

		stop, uploaded := uploadWithoutPause(b, app)
		awaitUploads(b, uploaded, 20)
		began, before := time.Now(), uploaded.Load()
		applied, err := migrate.Up(b.Context(), db.URL)
		took, during := time.Since(began), uploaded.Load()-before
		awaitUploads(b, uploaded, uploaded.Load()+20) // with the new schema
		stop()
		if err != nil {
			b.Fatal(err)
		}
		db.Await(b, `select not exists (select from sheetdrop.task where status in ('PENDING', 'PROCESSING'))`)
		if n := pgtest.Query[int](b, db, `select count(*) from sheetdrop.task where status <> 'COMPLETED' or attempt > 1`); n > 0 {
			b.Errorf("%d tasks FAILED, or needed several attempts", n)
		}
		b.Logf("%d rows in each table, %d migrations in %s, %d files uploaded and loaded meanwhile; longest waits of others for a table: %v", rows, applied,
			took.Round(time.Millisecond), during, longWaits(b, db, "RowExclusiveLock|RowShareLock|AccessShareLock", "relation"))
		if waitOnPurpose(b, db); len(longWaits(b, db, "RowExclusiveLock", "relation")) == 0 {
			b.Error("the server does not tell of long waits")
		}
	}
}

// fill puts n rows into each table that grows, as that version leaves them.
func fill(b *testing.B, db *pgtest.Database, n int) {
	b.Helper()
	for _, sql := range []string{
		`insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
select md5(n::text)::uuid, 'local', n || '.csv', 'text/csv', 1, sha256(n::text::bytea), n::text, 1 from generate_series(1, $1::int) n`,
		`insert into sheetdrop.task (id, source_file_id, owner, options, status, attempt, started_at, finished_at, summary)
select md5(n::text)::uuid, md5(n::text)::uuid, 'local', '{}', 'COMPLETED', 1, now(), now(), '{}' from generate_series(1, $1::int) n`,
		`insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
select nextval('sheetdrop.sheet_id'), md5(n::text)::uuid, 1, '', true, '{}', '[]', 2, 1, 1, 0 from generate_series(1, $1::int) n`,
		`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select n, 2, array[n::text, 'two', 'three'] from generate_series(1, $1::int) n`,
		`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, code, message, raw)
select n, 3, 1, 'extra_cell', 'The record has another number of cells.', '1,2,3,4' from generate_series(1, $1::int) n`,
		`insert into sheetdrop.outbox_history (day_slot, id, event_type, task_id, payload, attempts, created_at, processed_at)
select n % 32, md5(n::text)::uuid, 'PARSE_TASK', md5(n::text)::uuid, '{}', 1, now(), now() from generate_series(1, $1::int) n`,
	} {
		db.Exec(b, sql, n)
	}
	db.Exec(b, `vacuum analyze`)
}

// uploadWithoutPause has four callers upload files and wait for each, one of them large files. uploaded counts those that are COMPLETED.
func uploadWithoutPause(b *testing.B, app *e2e.App) (stop func(), uploaded *atomic.Int64) {
	b.Helper()
	uploaded = new(atomic.Int64)
	ended, cancel := context.WithCancel(b.Context())
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for ended.Err() == nil {
				tens := 2
				if caller == 0 {
					tens = 20_000 // rejects are sent while the rows are, and hold their table until COMMIT
				}
				content := []byte("a,b,c,d,e\n" + strings.Repeat(strings.Repeat("1,two,3.00,2026-01-04,five\n", 9)+"1,two,3.00,2026-01-04,five,six\n", tens))
				if task := app.Await(b, app.Upload(b, "list.csv", content).ID); task.Status != "COMPLETED" {
					b.Errorf("task: %+v", task)
				}
				uploaded.Add(1)
			}
		})
	}
	return func() { cancel(); callers.Wait() }, uploaded
}

func awaitUploads(b *testing.B, uploaded *atomic.Int64, n int64) {
	b.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for uploaded.Load() < n && b.Context().Err() == nil {
		<-tick.C
	}
}

// waitOnPurpose waits for a table until the server tells of it.
func waitOnPurpose(b *testing.B, db *pgtest.Database) {
	b.Helper()
	holder, waiter := db.Begin(b), db.Begin(b)
	if _, err := holder.Exec(b.Context(), `lock sheetdrop.bulk_item`); err != nil {
		b.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() {
		_, err := waiter.Exec(b.Context(), `lock sheetdrop.bulk_item in row exclusive mode`)
		waited <- err
	}()
	db.Await(b, `select pg_read_file('log/log') like '%still waiting for RowExclusiveLock on relation%'`)
	if err := holder.Commit(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := <-waited; err != nil {
		b.Fatal(err)
	}
}

// longWaits are the longest waits for locks that the server's log tells of, in milliseconds by kind of lock, from 10 ms on.
func longWaits(b *testing.B, db *pgtest.Database, modes, of string) map[string]float64 {
	b.Helper()
	return pgtest.Query[map[string]float64](b, db, `select coalesce(jsonb_object_agg(mode, longest), '{}') from (
  select m[1] as mode, max(m[2]::float8) as longest
  from regexp_matches(pg_read_file('log/log'), format('acquired (%s) on (?:%s) [^\n]* after ([0-9.]+) ms', $1::text, $2::text), 'g') m
  group by 1
) waits`, modes, of)
}
