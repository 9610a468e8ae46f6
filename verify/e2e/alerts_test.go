package e2e_test

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/postgres"
	"sheetdrop/verify/e2e"
)

// Operators hear of each thing that they can mend, and of nothing else: the alerts of Bicep run on what the real handler logs, as the host
// hands it on.
func TestLogAlerts(t *testing.T) {
	t.Parallel()
	alerts := readLogAlerts(t)
	alerts = slices.DeleteFunc(alerts, func(a logAlert) bool { // those on what the real host notes
		return a.name == "function-failures" || a.name == "host-restarts"
	})
	wantFiring := func(when string, messages []string, want ...string) {
		t.Helper()
		if got := firing(t, alerts, tracesOf(messages)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	wantFiring("nothing is logged", nil, "relay-silent")

	log := &traces{}
	app := startLogging(t, log)
	if done := app.Await(t, app.Upload(t, "good.csv", csv(10, 20)).ID); done.Status != "COMPLETED" {
		t.Fatalf("task: %+v", done)
	}
	if done := app.Await(t, app.Upload(t, "broken.xlsx", []byte("PK\x03\x04 and no zip")).ID); done.Status != "FAILED" {
		t.Fatalf("task: %+v", done)
	}
	log.await(t, func(messages []string) bool {
		return count(messages, `"input error"`) == 1 && count(messages, `"outbox_stats"`) > 0
	})
	wantFiring("all is well but for somebody's file", log.messages())

	app.poison(t, 0)
	log.await(t, func(messages []string) bool {
		return count(messages, `"alert":"dead_letter"`) > 0 && strings.Contains(lastStats(messages), `"poison_len":0`)
	})
	wantFiring("the queue gave up one message, which is kept", log.messages(), "dead-letter")

	app.poison(t, 600)
	log.await(t, func(messages []string) bool { return strings.Contains(lastStats(messages), `"poison_len":1`) })
	log.clear() // what was before leaves the window of the rules
	failed := app.breakAll(t)
	log.add(lastWords(t))
	all := make([]string, 0, len(alerts))
	for _, a := range alerts {
		if a.name != "relay-silent" {
			all = append(all, a.name)
		}
	}
	log.await(t, func(messages []string) bool { return slices.Equal(firing(t, alerts, tracesOf(messages)), all) })
	task := alerts[slices.IndexFunc(alerts, func(a logAlert) bool { return a.name == "task-failed" })]
	log.await(t, func(messages []string) bool { return len(kql(t, task.query, tracesOf(messages))) >= len(failed) })
	for why, id := range failed {
		if !slices.ContainsFunc(kql(t, task.query, tracesOf(log.messages())), func(r row) bool { return strings.Contains(r["Message"].(string), id) }) {
			t.Errorf("nobody hears of the task that failed since %s", why)
		}
	}
}

// tracesOf are messages as Log Analytics has them.
func tracesOf(messages []string) tables {
	rows := make([]row, len(messages))
	for i, message := range messages {
		rows[i] = row{"Message": message}
	}
	return tables{"AppTraces": rows}
}

// lastStats is the last outbox_stats line, "" where there is none.
func lastStats(messages []string) (last string) {
	for _, message := range messages {
		if strings.Contains(message, `"outbox_stats"`) {
			last = message
		}
	}
	return last
}

func count(messages []string, part string) (n int) {
	for _, message := range messages {
		if strings.Contains(message, part) {
			n++
		}
	}
	return n
}

// loggingApp is an app whose log the test reads.
type loggingApp struct{ *e2e.App }

func startLogging(t *testing.T, log *traces) loggingApp {
	t.Helper()
	settings := map[string]string{"RELAY_SCHEDULE": "*/1 * * * * *", "RELAY_PERIOD": "1s"}
	return loggingApp{e2e.Start(t, e2e.Options{
		Settings: settings, Logger: slog.New(log), Alerts: []string{"task_failed", "outbox_message_failed", "dead_letter", "outbox_behind", "database_restored"},
	})}
}

// breakAll brings about what operators are told of, and returns the tasks that fail by it, by why.
func (a loggingApp) breakAll(t *testing.T) map[string]string {
	t.Helper()
	a.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, rejections) values (gen_random_uuid(), 'BLOB_DELETE', '{}', 4)`)
	a.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, created_at, next_attempt_at)
values (gen_random_uuid(), 'BLOB_DELETE', '{"blob_name":"2026/01/01/none"}', now() - interval '6 min', now() + interval '1 h')`)
	a.poison(t, 0)
	a.Database.Await(t, `select epoch > 2 from sheetdrop.reconciler`) // and the container knows two of these at least
	a.Exec(t, `update sheetdrop.reconciler set epoch = 0`)            // as it was before
	dead := a.AddSentUpload(t)
	a.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 5, alone_attempt = 5, crashes = 4, started_at = now(), locked_by = gen_random_uuid(),
locked_until = now() - interval '1 h' where id = $1`, dead.TaskID)
	gone := a.AddUpload(t)
	ours := a.AddSentUpload(t, func(u *postgres.Upload) { u.Options = []byte(`{"header":"none"}`) })
	a.Exec(t, `update sheetdrop.task set crashes = 4, enqueued_at = now() - interval '1 h' where id = $1`, ours.TaskID)
	return map[string]string{"its worker died": dead.TaskID.String(), "its file is gone": gone.TaskID.String(), "we are to blame": ours.TaskID.String()}
}

// poison puts a message into the poison queue that nobody can take before so many seconds are over.
func (a loggingApp) poison(t *testing.T, hidden int32) {
	t.Helper()
	_, poison := a.Storage.Queues(t)
	if _, err := poison.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := poison.EnqueueMessage(t.Context(), "bm90aGluZw==", &azqueue.EnqueueMessageOptions{VisibilityTimeout: &hidden}); err != nil {
		t.Fatal(err)
	}
}

// lastWords is what a handler says that cannot start.
func lastWords(t *testing.T) string {
	t.Helper()
	handler := exec.CommandContext(t.Context(), e2e.HandlerProgram(t, ""))
	handler.Env = append(os.Environ(), "FUNCTIONS_CUSTOMHANDLER_PORT=none")
	said, err := handler.Output()
	if err == nil {
		t.Fatal("the handler has ended well")
	}
	return string(bytes.TrimSpace(said))
}
