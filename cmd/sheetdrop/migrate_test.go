package main

import (
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
)

// An operator can run it any number of times.
func TestMigrateCanBeRepeated(t *testing.T) {
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

// With a storage account it creates container and queues as well.
func TestMigrateCreatesContainerAndQueues(t *testing.T) {
	t.Parallel()
	parts := devtest.Storage(t)
	for range 2 {
		status, p := run(t, "migrate", "--database-url", devtest.EmptyDatabase(t),
			"--storage", parts.ConnectionString, "--container", parts.Container, "--queue", parts.Queue)
		if status != 0 {
			t.Fatalf("exit status %d: %s", status, p.out)
		}
		want(t, p.out.String(), "The container "+parts.Container)
	}
	_, queue, err := azure.Open(azure.Settings{Connection: parts.ConnectionString, Container: parts.Container, Queue: parts.Queue + "-poison"})
	if err != nil {
		t.Fatal(err)
	}
	if err := queue.Ready(t.Context()); err != nil {
		t.Errorf("the poison queue: %v", err)
	}
}
