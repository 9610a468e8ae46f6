package outbox_test

import (
	"context"
	"testing"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	outbox "sheetdrop/outbox-relay"
)

// relayTo makes a second relay, with settings of its own and another storage account.
func (f *fixture) relayTo(t *testing.T, parts devtest.StorageParts, s outbox.Settings) *outbox.Relay {
	t.Helper()
	blobs, queue, err := azure.Open(settings(parts))
	if err != nil {
		t.Fatal(err)
	}
	relay := outbox.New(s, f.DB, queue, blobs, discard)
	t.Cleanup(relay.Close)
	return relay
}

var patient = outbox.Settings{Period: time.Minute, Lease: 30 * time.Second, SendTimeout: time.Minute}

// A run whose time ends in the middle of a send waits for it and writes it down: cut off, it would be sent a second time.
func TestStoppedRunWritesDownWhatItSends(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	parts, gate := gated(t, f.parts)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.relayTo(t, parts, patient).Run(ctx) }()
	<-gate.Arrived
	stop()
	gate.Open()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	f.wantSent(t, u)
}

// Close waits for the nudged messages that are being sent.
func TestCloseWritesDownWhatItSends(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	parts, gate := gated(t, f.parts)
	relay := f.relayTo(t, parts, patient)
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
	go func() { ended <- f.relayTo(t, parts, brief).Run(t.Context()) }()
	<-gate.Arrived
	first := pgtest.Query[time.Time](t, f.Database, `select locked_until from sheetdrop.outbox_message`)
	f.Await(t, `select locked_until > $1 from sheetdrop.outbox_message`, first)
	gate.Open()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	f.wantSent(t, u)
}

// A relay that froze with a lock on the reconciler's lease, and a reconciler that fails, keep nobody from sending.
func TestSendingGoesOnWithoutReconciling(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	frozen := f.Begin(t)
	if _, err := frozen.Exec(t.Context(), `update sheetdrop.reconciler set locked_until = now()`); err != nil {
		t.Fatal(err)
	}
	brief := patient
	brief.Lease = time.Second
	relay := f.relayTo(t, f.parts, brief)
	u := f.AddUpload(t)
	if err := relay.Run(t.Context()); err == nil {
		t.Error("nobody hears that the reconciler hangs")
	}
	f.wantReceived(t, u.TaskID)
	if err := frozen.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `drop table sheetdrop.reconciler`)
	u = f.AddUpload(t)
	if err := relay.Run(t.Context()); err == nil {
		t.Error("nobody hears that the reconciler fails")
	}
	f.wantReceived(t, u.TaskID)
}

// A run sends until nothing is due, however many messages that are, but no longer than a period: the next tick has its turn.
func TestRunSendsAllThatIsDueInItsPeriod(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	want := f.addMessages(t, 250) // more than both drains claim at once
	short := patient
	short.Period = time.Nanosecond
	if err := f.relayTo(t, f.parts, short).Run(t.Context()); err != nil {
		t.Error(err)
	}
	f.wantReceived(t)
	if err := f.relayTo(t, f.parts, patient).Run(t.Context()); err != nil {
		t.Error(err)
	}
	f.wantReceived(t, want...)
}
