package docs_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/samples"
	"sheetdrop/verify/e2e"
)

// local is a running `sheetdrop local` without files.
type local struct {
	url      string // of its API
	database *pgx.Conn
}

// runLocal runs one until the test ends, when it must stop in order. With no database of the settings it starts a server of its own.
func runLocal(t *testing.T, settings ...string) local {
	t.Helper()
	data, said := newFolder(t), &devtest.Log{}
	program := exec.Command(e2e.CommandProgram(t), "local", "--no-samples", "--data", data)
	program.Dir, program.Stdout, program.Stderr = filepath.Join("..", ".."), said, said
	program.Env = append(append(os.Environ(), "LC_ALL=C"), settings...)
	until(t, program, said)
	var addresses struct {
		API      string `json:"api_url"`
		Database string `json:"database_url"`
	}
	await.Until(t, "local.json is there", func() bool {
		text, err := os.ReadFile(filepath.Join(data, "local.json"))
		return err == nil && json.Unmarshal(text, &addresses) == nil
	})
	database, err := pgx.Connect(t.Context(), addresses.Database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close(context.Background()) })
	return local{addresses.API, database}
}

// until starts a program that runs until the test ends and must then stop in order.
func until(t *testing.T, program *exec.Cmd, said *devtest.Log) {
	t.Helper()
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = program.Process.Signal(syscall.SIGTERM)
		if err := program.Wait(); err != nil || t.Failed() {
			t.Errorf("%q: %v\n%s", program.Args, err, said)
		}
	})
}

// query asks for one value, as text.
func (l local) query(t *testing.T, sql string, args ...any) (value string) {
	t.Helper()
	if err := l.database.QueryRow(t.Context(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// reader is a person who types the commands of the documentation into a shell, in a folder with the samples.
type reader struct {
	folder string
	env    []string
	words  map[string]string // what a page leaves to its reader to fill in
}

// newReader returns a reader with the samples, sheetdrop, an az that is signed in, and a curl that finds the running API where the
// documentation says that it is, and fails where the API refuses.
func newReader(t *testing.T, apiURL string) *reader {
	t.Helper()
	folder, bin, home := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.CopyFS(folder, samples.Files); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(e2e.CommandProgram(t), filepath.Join(bin, "sheetdrop")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(bin, "az"), fakeAz)
	address := strings.TrimSuffix(strings.TrimPrefix(apiURL, "http://"), "/api")
	write(t, filepath.Join(home, ".curlrc"), "connect-to = \"localhost:7071:"+address+"\"\nfail-with-body\nsilent\nshow-error\n")
	return &reader{folder: folder, env: append(os.Environ(), "LC_ALL=C", "XDG_CONFIG_HOME="+home,
		"AZURE_TOKEN_CREDENTIALS=dev", // no managed identity, for which the SDK would look in the network
		"CURL_HOME="+home, "SHEETDROP_URL="+apiURL,
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))}
}

// fakeAz prints a token as the Azure CLI does: as text, or for the SDK.
const fakeAz = `#!/bin/sh
case "$*" in
*"--output tsv"*) echo a-token ;;
*) echo '{"accessToken":"a-token","expiresOn":"2099-01-01 00:00:00.000000","expires_on":4070908800,"tokenType":"Bearer"}' ;;
esac
`

// types runs commands in the reader's folder, or in another one, with their words filled in, and returns what they print.
func (r *reader) types(t *testing.T, commands, folder string) (printed string, err error) {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "bash", "-e", "-c", r.fillIn(commands))
	shell.Dir, shell.Env = folder, r.env
	output, err := shell.CombinedOutput()
	return string(output), err
}

// fillIn puts the reader's words in, where they stand alone: PARSE_TASK is none of them.
func (r *reader) fillIn(block string) string {
	for word, meant := range r.words {
		block = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllLiteralString(block, meant)
	}
	return block
}

// commandBlocks are the indented blocks of a page that do not show data.
func commandBlocks(page string) (blocks []string) {
	for paragraph := range strings.SplitSeq(page, "\n\n") {
		code, indented := strings.CutPrefix(paragraph, "    ")
		if !indented || strings.HasPrefix(code, "{") {
			continue
		}
		blocks = append(blocks, strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n    ", "\n")+"\n")
	}
	return blocks
}

// newFolder makes a folder that every user can reach: PostgreSQL may run as another one.
func newFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, dir := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		t.Fatal(err)
	}
}
