package migrate_test

import (
	"context"
	"io/fs"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/migrations"
)

func all(t *testing.T) int {
	t.Helper()
	files, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no migrations: %v", err)
	}
	return len(files)
}

func TestUpTwice(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	for _, want := range []int{all(t), 0} {
		if applied, err := migrate.Up(t.Context(), url); err != nil || applied != want {
			t.Errorf("applied %d, want %d: %v", applied, want, err)
		}
	}
}

// Two that run at once, each over connections of its own as another process would: one does all and the other nothing. A table in the way
// keeps the first in the middle of its work until the second has come.
func TestUpByTwoAtOnce(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	other := connect(t, url)
	if _, err := other.Exec(t.Context(), `create schema sheetdrop`); err != nil {
		t.Fatal(err)
	}
	inTheWay := begin(t, other, `create table sheetdrop.source_file ()`)
	ended := make(chan result)
	go up(t.Context(), url, ended)
	go up(t.Context(), url, ended)
	waitUntil(t, other, `select count(*) = 2 from pg_stat_activity
where datname = current_database() and (wait_event_type = 'Lock' or query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid())`)
	if err := inTheWay.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	applied := make([]int, 0, 2)
	for range cap(applied) {
		r := <-ended
		if r.err != nil {
			t.Error(r.err)
		}
		applied = append(applied, r.applied)
	}
	slices.Sort(applied)
	if !slices.Equal(applied, []int{0, all(t)}) {
		t.Errorf("they applied %v, want one to apply all %d", applied, all(t))
	}
}

// Of two that make the schema at the same moment one fails at it, and has to go on.
func TestUpWhileAnotherMakesTheSchema(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	other := connect(t, url)
	making := begin(t, other, `create schema sheetdrop`)
	ended := make(chan result)
	go up(t.Context(), url, ended)
	waitUntil(t, other, `select count(*) = 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
	if err := making.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := <-ended; r.err != nil || r.applied != all(t) {
		t.Errorf("applied %d, want %d: %v", r.applied, all(t), r.err)
	}
}

// The schema grows while files are loaded: what still speaks the old one goes on, also behind a migration that waits for a load.
func TestUpWhileFilesAreLoaded(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	if _, err := migrate.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	other := connect(t, url)
	if _, err := other.Exec(t.Context(), `alter table sheetdrop.row_reject drop message_ja, drop last_column_no, drop more_errors, drop cells; alter table sheetdrop.task drop error_detail_ja;
alter table sheetdrop.sheet drop rows_valid, drop warnings;
drop table sheetdrop.task_history, sheetdrop.upload, sheetdrop.alert, sheetdrop.dead_letter, sheetdrop.operator_action, sheetdrop.bulk_item, sheetdrop.bulk_operation, sheetdrop.sheet_purge, sheetdrop.recovery, sheetdrop.sheet_view, sheetdrop.owner_schema, sheetdrop.corrected_reject, sheetdrop.upload_token, sheetdrop.upload_token_task;
drop trigger views_follow on sheetdrop.task; drop trigger views_follow on sheetdrop.source_file;
alter table sheetdrop.source_file drop purged_at, drop etag, alter sha256 set not null; alter table sheetdrop.task drop rows_deleted_at, drop owner, drop shared_deaths, drop alone_attempt, drop claimed_at;
alter table sheetdrop.reconciler drop sweep_marker, drop swept_at, drop epoch;
delete from sheetdrop.schema_version where version_id > 1`); err != nil {
		t.Fatal(err)
	}
	const reject = `insert into sheetdrop.row_reject (sheet_id, row_no, error_no, code, message) values `
	load := begin(t, other, reject+`(1, 2, 1, 'code', 'message')`)
	ended := make(chan result)
	go up(t.Context(), url, ended)
	waitUntil(t, other, `select count(*) = 1 from pg_stat_activity
where datname = current_database() and (wait_event_type = 'Lock' or wait_event = 'PgSleep')`)
	if _, err := other.Exec(t.Context(), `set lock_timeout = '1min'; `+reject+`(3, 2, 1, 'code', 'message')`); err != nil {
		t.Errorf("another load waits behind the migration: %v", err)
	}
	if err := load.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := <-ended; r.err != nil || r.applied != all(t)-1 {
		t.Errorf("applied %d, want %d: %v", r.applied, all(t)-1, r.err)
	}
	if _, err := other.Exec(t.Context(), reject+`(5, 2, 1, 'code', 'message')`); err != nil {
		t.Errorf("the old statement on the new schema: %v", err)
	}
	waitUntil(t, other, `select count(*) = 3 and count(message_ja) = 0 from sheetdrop.row_reject`)
}

type result struct {
	applied int
	err     error
}

func up(ctx context.Context, url string, ended chan<- result) {
	applied, err := migrate.Up(ctx, url)
	select {
	case ended <- result{applied, err}:
	case <-ctx.Done():
	}
}

func connect(t *testing.T, url string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func begin(t *testing.T, pool *pgxpool.Pool, sql string) pgx.Tx {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) })
	if _, err := tx.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
	return tx
}

func waitUntil(t *testing.T, pool *pgxpool.Pool, question string) {
	t.Helper()
	await.Until(t, question, func() (yes bool) {
		if err := pool.QueryRow(t.Context(), question).Scan(&yes); err != nil {
			t.Fatal(err)
		}
		return yes
	})
}
