package outbox_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
	outbox "sheetdrop/outbox-relay"
)

// P2: the task of a worker that died goes on. Since others may have killed the worker, that does not count against it.
func TestDeadWorkersTaskGoesOn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 s")
	f.run(t) // the lease had not yet expired at the run before this one, as far as anybody knows
	f.periodPasses(t)
	f.Exec(t, `update sheetdrop.task set locked_until = now() - interval '1 h', enqueued_at = now() - interval '1 day'`)
	f.run(t)
	if row := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, crashes, shared_deaths, attempt) from sheetdrop.task`); row != "PENDING 0 1 1" {
		t.Errorf("task: %s, want PENDING 0 1 1", row)
	}
	f.wantReceived(t, u.TaskID) // in the very same run
	f.run(t)
	f.wantReceived(t) // the task was not forgotten meanwhile
}

// D14: a lease that ran out since the last look is left alone for a period, in which its worker may renew or release it. So an
// outage of the database charges nobody.
func TestD14_FreshlyExpiredLeaseHasAPeriodOfGrace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '1 h'`) // the database was away
	u := f.claimed(t, "-5 s")
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Processing {
		t.Errorf("task after the first run: %s, want PROCESSING", got)
	}
	f.periodPasses(t)
	f.Exec(t, `update sheetdrop.task set locked_until = (select ran_at from sheetdrop.reconciler) - interval '1 s'`)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Pending {
		t.Errorf("task a period later: %s, want PENDING", got)
	}
}

// D16: a run that comes sooner than a period after the last one charges nobody and does not count as a look.
func TestD16_RunTooSoonDoesNotLook(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.periodPasses(t)
	f.run(t)
	u := f.claimed(t, "-1 h")
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Processing {
		t.Errorf("task: %s, want PROCESSING", got)
	}
	if after := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`); after != before {
		t.Errorf("ran_at moved from %s to %s", before, after)
	}
}

// The timer is never exact: a run that comes a little less than a period after the last look is the next one. One that fails at looking
// has not looked.
func TestNextLook(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	f.Exec(t, `create function sheetdrop.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
	f.Exec(t, `create trigger refuse before update on sheetdrop.task for each row execute function sheetdrop.refuse()`)
	f.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '9 s'`)
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	if err := f.Relay.Run(t.Context()); err == nil {
		t.Error("nobody hears that it failed")
	}
	if after := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`); after != before {
		t.Errorf("ran_at moved from %s to %s", before, after)
	}
	f.Exec(t, `drop trigger refuse on sheetdrop.task`)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Pending {
		t.Errorf("task: %s, want PENDING", got)
	}
}

// P2: whatever fails behind the look does not undo it: else leases that expire from then on would never be taken.
func TestLookCountsWhateverFailsBehindIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.outbox_message`)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`)
	f.Exec(t, `create function sheetdrop.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
	f.Exec(t, `create trigger refuse before insert on sheetdrop.outbox_message for each row execute function sheetdrop.refuse()`)
	f.periodPasses(t)
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	if err := f.Relay.Run(t.Context()); err == nil {
		t.Error("nobody hears that the forgotten task was not enqueued")
	}
	if after := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`); after == before {
		t.Error("the look did not count")
	}
}

// P2: so does what hangs: the run that is cut off has looked, and gives its lease back.
func TestLookCountsWhateverHangsBehindIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	brief := relaySettings()
	brief.Lease = time.Second
	f.periodPasses(t)
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	if _, err := f.Begin(t).Exec(t.Context(), `lock table sheetdrop.sheet_purge`); err != nil {
		t.Fatal(err)
	}
	if err := f.relay(t, brief, f.DB, f.parts).Run(t.Context()); err == nil {
		t.Error("nobody hears that the purge hung")
	}
	if after := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler where locked_by is null`); after == before {
		t.Error("the look did not count")
	}
}

// A step that fails every time keeps none of the others from its work.
func TestStepThatFailsIsAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	forgotten := f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.outbox_message`)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day' where id = $1`, forgotten.TaskID)
	f.Exec(t, `create function sheetdrop.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
	f.Exec(t, `create trigger refuse before update on sheetdrop.task for each row when (old.status = 'PROCESSING') execute function sheetdrop.refuse()`)
	f.history(t, 20)
	f.poisoned(t, "text")
	f.Exec(t, `alter table sheetdrop.dead_letter add constraint refuse check (text <> 'text')`)
	f.periodPasses(t)
	err := f.Relay.Run(t.Context())
	for _, want := range []string{"release expired leases", "keep dead letters"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the run ends with %v, want to read of %q", err, want)
		}
	}
	if got := f.status(t, u.TaskID); got != task.Processing {
		t.Errorf("task: %s, want PROCESSING", got)
	}
	f.wantReceived(t, forgotten.TaskID)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history where processed_at < now() - interval '1 day'`); n != 0 {
		t.Errorf("%d messages of old history are left", n)
	}
}

