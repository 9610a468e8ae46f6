package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/internal/postgres/pgtest"
)

func execute(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func TestSchemaReadyAfterMigration(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	db := pgtest.Open(t, url)
	for range 2 {
		if err := db.SchemaReady(t.Context()); !errors.Is(err, postgres.ErrSchemaOld) {
			t.Errorf("an empty database: %v, want ErrSchemaOld", err)
		}
	}
	if _, err := migrate.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	if err := db.SchemaReady(t.Context()); err != nil {
		t.Errorf("after the migration: %v", err)
	}
	execute(t, url, `drop table sheetdrop.schema_version`)
	if err := db.SchemaReady(t.Context()); err != nil {
		t.Errorf("it asked again: %v", err)
	}
}

func TestSchemaReadyComparesVersions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arrange string
		want    error
	}{
		"older":              {`delete from sheetdrop.schema_version where version_id = (select max(version_id) from sheetdrop.schema_version)`, postgres.ErrSchemaOld},
		"newest not applied": {`update sheetdrop.schema_version set is_applied = false where version_id > 0`, postgres.ErrSchemaOld},
		"newer":              {`insert into sheetdrop.schema_version (version_id, is_applied) values (1000000, true)`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := devtest.Database(t)
			execute(t, url, c.arrange)
			if err := pgtest.Open(t, url).SchemaReady(t.Context()); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// A database that is away has no old schema: nobody should be told to migrate.
func TestSchemaReadyOfADatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	proxy := pgproxy.New(t, devtest.Database(t))
	proxy.Refuse()
	db := pgtest.Open(t, proxy.URL())
	if err := db.SchemaReady(t.Context()); err == nil || errors.Is(err, postgres.ErrSchemaOld) {
		t.Errorf("got %v, want the error of asking", err)
	}
	proxy.Restore()
	if err := db.SchemaReady(t.Context()); err != nil {
		t.Errorf("after the outage: %v", err)
	}
}
