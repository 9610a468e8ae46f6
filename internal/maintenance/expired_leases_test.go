package maintenance_test

import (
	"testing"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
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
	f.wantEnqueued(t, u.TaskID) // in the very same run
	f.run(t)
	f.wantEnqueued(t) // the task was not forgotten meanwhile
}

// A lease that expired since the last run is left alone for a period, in which its worker may renew or release it. So an
// outage of the database counts against no task.
func TestFreshlyExpiredLeaseHasAPeriodOfGrace(t *testing.T) {
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

// Somebody asked for the cancel, then the worker died: no other run starts.
func TestDeadWorkersCancelledTaskIsCancelled(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	f.Exec(t, `update sheetdrop.task set cancel_requested_at = now()`)
	f.periodPasses(t)
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Cancelled {
		t.Errorf("task: %s, want CANCELLED", got)
	}
	f.wantEnqueued(t)
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
	if alerts := f.Log.Lines(t, "task failed"); len(alerts) != 1 || alerts[0]["alert"] != "task_failed" {
		t.Errorf("alerts: %v, want one", alerts)
	}
}
