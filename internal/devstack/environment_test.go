package devstack

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Servers that the environment names are used as they are, without Node.js.
func TestEnvironmentWins(t *testing.T) {
	t.Parallel()
	const storage = "AccountName=a;AccountKey=aw==;BlobEndpoint=http://blobs/a;QueueEndpoint=http://queues/a"
	c := open(t, "", "PATH=", "DATABASE_URL=postgres://somewhere/db", "DATA_STORAGE="+storage).mustOpen(t)
	want := Stack{DatabaseURL: "postgres://somewhere/db", ConnectionString: storage, BlobURL: "http://blobs/a", QueueURL: "http://queues/a"}
	if c.Stack != want {
		t.Errorf("got %+v, want %+v", c.Stack, want)
	}
}

// Only what the environment does not name is started.
func TestEnvironmentWinsHalf(t *testing.T) {
	t.Parallel()
	cache := newCache(t)
	c := open(t, "", cache, "DATA_STORAGE=UseDevelopmentStorage=true").mustOpen(t)
	if c.Stack.BlobURL != "http://127.0.0.1:10000/devstoreaccount1" || c.Stack.QueueURL != "http://127.0.0.1:10001/devstoreaccount1" {
		t.Errorf("storage is %q, %q", c.Stack.BlobURL, c.Stack.QueueURL)
	}
	execute(t, c.Stack.DatabaseURL, `select 1`)
	if keeper := sharedKeeper(t, cache); len(keeper.Parts) != 1 {
		t.Errorf("not PostgreSQL alone: %+v", keeper.Parts)
	}
}

func TestFromEnvironment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, value, database, storage string }{
		{"DATABASE_URL", "host=h dbname=d", "host=h dbname=d", ""},
		{"PGHOST", "h", "postgres://", ""},
		{"PGPORT", "5433", "postgres://", ""},
		{"PGSERVICE", "s", "postgres://", ""},
		{"PGUSER", "somebody", "", ""},
		{"DATA_STORAGE", "AccountName=a", "", "AccountName=a"},
		{"DATA_STORAGE", "usedevelopmentstorage=TRUE;", "", emulatorConnectionString(10000, 10001)},
	} {
		getenv := func(name string) string {
			if name == test.name {
				return test.value
			}
			return ""
		}
		if got := databaseFromEnvironment(getenv); got != test.database {
			t.Errorf("%s=%s: database %q, want %q", test.name, test.value, got, test.database)
		}
		if got := storageFromEnvironment(getenv); got != test.storage {
			t.Errorf("%s=%s: storage %q, want %q", test.name, test.value, got, test.storage)
		}
	}
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ connectionString, blob, queue string }{
		{emulatorConnectionString(1, 2), "http://127.0.0.1:1/devstoreaccount1", "http://127.0.0.1:2/devstoreaccount1"},
		{"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aw==;EndpointSuffix=core.windows.net", "https://a.blob.core.windows.net", "https://a.queue.core.windows.net"},
		{"BlobEndpoint=https://b/;QueueEndpoint=https://q/;SharedAccessSignature=sv=1", "https://b", "https://q"},
		{"BlobEndpoint=https://b/", "", ""},
	} {
		blob, queue, err := endpoints(test.connectionString)
		if blob != test.blob || queue != test.queue || (err == nil) != (test.blob != "") {
			t.Errorf("%s: %q, %q, %v", test.connectionString, blob, queue, err)
		}
	}
}

// Who has no Node.js, or an old one, reads one sentence that says what to install.
func TestNodeIsMissing(t *testing.T) {
	t.Parallel()
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "node"), []byte("#!/bin/sh\necho v18.20.4\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	onlyNode := t.TempDir()
	path, err := exec.LookPath("node")
	if err == nil {
		err = os.Symlink(path, filepath.Join(onlyNode, "node"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for path, found := range map[string]string{"": "", old: "v18.20.4", onlyNode: ""} {
		c := open(t, "", "PATH="+path, "HOME="+t.TempDir())
		if !strings.Contains(c.Err, "install it from https://nodejs.org") || !strings.Contains(c.Err, found) || strings.Contains(c.Err, "\n") {
			t.Errorf("PATH=%s: %q", path, c.Err)
		}
	}
}
