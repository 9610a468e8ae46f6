package parse_test

import (
	"context"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres/pgtest"
)

// The claim was committed, but its answer lost. The worker finds its claim and continues; no attempt is counted.
func TestLostClaimAnswerIsLookedUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, rows := rowsOf(10)
	for name, cut := range map[string]func(p *pgproxy.Proxy){
		"after the commit":  func(p *pgproxy.Proxy) { p.CutAfterCommit(1) },
		"before the commit": func(p *pgproxy.Proxy) { p.CutBeforeCommit(1) },
	} {
		t.Run(name, func(t *testing.T) {
			f.Exec(t, `truncate sheetdrop.sheet_row`)
			u := f.upload(t, content)
			proxy := pgproxy.New(t, f.URL)
			cut(proxy)
			handle(t, f.worker(t, usual, proxy.URL()), u)
			if proxy.Cuts() != 1 {
				t.Errorf("%d connections were cut, want 1", proxy.Cuts())
			}
			f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
			f.wantRows(t, rows...)
		})
	}
}

// The server executes the claim's COMMIT only after the worker has looked for it in vain. The second try finds its own
// claim.
func TestClaimThatCommitsLateIsFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, rows := rowsOf(10)
	u := f.upload(t, content)
	proxy := pgproxy.New(t, f.URL)
	held := proxy.HoldCommit()
	wait := start(t.Context(), f.worker(t, usual, proxy.URL()), u)
	f.Await(t, lockAwaited)
	held.Release()
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.wantRows(t, rows...)
}

const lockAwaited = `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`

// A release whose answer is lost, or that never arrived, or that takes effect late, is written once: one message, and
// no attempt counted.
func TestReleaseTakesEffectOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(t *testing.T, f *fixture, p *pgproxy.Proxy) (meanwhile func()){
		"after the commit":  func(_ *testing.T, _ *fixture, p *pgproxy.Proxy) func() { p.CutAfterCommit(1); return func() {} },
		"before the commit": func(_ *testing.T, _ *fixture, p *pgproxy.Proxy) func() { p.CutBeforeCommit(1); return func() {} },
		"late": func(t *testing.T, f *fixture, p *pgproxy.Proxy) func() {
			held := p.HoldCommit()
			return func() {
				f.Await(t, lockAwaited)
				held.Release()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			u := f.upload(t, "a\n1\n")
			proxy := pgproxy.New(t, f.URL)
			wait := f.startHanging(t.Context(), t, f.worker(t, usual, proxy.URL()), u)
			meanwhile := fault(t, f, proxy)
			f.BlobProxy.Cut()
			meanwhile()
			if err := wait(); err != nil {
				t.Error(err)
			}
			if proxy.Cuts() != 1 {
				t.Errorf("%d connections were cut, want 1", proxy.Cuts())
			}
			f.wantTask(t, u.TaskID, "PENDING 1 0 1")
			f.wantMessages(t, u.TaskID, 1)
		})
	}
}

// A worker that is stopped while the database is away cannot return its task: it tries for some seconds, then asks
// for the message again.
func TestStoppedWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	proxy := pgproxy.New(t, f.URL)
	ctx, stop := context.WithCancel(t.Context())
	wait := f.startHanging(ctx, t, f.worker(t, usual, proxy.URL()), u)
	proxy.Refuse()
	proxy.Cut()
	stop()
	if err := wait(); err == nil {
		t.Error("the message was acknowledged")
	}
	f.wantTask(t, u.TaskID, "PROCESSING 1 0 0") // its lease will tell
}

// hanging starts a task whose file does not come, so that the next COMMIT through the proxy is its load's.
func hanging(t *testing.T, f *fixture) (proxy *pgproxy.Proxy, rows []string, finish func()) {
	t.Helper()
	content, rows := rowsOf(10)
	u := f.upload(t, content)
	proxy = pgproxy.New(t, f.URL)
	wait := f.startHanging(t.Context(), t, f.worker(t, usual, proxy.URL()), u)
	return proxy, rows, func() {
		t.Helper()
		f.BlobProxy.Restore(t)
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
}

// The load was committed and the answer lost: it is done, once.
func TestLoadAnswerLost(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proxy, rows, finish := hanging(t, f)
	proxy.CutAfterCommit(1)
	finish()
	if proxy.Cuts() != 1 {
		t.Errorf("%d connections were cut, want 1", proxy.Cuts())
	}
	f.Await(t, `select concat_ws(' ', status, attempt, crashes, faults) = 'COMPLETED 1 0 0' from sheetdrop.task`)
	f.wantRows(t, rows...)
}

// The load's COMMIT never arrived: the task is returned, with its message and without counting an attempt, and the
// next run loads it.
func TestLoadCommitLost(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proxy, _, finish := hanging(t, f)
	proxy.CutBeforeCommit(1)
	finish()
	f.Await(t, `select concat_ws(' ', status, attempt, crashes, faults) = 'PENDING 1 0 1' from sheetdrop.task`)
	f.wantRows(t)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message`); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
}

// The server executes the load's COMMIT only after the client has given up: the release that came between waits for it and changes nothing.
func TestLoadThatCommitsLateIsKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proxy, rows, finish := hanging(t, f)
	held := proxy.HoldCommit()
	go func() {
		f.Await(t, lockAwaited)
		held.Release()
	}()
	finish()
	f.Await(t, `select concat_ws(' ', status, attempt, crashes, faults) = 'COMPLETED 1 0 0' from sheetdrop.task`)
	f.wantRows(t, rows...)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message`); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
}

// P2: the database becomes unavailable in the middle of a run. The worker keeps trying to return the task until it
// can; no attempt is counted.
func TestDatabaseOutageIsNotCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	proxy, _, finish := hanging(t, f)
	proxy.Refuse()
	proxy.Cut()
	refused := proxy.Refused()
	finished := make(chan struct{})
	go func() { finish(); close(finished) }()
	awaitRefused(t, proxy, refused+25) // more than one transaction's tries, each of which may count twice
	proxy.Restore()
	<-finished
	f.Await(t, `select concat_ws(' ', status, attempt, crashes, faults) = 'PENDING 1 0 1' from sheetdrop.task`)
}

// Release and message are one transaction: if it is interrupted, neither exists; in the end both do, once.
func TestReleaseAndMessageAreOneTransaction(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	content, _ := rowsOf(10)
	u := f.upload(t, content)
	f.BlobProxy.Cut()
	proxy := pgproxy.New(t, f.URL)
	proxy.CutBeforeStatement("insert into sheetdrop.outbox_message", 1)
	handle(t, f.worker(t, usual, proxy.URL()), u)
	if proxy.Cuts() != 1 {
		t.Errorf("%d connections were cut, want 1", proxy.Cuts())
	}
	f.wantTask(t, u.TaskID, "PENDING 1 0 1")
	f.wantMessages(t, u.TaskID, 1)
}
