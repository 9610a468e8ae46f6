package e2e

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/funchost"
)

// Older is a version of sheetdrop from the repository's history, built: the app root, and its two programs.
type Older struct{ Root, Handler, Command string }

// BuildOlder takes the version of a commit out of the history and builds it.
func BuildOlder(t testing.TB, commit string) Older {
	t.Helper()
	dir := t.TempDir()
	archive := exec.CommandContext(t.Context(), "git", "archive", commit)
	archive.Dir = root() // of which it is the whole tree
	source, err := archive.Output()
	if err != nil {
		t.Fatalf("commit %s is not in this clone, which has to be one with the whole history: %v", commit, err)
	}
	unpack := exec.CommandContext(t.Context(), "tar", "-x", "-C", dir)
	unpack.Stdin = bytes.NewReader(source)
	older := Older{dir, filepath.Join(dir, "old-handler"), filepath.Join(dir, "old-sheetdrop")}
	handler := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", older.Handler, "./handler")
	command := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", older.Command, "./cmd/sheetdrop")
	handler.Dir, command.Dir = dir, dir
	for _, step := range []*exec.Cmd{unpack, handler, command} {
		if output, err := step.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(step.Args, " "), err, output)
		}
	}
	return older
}

// Migrate brings a database to the schema of that version.
func (o Older) Migrate(t testing.TB, databaseURL string) {
	t.Helper()
	migration := exec.CommandContext(t.Context(), o.Command, "migrate")
	migration.Env = append(migration.Environ(), "DATABASE_URL="+databaseURL)
	if output, err := migration.CombinedOutput(); err != nil {
		t.Fatalf("the older version's migrations: %v\n%s", err, output)
	}
}

// Run runs that version under a host until the test ends.
func (o Older) Run(t testing.TB, config funchost.Config) *funchost.Host {
	t.Helper()
	config.Root, config.Executable = o.Root, o.Handler
	return RunHost(t, config)
}
