package outbox_test

import (
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
	outbox "sheetdrop/outbox-relay"
)

// P2: after an outage that has cost very many tasks their messages, one run asks for all of them again, and not for a batch.
func TestOneRunAsksForAllForgottenTasks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *outbox.Settings) { s.Period = time.Hour })
	f.QueueProxy.Cut() // nothing is sent, so that the messages can be counted
	const n = 2_500    // more than two batches
	f.Exec(t, `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), i::text, 1 from generate_series(1, $1) i returning id
)
insert into sheetdrop.task (id, source_file_id, options, enqueued_at)
select gen_random_uuid(), id, '{}', now() - interval '1 h' - random() * interval '1 min' from file`, n)
	f.run(t)
	if got := pgtest.Query[int](t, f.Database, `select count(distinct task_id) from sheetdrop.outbox_message`); got != n {
		t.Errorf("%d tasks are asked for again, want %d", got, n)
	}
}

// A message that waited for an hour and was sent a moment ago has not been lost: its task gets no second one under overload.
func TestTaskIsNotForgottenWhenItsMessageWasSentLate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 h'`)
	f.run(t)
	f.run(t)
	f.wantReceived(t, u.TaskID)
	if lines := f.Log.lines(t, "message written anew"); len(lines) != 0 {
		t.Errorf("it was taken for forgotten: %v", lines)
	}
}

// The blob store refuses deletions, the queue is well: uploads do not wait behind the deletions that are due before them.
func TestRefusedDeletionsHoldUpNoTask(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.BlobProxy.Cut()
	f.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, attempts, next_attempt_at)
select gen_random_uuid(), 'BLOB_DELETE', '{"blob_name": "2026/01/01/x"}', 20, now() - interval '1 min' from generate_series(1, 300)`)
	id := f.addMessages(t, 1)[0]
	f.run(t)
	f.wantReceived(t, id)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where last_error is null and status = 'PENDING'`); n < 200 {
		t.Errorf("%d deletions were not tried, want most of them: the store refuses", n)
	}
}

// Somebody's session holds a row that one step wants: the others do their work, and operators have their figures.
func TestHangingStepHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	hangs := f.completed(t, 3)
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() where id = $1`, hangs.File.ID)
	f.history(t, 20)
	sent := f.AddUpload(t)
	if _, err := f.Begin(t).Exec(t.Context(), `select from sheetdrop.sheet_row for update`); err != nil {
		t.Fatal(err)
	}
	if err := f.Relay.Run(t.Context()); err == nil {
		t.Error("nobody hears of the step that hangs")
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history where created_at < now() - interval '1 day'`); n != 0 {
		t.Errorf("%d messages of old history are left", n)
	}
	if n := len(f.Log.lines(t, "outbox_stats")); n != 1 {
		t.Errorf("%d lines of figures, want 1", n)
	}
	f.wantReceived(t, sent.TaskID)
}
