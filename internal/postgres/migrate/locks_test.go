package migrate_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/migrations"
)

// beforeViews is the last migration before those of views and targets, which are applied while files are uploaded and loaded.
const beforeViews = 14

// watchLocksSQL has the server note, after each statement that changes the schema, which locks it holds that keep others from writing a table of
// before, and how long it would have waited for them: whoever comes behind it waits as long.
const watchLocksSQL = `create table public.was_there as select oid from pg_class where relnamespace = 'sheetdrop'::regnamespace and relkind in ('r', 'p');
create table public.locked (command text, relation text, waited bigint);
create function public.note_locks() returns event_trigger language plpgsql as $$ begin
  insert into public.locked select tg_tag, relation::regclass::text, (select setting::bigint from pg_settings where name = 'lock_timeout')
  from pg_locks where pid = pg_backend_pid() and granted and relation in (select oid from public.was_there)
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and relation <> 'sheetdrop.schema_version'::regclass;
end $$;
create event trigger note_locks on ddl_command_end execute function public.note_locks();
create function public.note_rewrite() returns event_trigger language plpgsql as $$ begin
  insert into public.locked select 'a rewrite', pg_event_trigger_table_rewrite_oid()::regclass::text, 0 from public.was_there
  where oid = pg_event_trigger_table_rewrite_oid();
end $$;
create event trigger note_rewrite on table_rewrite execute function public.note_rewrite();`

// Who uploads or loads while the schema is brought to this version waits no longer than 50 ms behind a migration that waits for a table, and for
// none that writes a table anew. 0 is to wait without limit.
func TestNobodyWaitsBehindAMigration(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	upTo(t, url, beforeViews)
	pool := connect(t, url)
	if _, err := pool.Exec(t.Context(), watchLocksSQL); err != nil {
		t.Fatal(err)
	}
	if _, err := migrate.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	rows, err := pool.Query(t.Context(), `select distinct command, relation, waited from public.locked order by 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	var (
		command, relation string
		waited, n         int
	)
	_, err = pgx.ForEachRow(rows, []any{&command, &relation, &waited}, func() error {
		if n++; waited == 0 || waited > 50 {
			t.Errorf("%s may wait %d ms for %s, and others behind it", command, waited, relation)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Errorf("%d locks of tables were seen, %v", n, err)
	}
}

// upTo applies the migrations up to one.
func upTo(t *testing.T, url string, version int64) {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	db := stdlib.OpenDB(*config)
	defer db.Close()
	store, err := database.NewStore(database.DialectPostgres, postgres.SchemaVersionTable)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider("", db, migrations.Files, goose.WithStore(store))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `create schema sheetdrop`); err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}
