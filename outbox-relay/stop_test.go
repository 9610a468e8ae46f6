package outbox_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	outbox "sheetdrop/outbox-relay"
)

// relay makes a second relay, with settings and ways to the database and to the storage of its own.
func (f *fixture) relay(t *testing.T, s outbox.Settings, db *postgres.DB, parts devtest.StorageParts) *outbox.Relay {
	t.Helper()
	blobs, queue, err := azure.Open(settings(parts))
	if err != nil {
		t.Fatal(err)
	}
	relay := outbox.New(s, db, queue, blobs, slog.New(slog.DiscardHandler))
	t.Cleanup(relay.Close)
	return relay
}

var patient = outbox.Settings{Period: time.Minute, Lease: 30 * time.Second, SendTimeout: time.Minute}

// A run whose time ends in the middle of a batch waits for the sends that are under way and writes them down: cut off, they would be sent
// a second time. What it has not begun goes back as it was, and need not wait for the lease.
func TestStoppedRunWritesDownWhatItSends(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addMessages(t, 50) // more than it sends at once
	parts, gate := gated(t, f.parts)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.relay(t, patient, f.DB, parts).Run(ctx) }()
	<-gate.Arrived
	stop()
	gate.Open()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	sent := len(f.received(t))
	if done := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); done != sent || sent == 0 || sent == 50 {
		t.Errorf("%d messages were sent and %d written down, want the same number, some of 50", sent, done)
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where status = 'PENDING' and attempts = 0`); n != 50-sent {
		t.Errorf("%d messages went back as they were, want %d", n, 50-sent)
	}
}

// Close waits for the nudged messages that are being sent.
func TestCloseWritesDownWhatItSends(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	parts, gate := gated(t, f.parts)
	relay := f.relay(t, patient, f.DB, parts)
	relay.Nudge(u.MessageID)
	<-gate.Arrived
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		relay.Close()
	}()
	gate.Open()
	<-closed
	f.wantSent(t, u)
}

// wantSent says that the message is in the queue once and in the history.
func (f *fixture) wantSent(t *testing.T, u postgres.Upload) {
	t.Helper()
	if !pgtest.Query[bool](t, f.Database, `select exists (select from sheetdrop.outbox_history where id = $1)`, u.MessageID) {
		t.Error("the message that was sent is not in the history")
	}
	f.wantReceived(t, u.TaskID)
}

// A send that takes longer than the lease keeps it: nobody else sends the same message meanwhile.
func TestLongSendKeepsItsLease(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	parts, gate := gated(t, f.parts)
	brief := patient
	brief.Lease = 3 * time.Second
	ended := make(chan error, 1)
	go func() { ended <- f.relay(t, brief, f.DB, parts).Run(t.Context()) }()
	<-gate.Arrived
	first := pgtest.Query[time.Time](t, f.Database, `select locked_until from sheetdrop.outbox_message`)
	f.Await(t, `select locked_until > $1 from sheetdrop.outbox_message`, first)
	gate.Open()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	f.wantSent(t, u)
}

// A send that hangs is given up after a while, and tried again another time.
func TestSendThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	parts, _ := gated(t, f.parts)
	brief := patient
	brief.SendTimeout = time.Second
	if err := f.relay(t, brief, f.DB, parts).Run(t.Context()); err != nil {
		t.Error(err)
	}
	if row := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, attempts > 0, rejections, last_error <> '') from sheetdrop.outbox_message`); row != "PENDING t 0 t" {
		t.Errorf("message: %s, want PENDING t 0 t", row)
	}
}

// A batch that was sent is written down although the connection breaks at that: else all of it would be sent a second time.
func TestSentBatchIsWrittenDownAtTheSecondTry(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(p *pgproxy.Proxy){
		"the statement is lost": func(p *pgproxy.Proxy) { p.CutBeforeStatement("insert into sheetdrop.outbox_history", 1) },
		"its answer is lost":    func(p *pgproxy.Proxy) { p.CutAfterStatement("insert into sheetdrop.outbox_history", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			u := f.AddUpload(t)
			proxy := pgproxy.New(t, f.URL)
			cut(proxy)
			if err := f.relay(t, patient, pgtest.Open(t, proxy.URL()), f.parts).Run(t.Context()); err != nil {
				t.Error(err)
			}
			if proxy.Cuts() != 1 {
				t.Errorf("%d connections were cut, want 1", proxy.Cuts())
			}
			f.wantSent(t, u)
		})
	}
}

// A run sends until nothing is due, however many messages that are, but no longer than a period: the next tick has its turn.
func TestRunSendsAllThatIsDueInItsPeriod(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	want := f.addMessages(t, 250) // more than both drains claim at once
	short := patient
	short.Period = time.Nanosecond
	if err := f.relay(t, short, f.DB, f.parts).Run(t.Context()); err != nil {
		t.Error(err)
	}
	f.wantReceived(t)
	if err := f.relay(t, patient, f.DB, f.parts).Run(t.Context()); err != nil {
		t.Error(err)
	}
	f.wantReceived(t, want...)
}
