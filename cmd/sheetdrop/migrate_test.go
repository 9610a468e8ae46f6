package main

import (
	"testing"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
)

// An operator may run it again and again.
func TestMigrate(t *testing.T) {
	t.Parallel()
	url := devtest.EmptyDatabase(t)
	status, p := run(t, "migrate", "--database-url", url)
	if status != 0 {
		t.Fatalf("exit status %d", status)
	}
	want(t, p.out.String(), "Applied ", "up to date")
	db, err := postgres.Open(postgres.Settings{URL: url, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.SchemaReady(t.Context()); err != nil {
		t.Error(err)
	}
	if status, p = run(t, "migrate", "--database-url", url); status != 0 || p.out.String() != "The database is up to date.\n" {
		t.Errorf("the second time: exit status %d, %q", status, p.out)
	}
}
