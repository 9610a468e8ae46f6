package devtest_test

import (
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
)

// Every test has a database to itself, with the schema, and none is left.
func TestDatabase(t *testing.T) {
	t.Parallel()
	var urls []string
	t.Run("use", func(t *testing.T) {
		for range 2 {
			url := devtest.Database(t)
			urls = append(urls, url)
			conn := connect(t, url)
			if _, err := conn.Exec(t.Context(), `create table sheetdrop.mine ()`); err != nil {
				t.Errorf("a database is not the test's own: %v", err)
			}
		}
	})
	for _, url := range urls {
		if conn, err := pgx.Connect(t.Context(), url); err == nil {
			conn.Close(t.Context())
			t.Errorf("%s is still there", url)
		}
	}
}

// A test does not see how long ago the servers that it shares with others were started: its database begins with it.
func TestDatabaseBeginsWithItsTest(t *testing.T) {
	t.Parallel()
	devtest.Database(t) // which may have to make the template
	server := connect(t, devtest.EmptyDatabase(t))
	var before, begun time.Time
	if err := server.QueryRow(t.Context(), `select now()`).Scan(&before); err != nil {
		t.Fatal(err)
	}
	if err := connect(t, devtest.Database(t)).QueryRow(t.Context(), `select ran_at from sheetdrop.reconciler`).Scan(&begun); err != nil {
		t.Fatal(err)
	}
	if begun.Before(before) {
		t.Errorf("the database began at %s, the test at %s", begun, before)
	}
}

func TestEmptyDatabase(t *testing.T) {
	t.Parallel()
	conn := connect(t, devtest.EmptyDatabase(t))
	if _, err := conn.Exec(t.Context(), `create schema sheetdrop`); err != nil {
		t.Error(err)
	}
}

// A name is free again after the test, and so is that of its poison queue.
func TestStorage(t *testing.T) {
	t.Parallel()
	var parts devtest.StorageParts
	t.Run("use", func(t *testing.T) {
		parts = devtest.Storage(t)
		queue, poison := parts.Queues(t)
		if _, err := poison.Create(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := queue.EnqueueMessage(t.Context(), "hello", nil); err != nil {
			t.Error(err)
		}
		if _, err := parts.Blobs(t).GetProperties(t.Context(), nil); err != nil {
			t.Error(err)
		}
	})
	queue, poison := parts.Queues(t)
	for name, left := range map[string]*azqueue.QueueClient{"queue": queue, "poison queue": poison} {
		if _, err := left.GetProperties(t.Context(), nil); err == nil {
			t.Errorf("the %s is still there", name)
		}
	}
	if _, err := parts.Blobs(t).GetProperties(t.Context(), nil); err == nil {
		t.Errorf("container %s is still there", parts.Container)
	}
}

// A test that stops the parts of its own stack finds them again with all that they had acknowledged.
func TestPrivate(t *testing.T) {
	t.Parallel()
	stack := devtest.Private(t)
	conn := connect(t, stack.DatabaseURL)
	if _, err := conn.Exec(t.Context(), `create table kept ()`); err != nil {
		t.Fatal(err)
	}
	parts := devtest.StorageParts{ConnectionString: stack.ConnectionString, Queue: "kept"}
	queue, _ := parts.Queues(t)
	if _, err := queue.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.EnqueueMessage(t.Context(), "hello", nil); err != nil {
		t.Fatal(err)
	}

	for _, immediate := range []bool{false, true} {
		if err := stack.StopPostgres(t.Context(), immediate); err != nil {
			t.Fatal(err)
		}
		if _, err := pgx.Connect(t.Context(), stack.DatabaseURL); err == nil {
			t.Error("PostgreSQL is not stopped")
		}
		if err := stack.StartPostgres(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := connect(t, stack.DatabaseURL).Exec(t.Context(), `select from kept`); err != nil {
			t.Error(err)
		}
	}

	if err := stack.StopStorage(t.Context()); err != nil {
		t.Fatal(err)
	}
	once := &azqueue.ClientOptions{}
	once.Retry.MaxRetries = -1
	client, err := azqueue.NewQueueClientFromConnectionString(parts.ConnectionString, parts.Queue, once)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.GetProperties(t.Context(), nil); err == nil {
		t.Error("the queue service is not stopped")
	}
	if err := stack.StartStorage(t.Context()); err != nil {
		t.Fatal(err)
	}
	messages, err := client.PeekMessage(t.Context(), nil)
	if err != nil || len(messages.Messages) != 1 {
		t.Errorf("the message is lost: %v", err)
	}
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return conn // a lingering connection keeps no database
}