// A run mends tasks for a bounded time, however many there are, and a batch at the least; the next one goes on.
func TestReconcileIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *outbox.Settings) { s.Period = time.Nanosecond })
	u := f.claimed(t, "-1 h")
	forgotten := f.AddSentUpload(t)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day' where id = $1`, forgotten.TaskID)
	f.Exec(t, `insert into sheetdrop.task
select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).* from sheetdrop.task t, generate_series(1, 1019)`)
	const left = `select concat_ws(' ', count(*) filter (where status = 'PROCESSING' and source_file_id = $1),
  count(*) filter (where enqueues = 0 and source_file_id = $2)) from sheetdrop.task`
	for _, want := range []string{"920 20", "820 0"} {
		f.periodPasses(t)
		f.run(t)
		if got := pgtest.Query[string](t, f.Database, left, u.File.ID, forgotten.File.ID); got != want {
			t.Errorf("tasks of dead workers and forgotten ones that are left: %s, want %s", got, want)
		}
	}
}

// Nobody's lock holds the reconciler up: it passes by what others change at this moment, and a load that is about to complete, which
// shares its task's key, is no reason to pass by.
func TestReconcilerWaitsForNobody(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	forgotten := f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.outbox_message`)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`)
	free, shared, locked := f.claimed(t, "-1 h"), f.claimed(t, "-1 h"), f.claimed(t, "-1 h")
	f.periodPasses(t)
	other := f.Begin(t)
	for lock, ids := range map[string][]uuid.UUID{"for key share": {shared.TaskID}, "for no key update": {locked.TaskID, forgotten.TaskID}} {
		if _, err := other.Exec(t.Context(), `select from sheetdrop.task where id = any($1) `+lock, ids); err != nil {
			t.Fatal(err)
		}
	}
	f.run(t)
	for id, want := range map[uuid.UUID]task.Status{free.TaskID: task.Pending, shared.TaskID: task.Pending, locked.TaskID: task.Processing} {
		if got := f.status(t, id); got != want {
			t.Errorf("task: %s, want %s", got, want)
		}
	}
	f.wantReceived(t, free.TaskID, shared.TaskID)
}

// A reconciler that has lost its lease between two steps leaves the rest to the one who has it.
func TestReconcilerThatLostItsLeaseStops(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.outbox_message`)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`)
	expired := f.claimed(t, "-1 h")
	f.periodPasses(t)
	f.Exec(t, `create function sheetdrop.take_over() returns trigger language plpgsql as $$ begin
  update sheetdrop.reconciler set locked_by = gen_random_uuid();
  return new;
end $$`)
	f.Exec(t, `create trigger take_over after update on sheetdrop.task for each row execute function sheetdrop.take_over()`)
	f.run(t)
	f.wantReceived(t, expired.TaskID)
}

// D6: somebody asked for the cancel, then the worker died: no other run starts.
func TestD6_DeadWorkersCancelledTaskIsCancelled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	f.Exec(t, `update sheetdrop.task set cancel_requested_at = now()`)
	f.periodPasses(t)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Cancelled {
		t.Errorf("task: %s, want CANCELLED", got)
	}
	f.wantReceived(t)
}

