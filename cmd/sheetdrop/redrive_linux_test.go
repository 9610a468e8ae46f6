package main

import (
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/await"
)

// An operator can queue what FAILED again: messages by id, by kind or all of them, and tasks.
func TestRedriveQueuesAgain(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	giveUp := func(event string) string {
		return query(`insert into sheetdrop.outbox_message (id, event_type, payload, status, next_attempt_at, last_error)
values (gen_random_uuid(), $1, '{"blob_name":"2026/01/01/none"}', 'FAILED', 'infinity', 'refused') returning id::text`, event)
	}
	redrive := func(succeeds bool, prints string, args ...string) {
		t.Helper()
		status, p := run(t, append([]string{"redrive", "--url", running.APIURL}, args...)...)
		if (status == 0) != succeeds {
			t.Errorf("redrive %q: exit status %d, %s", args, status, p.progress.String())
		}
		want(t, p.out.String(), prints)
	}

	one, two, other := giveUp("BLOB_DELETE"), giveUp("BLOB_DELETE"), giveUp("PARSE_TASK")
	redrive(true, "1 message queued again\n", one)
	redrive(true, "1 message queued again\n", "--all-failed", "--event=BLOB_DELETE")
	redrive(true, "1 message queued again\n", "--all-failed")
	redrive(true, "0 messages queued again\n", "--all-failed")
	redrive(false, "0 messages queued again\n", one)
	redrive(false, "0 messages queued again\n", "123") // which is not an id
	redrive(false, "", "--event=PARSE_TASK", one)
	redrive(false, "")
	await.Until(t, "they are sent", func() bool {
		return query(`select count(*)::text from sheetdrop.outbox_history where id::text = any($1)`, []string{one, two, other}) == "3"
	})

	if status, _ := run(t, "upload", "--url", running.APIURL, filepath.Join("samples", "prices.csv")); status != 0 {
		t.Fatalf("upload: exit status %d", status)
	}
	fail := func(code string) (task string) {
		return query(`update sheetdrop.task set status = 'FAILED', summary = null, error_code = $1, error_detail = 'x' returning id::text`, code)
	}
	failed := fail("internal_error")
	redrive(true, "1 task queued again\n", "--tasks", failed)
	redrive(false, "0 tasks queued again\n", "--tasks", failed)
	await.Until(t, "it is read again", func() bool { return query(`select status from sheetdrop.task`) == "COMPLETED" })
	redrive(true, "0 tasks queued again\n", "--tasks", "--all-failed")
	// Tasks that failed with an input error are not run again, unless their code is given.
	fail("damaged_file")
	redrive(true, "0 tasks queued again\n", "--tasks", "--all-failed")
	redrive(true, "1 task queued again\n", "--tasks", "--all-failed", "--error-code=took_too_long", "--error-code=damaged_file")
	await.Until(t, "it is read again", func() bool { return query(`select status from sheetdrop.task`) == "COMPLETED" })
	fail("worker_died")
	redrive(true, "1 task queued again\n", "--tasks", "--all-failed")
	redrive(false, "", "--tasks", "--error-code=worker_died", failed)
	recorded := query(`select string_agg(distinct caller || ' ' || action, ', ') from sheetdrop.operator_action`)
	if !strings.Contains(recorded, "local redrive_messages") {
		t.Errorf("recorded is %s", recorded)
	}
}
