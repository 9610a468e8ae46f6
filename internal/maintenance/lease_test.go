package maintenance_test

import (
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// A run that comes sooner than a period after the last one releases no expired lease, and does not count as one that did.
func TestRunTooSoonReleasesNothing(t *testing.T) {
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

// The timer is never exact: a run that comes a little less than a period after the last one is the next one. One that fails at releasing
// expired leases does not count.
func TestRunThatFailedToReleaseDoesNotCount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	f.Exec(t, `create function sheetdrop.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
	f.Exec(t, `create trigger refuse before update on sheetdrop.task for each row execute function sheetdrop.refuse()`)
	f.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '9 s'`)
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	if err := f.tick(t); err == nil {
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

// P2: whatever fails behind the release of expired leases does not undo it: else leases that expire from then on would never be taken.
func TestReleaseCountsWhateverFailsBehindIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.outbox_message`)
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`)
	f.Exec(t, `create function sheetdrop.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`)
	f.Exec(t, `create trigger refuse before insert on sheetdrop.outbox_message for each row execute function sheetdrop.refuse()`)
	f.periodPasses(t)
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	if err := f.tick(t); err == nil {
		t.Error("nobody hears that the forgotten task was not enqueued")
	}
	if after := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`); after == before {
		t.Error("the release did not count")
	}
}

// P2: so does what hangs: the run that is cut off counts, and returns its lease.
func TestReleaseCountsWhateverHangsBehindIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	brief := defaults()
	brief.Lease = time.Second
	f.periodPasses(t)
	before := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler`)
	if _, err := f.Begin(t).Exec(t.Context(), `lock table sheetdrop.owner_usage`); err != nil {
		t.Fatal(err)
	}
	if err := f.runner(t, brief, f.DB).Run(t.Context()); err == nil {
		t.Error("nobody hears of the step that hung")
	}
	if after := pgtest.Query[string](t, f.Database, `select ran_at::text from sheetdrop.reconciler where locked_by is null`); after == before {
		t.Error("the release did not count")
	}
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
	f.wantEnqueued(t, expired.TaskID)
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
