package maintenance_test

import (
	"testing"
	"time"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
)

// P2: a message that the queue lost is written again, later each time, and only where no live one is there; sooner where the queue has
// no message to receive at all.
func TestLostMessageIsWrittenAgain(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		age      string
		enqueues int
		live     string // "", or the status of a message that is still there
		busy     bool   // others' messages can be received
		want     bool
	}{
		"too early":                             {"25 s", 0, "", false, false},
		"after half a minute":                   {"35 s", 0, "", false, true},
		"the second time, too early":            {"55 s", 1, "", false, false},
		"the second time":                       {"65 s", 1, "", false, true},
		"too early for a queue with messages":   {"4 min", 0, "", true, false},
		"after five minutes":                    {"6 min", 0, "", true, true},
		"the second time, too early among many": {"6 min", 1, "", true, false},
		"the second time among many":            {"11 min", 1, "", true, true},
		"the twentieth time, after six hours":   {"361 min", 20, "", true, true},
		"its message waits":                     {"6 min", 0, "PENDING", false, false},
		"its message is being sent":             {"6 min", 0, "PROCESSING", false, false},
		"its message is FAILED, not alive":      {"6 min", 0, "FAILED", false, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			if c.busy {
				f.send(t, f.AddSentUpload(t))
			}
			u := f.AddUpload(t)
			f.Exec(t, `update sheetdrop.task set enqueued_at = now() - $2::text::interval, enqueues = $3 where id = $1`, u.TaskID, c.age, c.enqueues)
			switch c.live {
			case "":
				f.Exec(t, `delete from sheetdrop.outbox_message`)
			case "PENDING":
				f.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() + interval '1 h'`)
			case "PROCESSING":
				f.Exec(t, `update sheetdrop.outbox_message set status = 'PROCESSING', locked_by = gen_random_uuid(), locked_until = now() + interval '1 h'`)
			case "FAILED":
				f.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity'`)
			}
			f.periodPasses(t)
			f.run(t)
			if !c.want {
				f.wantEnqueued(t)
				return
			}
			f.wantEnqueued(t, u.TaskID)
			f.periodPasses(t)
			f.run(t)
			f.wantEnqueued(t) // the next one would be due later than before
			if n := pgtest.Query[int](t, f.Database, `select enqueues from sheetdrop.task where id = $1`, u.TaskID); n != c.enqueues+1 {
				t.Errorf("%d enqueues, want %d", n, c.enqueues+1)
			}
		})
	}
}

// P2: a file whose message was received by a host that has ended since does not wait for the ten minutes that storage hides it, but gets
// another message. As long as the queue has messages to receive, its own may be among them.
func TestMessageOfAnEndedHostIsReplaced(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddSentUpload(t)
	f.send(t, u)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '2 minutes'`)
	f.periodPasses(t)
	f.run(t)
	f.wantEnqueued(t) // it can still be received
	f.parts.Receive(t)
	f.periodPasses(t)
	f.run(t)
	f.wantEnqueued(t, u.TaskID)
	f.periodPasses(t)
	f.run(t)
	f.wantEnqueued(t) // not at once again
}

// A task that runs or has ended needs no message, however long ago its last one was.
func TestOnlyWaitingTasksAreEnqueued(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.claimed(t, "1 h")
	for status, more := range map[string]string{
		"COMPLETED": `, attempt = 1, started_at = now(), summary = '{}'`, "FAILED": `, error_code = 'empty_file'`, "CANCELLED": ``,
	} {
		f.Exec(t, `update sheetdrop.task set status = $2, finished_at = now()`+more+` where id = $1`, f.AddUpload(t).TaskID, status)
	}
	f.Exec(t, `delete from sheetdrop.outbox_message`)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`)
	f.run(t)
	f.wantEnqueued(t)
}

// P2: after an outage that has cost very many tasks their messages, one run asks for all of them again, and not for a batch.
func TestOneRunAsksForAllForgottenTasks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *maintenance.Settings) { s.Period = time.Hour })
	const n = 2_500 // more than two batches
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
