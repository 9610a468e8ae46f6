package docs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// Every command of the pages about the HTTP interface and the command line does what its page says, as it stands there.
func TestCommandsOfTheDocumentation(t *testing.T) {
	t.Parallel()
	l := runLocal(t, "DATABASE_URL="+devtest.Database(t))
	r := newReader(t, l.url)
	query := func(sql string, args ...any) string { return l.query(t, sql, args...) }
	do := func(command string) {
		t.Helper()
		if said, err := r.types(t, command, r.folder); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, said)
		}
	}
	azure := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer a-token" {
			t.Errorf("a deployed sheetdrop is called with %q", got)
		}
		fmt.Fprint(w, `{"count":1}`)
	}))
	t.Cleanup(azure.Close)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	do("sheetdrop upload orders.csv")
	upload := func() (task string) {
		t.Helper()
		do("sheetdrop upload --again prices.csv")
		return query(`select id::text from sheetdrop.task order by created_at desc limit 1`)
	}

	definition := filepath.Join(t.TempDir(), "definition.json")
	write(t, definition, `{"name": "other", "key": ["article"], "mode": "upsert", "columns": [{"name": "article", "type": "text", "required": true},
  {"name": "net", "type": "decimal", "digits": 12, "scale": 2, "required": true}, {"name": "valid_from", "type": "date"}]}`)
	do("sheetdrop target create " + definition)
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
	do(`printf 'a,b\n1,2\n' | sheetdrop upload - --name stopped.csv`)
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
		folder := r.folder
		if strings.HasPrefix(block, "sheetdrop package") {
			folder = checkoutForPackage(t)
		}
		if printed, err := r.types(t, block, folder); err != nil {
			t.Errorf("%s: %v\n%s\n%s", page, err, block, printed)
		}
	}
	if found != commands {
		t.Errorf("%s has %d lines of commands, want %d", page, found, commands)
	}
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