// A file that kills every worker is given up after it has killed exactly five that had nothing else to do, and people hear of it.
func TestFifthDeathAloneFails(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, c := range []struct {
		crashes, deaths, aloneAttempt int
		want                          string
	}{
		{crashes: 3, deaths: 2, aloneAttempt: 1, want: "PENDING 4 2"},
		{crashes: 4, deaths: 2, aloneAttempt: 1, want: "FAILED 5 2 worker_died"},
		{crashes: 4, deaths: 2, aloneAttempt: 0, want: "PENDING 4 3"}, // the run before this one was alone
	} {
		u := f.claimed(t, "-1 h")
		f.Exec(t, `update sheetdrop.task set crashes = $2, shared_deaths = $3, alone_attempt = $4 where id = $1`, u.TaskID, c.crashes, c.deaths, c.aloneAttempt)
		f.periodPasses(t)
		f.run(t)
		row := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, crashes, shared_deaths, error_code) from sheetdrop.task where id = $1`, u.TaskID)
		if row != c.want {
			t.Errorf("%+v: %s", c, row)
		}
	}
	if alerts := f.Log.lines(t, "task failed"); len(alerts) != 1 || alerts[0]["alert"] != "task_failed" {
		t.Errorf("alerts: %v, want one", alerts)
	}
}

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
			var others []uuid.UUID
			if c.busy {
				others = append(others, f.AddUpload(t).TaskID)
				f.run(t)
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
				f.wantReceived(t, others...)
				return
			}
			f.wantReceived(t, append(others, u.TaskID)...)
			f.periodPasses(t)
			f.run(t)
			f.wantReceived(t) // the next one would be due later than before
			if n := pgtest.Query[int](t, f.Database, `select enqueues from sheetdrop.task where id = $1`, u.TaskID); n != c.enqueues+1 {
				t.Errorf("%d enqueues, want %d", n, c.enqueues+1)
			}
		})
	}
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
	f.wantReceived(t)
}

// One relay at a time reconciles; one that was killed at it does not keep the others away for long.
func TestReconcilerLease(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	f.periodPasses(t)
	f.Exec(t, `update sheetdrop.reconciler set locked_by = gen_random_uuid(), locked_until = now() + interval '30 s'`)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Processing {
		t.Errorf("somebody else reconciles, but the task is %s, want PROCESSING", got)
	}
	f.Exec(t, `update sheetdrop.reconciler set locked_until = now() - interval '1 s'`)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Pending {
		t.Errorf("the lease has ended, but the task is %s, want PENDING", got)
	}
}

// A task that waits on purpose, for longer than a message may, tells nobody that the outbox is behind.
func TestDelayedMessageIsNotBehind(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *outbox.Settings) { s.PendingAlert = time.Nanosecond })
	u := f.claimed(t, "1 h")
	claim := postgres.Claim{TaskID: u.TaskID, Token: pgtest.Query[uuid.UUID](t, f.Database, `select locked_by from sheetdrop.task`), Attempt: 1}
	never := func(context.Context) (bool, error) { return false, nil }
	err := f.DB.InTx(t.Context(), never, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.EndRun(ctx, claim, postgres.Ending{Faults: 1, Pause: time.Hour}, postgres.NewParseMessage(task.NewID(), u.TaskID))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f.run(t)
	if lines := f.Log.lines(t, "outbox_stats"); len(lines) != 1 || lines[0]["pending"] != 1.0 || lines[0]["oldest_pending_s"] != 0.0 {
		t.Errorf("outbox_stats: %v", lines)
	}
	if lines := f.Log.lines(t, "outbox is behind"); len(lines) > 0 {
		t.Errorf("alerts: %v", lines)
	}
}

// Operators' alerts read this line; its fields must stay.
func TestStatsLine(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.AddUpload(t)
	f.Exec(t, `update sheetdrop.outbox_message set created_at = now() - interval '90 s', next_attempt_at = now() + interval '1 h'`)
	f.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity', created_at = now() - interval '1 h'
where id = (select id from sheetdrop.outbox_message limit 1)`)
	f.run(t)
	lines := f.Log.lines(t, "outbox_stats")
	if len(lines) != 1 {
		t.Fatalf("%d outbox_stats lines, want 1", len(lines))
	}
	for field, want := range map[string]float64{"pending": 1, "failed": 1, "queue_len": 0, "poison_len": 0} {
		if lines[0][field] != want {
			t.Errorf("%s = %v, want %v", field, lines[0][field], want)
		}
	}
	if age, is := lines[0]["oldest_pending_s"].(float64); !is || age < 90 || age > 3000 { // the failed one is no longer pending
		t.Errorf("oldest_pending_s = %v, want 90 and a little", lines[0]["oldest_pending_s"])
	}
}
