package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/samples"
)

// reader is a person who types the commands of the documentation into a shell, in a folder with the samples.
type reader struct {
	folder string
	env    []string
	words  map[string]string // what a page leaves to its reader to fill in
}

// Every command of the pages about the HTTP interface and the command line does what its page says, as it stands there.
func TestCommandsOfTheDocumentation(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	azure := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer a-token" {
			t.Errorf("a deployed sheetdrop is called with %q", got)
		}
		fmt.Fprint(w, `{"count":1}`)
	}))
	t.Cleanup(azure.Close)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	if status, _ := run(t, "upload", "--url", running.APIURL, filepath.Join("samples", "orders.csv")); status != 0 {
		t.Fatalf("upload: exit status %d", status)
	}
	upload := func() (task string) {
		t.Helper()
		if status, _ := run(t, "upload", "--again", "--url", running.APIURL, filepath.Join("samples", "prices.csv")); status != 0 {
			t.Fatalf("upload: exit status %d", status)
		}
		return query(`select id::text from sheetdrop.task order by created_at desc limit 1`)
	}

	r := newReader(t, running.APIURL)
	definition := filepath.Join(t.TempDir(), "definition.json")
	write(t, definition, strings.Replace(pricesTarget, `"prices"`, `"other"`, 1))
	if status, _ := run(t, "target", "create", definition, "--url", running.APIURL); status != 0 {
		t.Fatalf("create a target: exit status %d", status)
	}
	r.words = map[string]string{"TASK": upload(), "TARGET": query(`select id::text from sheetdrop.target`), "WEBHOOK": query(`insert into sheetdrop.webhook (id, owner, url, statuses, secret)
values (gen_random_uuid(), 'local', 'http://localhost:1/', '{FAILED}', sha256('')) returning id::text`)}
	r.follow(t, "api.md", 28)
	await.Until(t, "all files have been read", func() bool {
		return query(`select (count(*) = 0)::text from sheetdrop.task where status in ('PENDING', 'PROCESSING')`) == "true"
	})
	if failed := query(`select coalesce(string_agg(error_detail, ' '), '') from sheetdrop.task where status <> 'COMPLETED'`); failed != "" {
		t.Errorf("files of the page were not loaded: %s", failed)
	}

	failed := upload()
	query(`update sheetdrop.task set status = 'FAILED', summary = null, error_code = 'internal_error', error_detail = 'x'
where id::text = $1 returning ''`, failed)
	waiting := upload()
	stoppedFile := filepath.Join(t.TempDir(), "stopped.csv")
	write(t, stoppedFile, "a,b\n1,2\n")
	if status, _ := run(t, "upload", "--url", running.APIURL, stoppedFile); status != 0 {
		t.Fatalf("upload: exit status %d", status)
	}
	stopped := query(`select id::text from sheetdrop.task order by created_at desc limit 1`)
	query(`update sheetdrop.task set status = 'PENDING', summary = null, finished_at = null where id::text = $1 returning ''`, waiting)
	query(`update sheetdrop.task set status = 'CANCELLED', summary = null where id::text = $1 returning ''`, stopped)
	message := query(`insert into sheetdrop.outbox_message (id, event_type, payload, status, next_attempt_at, last_error)
values (gen_random_uuid(), 'BLOB_DELETE', '{"blob_name":"2026/01/01/none"}', 'FAILED', 'infinity', 'refused') returning id::text`)
	upload()
	lost := query(`delete from sheetdrop.source_file
where id = (select source_file_id from sheetdrop.task order by created_at desc limit 1) returning blob_name`)
	query(`with other as (update sheetdrop.source_file set sha256 = sha256(id::text::bytea), idempotency_key = null where name <> 'stopped.csv' returning 1) select count(*)::text from other`) // bytes that the page has not
	r.words = map[string]string{
		"MESSAGE": message, "TASK": failed, "https://HOST": azure.URL, "FILE": filepath.Join(t.TempDir(), "app.zip"), "BLOB": lost,
		"WAITING": waiting, "STOPPED": stopped, "AUTH_CLIENT_ID": "11111111-2222-3333-4444-555555555555",
		"https://hooks.example.com/sheets": receiver.URL,
		"LOADED": query(`select t.id::text from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where f.name = 'orders.csv' and t.status = 'COMPLETED' order by t.created_at desc limit 1`),
	}
	r.follow(t, "command-line.md", 93)
}

// newReader returns a reader with the samples, this program as sheetdrop, an az that is signed in, and a curl that finds the running API
// where the documentation says that it is, and fails where the API refuses.
func newReader(t *testing.T, apiURL string) *reader {
	t.Helper()
	folder, bin, home := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.CopyFS(folder, samples.Files); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "sheetdrop"))
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "az"), []byte(fakeAz), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSuffix(strings.TrimPrefix(apiURL, "http://"), "/api")
	write(t, filepath.Join(home, ".curlrc"), "connect-to = \"localhost:7071:"+address+"\"\nfail-with-body\nsilent\nshow-error\n")
	return &reader{folder: folder, env: append(os.Environ(), "LC_ALL=C", beSheetdrop+"=1", "XDG_CONFIG_HOME="+home,
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

// follow runs the page's blocks of commands, and wants that number of lines of them.
func (r *reader) follow(t *testing.T, page string, commands int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, block := range commandBlocks(string(text)) {
		found += strings.Count(block, "\n") - strings.Count(block, "\\\n")
		shell := exec.CommandContext(t.Context(), "bash", "-e", "-c", r.fillIn(block))
		shell.Dir, shell.Env = r.folder, r.env
		if strings.HasPrefix(block, "sheetdrop package") {
			shell.Dir = checkoutForPackage(t)
		}
		if output, err := shell.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", page, err, block, output)
		}
	}
	if found != commands {
		t.Errorf("%s has %d lines of commands, want %d", page, found, commands)
	}
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

// checkoutForPackage is the checkout, where a package is made that does not stay.
func checkoutForPackage(t *testing.T) string {
	t.Helper()
	root := filepath.Join("..", "..")
	made := filepath.Join(root, "dist", "app.zip")
	if _, err := os.Stat(made); err != nil {
		t.Cleanup(func() {
			_ = os.Remove(made)
			_ = os.Remove(filepath.Dir(made)) // if nothing else is there
		})
	}
	return root
}
