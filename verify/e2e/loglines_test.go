package e2e_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
	"sheetdrop/verify/e2e"
)

// mark is in all that a customer sends, and may be in no line of the log.
const mark = "Marked4711"

// The log has neither a cell nor a name of what customers send, also where the database's own messages quote them; each line about a task
// names its file, its owner by a hash, and the attempt; and each attempt ends with one line.
func TestLogTellsNothingOfFiles(t *testing.T) {
	t.Parallel()
	log := &traces{}
	app := e2e.Start(t, e2e.Options{
		Settings: map[string]string{"RELAY_SCHEDULE": "*/1 * * * * *", "RELAY_PERIOD": "1s"}, Logger: slog.New(log), TimeScale: 0.05,
		Errors: []string{`"outcome":"unknown error"`, `"msg":"request failed"`},
	})
	send := func(name, query, body string) uuid.UUID {
		t.Helper()
		answer := app.Do(t, http.MethodPost, "/api/files?name="+url.QueryEscape(mark+name)+query,
			http.Header{"Content-Type": {"application/octet-stream"}, "Idempotency-Key": {mark + name}}, strings.NewReader(body))
		var accepted struct{ Task struct{ ID uuid.UUID } }
		if err := json.Unmarshal(answer.Text, &accepted); err != nil || answer.StatusCode != http.StatusAccepted {
			t.Fatalf("%s: %s %s", name, answer.Status, answer.Text)
		}
		return accepted.Task.ID
	}
	want := func(id uuid.UUID, status string) {
		t.Helper()
		if done := app.Await(t, id); string(done.Status) != status {
			t.Errorf("task %s is %+v, want %s", id, done, status)
		}
	}
	rows := mark + ",b\n" + mark + ",1\n" + mark + ",2," + mark + "\n"
	want(send("good.csv", "", rows), "COMPLETED")
	want(send("refused.csv", "&column="+url.QueryEscape("No"+mark+":text;required"), rows), "FAILED")
	want(send("broken.xlsx", "", "PK\x03\x04"+mark), "FAILED")

	for n, says := range []string{`raise 'about %', new.cells[1]`, `perform new.cells[1]::int`} {
		app.Exec(t, fmt.Sprintf(`create function public.quote() returns trigger language plpgsql as $$ begin %s; return new; end $$`, says))
		app.Exec(t, `create trigger quote before insert on sheetdrop.sheet_row for each row execute function public.quote()`)
		id := send(fmt.Sprintf("quoted%d.csv", n), "", rows)
		app.Database.Await(t, `select status = 'PENDING' and attempt = 1 from sheetdrop.task where id = $1`, id)
		app.Exec(t, `drop function public.quote cascade`)
		want(id, "COMPLETED")
	}
	app.Exec(t, `alter table sheetdrop.webhook rename to elsewhere`)
	if answer := app.Do(t, http.MethodGet, "/api/webhooks", nil, nil); answer.StatusCode != http.StatusInternalServerError {
		t.Errorf("without its table: %s", answer.Status)
	}
	app.Exec(t, `alter table sheetdrop.elsewhere rename to webhook`)

	attempts := pgtest.Query[int](t, app.Database, `select sum(attempt)::int from sheetdrop.task`)
	log.await(t, func(messages []string) bool {
		return count(messages, `"msg":"task completed"`)+count(messages, `"msg":"run ended"`) >= attempts && count(messages, `"msg":"request failed"`) == 1
	})
	ends := map[string]int{}
	for _, line := range log.messages() {
		if strings.Contains(strings.ToLower(line), strings.ToLower(mark)) {
			t.Errorf("the log tells of a file: %s", line)
		}
		wantFields(t, app, line, ends)
	}
	for end, n := range ends {
		if n != 1 {
			t.Errorf("the end of %s is logged %d times", end, n)
		}
	}
	if len(ends) != attempts {
		t.Errorf("%d ends of %d attempts are in the log", len(ends), attempts)
	}
}

// wantFields checks a line of the log that is about a task, and counts the ends of attempts.
func wantFields(t *testing.T, app *e2e.App, line string, ends map[string]int) {
	t.Helper()
	var said struct {
		Msg       string
		TaskID    *uuid.UUID `json:"task_id"`
		FileID    string     `json:"file_id"`
		OwnerHash string     `json:"owner_hash"`
		Attempt   *int
	}
	if json.Unmarshal([]byte(line), &said) != nil || said.TaskID == nil {
		return
	}
	file := pgtest.Query[string](t, app.Database, `select source_file_id::text from sheetdrop.task where id = $1`, said.TaskID)
	if said.FileID != file || said.OwnerHash != task.OwnerHash("local") || said.Attempt == nil {
		t.Errorf("the line does not name file, owner and attempt: %s", line)
		return
	}
	if said.Msg == "task completed" || said.Msg == "run ended" {
		ends[fmt.Sprint("attempt ", *said.Attempt, " of ", said.TaskID)]++
	}
}
