package outbox_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// P2: what was committed reaches the queue, and moves to the history.
func TestSentMessagesMoveToHistory(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, b := f.AddUpload(t), f.AddUpload(t)
	f.run(t)
	f.wantReceived(t, a.TaskID, b.TaskID)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message`); n != 0 {
		t.Errorf("%d live messages are left, want 0", n)
	}
	today := `(floor(extract(epoch from processed_at) / 86400)::bigint % 32)`
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history where day_slot = `+today); n != 2 {
		t.Errorf("%d messages in today's slot of the history, want 2", n)
	}
	f.run(t)
	f.wantReceived(t)
}

// The ids of a message stand beside its payload in the history; a payload that says more is kept.
func TestHistoryKeepsWhatTheIDsDoNotSay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	usual, newer := f.AddUpload(t), f.AddUpload(t)
	f.Exec(t, `update sheetdrop.outbox_message set payload = payload || '{"since": "tomorrow"}' where id = $1`, newer.MessageID)
	f.run(t)
	for id, want := range map[uuid.UUID]string{usual.MessageID: "", newer.MessageID: "tomorrow"} {
		kept := pgtest.Query[string](t, f.Database, `select coalesce(payload->>'since', payload::text, '') from sheetdrop.outbox_history where id = $1`, id)
		if kept != want {
			t.Errorf("the history has %q of the payload, want %q", kept, want)
		}
	}
}

// A failed send is not final: the message is tried again.
func TestFailedSendIsTriedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	f.waitsLong(t)
	f.QueueProxy.Cut()
	for range 7 { // more often than a message may be rejected
		f.run(t)
		f.makeDue(t)
	}
	row := pgtest.Query[string](t, f.Database, `select status || ' ' || attempts || ' ' || rejections || ' ' || (last_error <> '') from sheetdrop.outbox_message`)
	if row != "PENDING 27 0 true" {
		t.Errorf("message after the outage: %s, want PENDING 27 0 true", row)
	}
	f.QueueProxy.Restore(t)
	f.run(t)
	f.wantReceived(t, u.TaskID)
}

// A message that could not be sent waits, as long as the statement that wrote it down says.
func TestFailedMessageWaits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.QueueProxy.Cut()
	f.run(t)
	f.QueueProxy.Restore(t)
	f.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = next_attempt_at + interval '1 h'`)
	f.run(t)
	f.wantReceived(t)
}

// P4: no transaction, and so no lock, is held while the queue hangs.
func TestNoTransactionIsOpenDuringASend(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddUpload(t)
	f.QueueProxy.Hang()
	ended := make(chan error, 1)
	go func() { ended <- f.Relay.Run(t.Context()) }()
	f.Await(t, `select status = 'PROCESSING' from sheetdrop.outbox_message where id = $1`, u.MessageID)
	tx := f.Begin(t)
	if _, err := tx.Exec(t.Context(), `select from sheetdrop.outbox_message where id = $1 for update nowait`, u.MessageID); err != nil {
		t.Errorf("the message is locked during the send: %v", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Await(t, `select status <> 'PROCESSING' or not exists (
  select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%') from sheetdrop.outbox_message`)
	if status := pgtest.Query[string](t, f.Database, `select status from sheetdrop.outbox_message`); status != "PROCESSING" {
		t.Errorf("a transaction was open until the message became %s", status)
	}
	f.QueueProxy.Restore(t) // the send breaks
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// One bad message does not affect the others, and ends visibly as FAILED, with an alert, at exactly the limit.
func TestUnusableMessageFailsAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	bad, good := f.AddUpload(t), f.AddUpload(t)
	f.Exec(t, `update sheetdrop.outbox_message set event_type = 'BLOB_DELETE', payload = '{}' where id = $1`, bad.MessageID)
	f.waitsLong(t)
	f.run(t)
	f.wantReceived(t, good.TaskID)
	for i := 1; i < 5; i++ {
		want := fmt.Sprintf("PENDING %d", i)
		if row := pgtest.Query[string](t, f.Database, `select status || ' ' || rejections from sheetdrop.outbox_message`); row != want {
			t.Errorf("after %d refusals: %s, want %s", i, row, want)
		}
		f.makeDue(t)
		f.run(t)
	}
	if row := pgtest.Query[string](t, f.Database, `select status || ' ' || rejections from sheetdrop.outbox_message`); row != "FAILED 5" {
		t.Errorf("after 5 refusals: %s, want FAILED 5", row)
	}
	alerts := pgtest.Query[string](t, f.Database, `select string_agg(kind || ' ' || subject, ', ') from sheetdrop.alert`)
	if want := "outbox_message_failed " + bad.MessageID.String(); alerts != want {
		t.Errorf("alerts: %s, want %s", alerts, want)
	}
}

// An outage does not count as a rejection of the message; rejections are counted separately.
func TestOutagesAreNotRejections(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.Exec(t, `update sheetdrop.outbox_message set attempts = 100, rejections = 4`)
	f.QueueProxy.Cut()
	f.run(t)
	if row := pgtest.Query[string](t, f.Database, `select status || ' ' || rejections from sheetdrop.outbox_message`); row != "PENDING 4" {
		t.Errorf("after an outage: %s, want PENDING 4", row)
	}
}

// Relays that run at the same time do not send the same message twice.
func TestManyRelaysSendEachMessageOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	want := f.addMessages(t, 300)
	var relays sync.WaitGroup
	for range 4 {
		relay := f.relay(t, patient, f.DB, f.parts)
		relays.Go(func() {
			if err := relay.Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	relays.Wait()
	f.wantReceived(t, want...)
}

// A message whose relay died while sending it can be claimed again.
func TestExpiredLeaseIsClaimable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	dead, alive := f.AddUpload(t), f.AddUpload(t)
	claim := `update sheetdrop.outbox_message set status = 'PROCESSING', locked_by = gen_random_uuid(), locked_until = now() + $2::text::interval where id = $1`
	f.Exec(t, claim, dead.MessageID, "-1 s")
	f.Exec(t, claim, alive.MessageID, "30 s")
	f.run(t)
	f.wantReceived(t, dead.TaskID)
}

// After five failures of the service in a row the run ends; messages that it had claimed but not tried are returned
// unchanged.
func TestBreakerReturnsWhatWasNotTried(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 150 {
		f.AddUpload(t)
	}
	due := pgtest.Query[string](t, f.Database, `select string_agg(next_attempt_at::text, ',' order by id) from sheetdrop.outbox_message`)
	f.QueueProxy.Cut()
	f.run(t)
	// At most all senders of both drains were sending when the fifth failed.
	if tried := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where attempts > 0`); tried < 5 || tried > 32 {
		t.Errorf("%d messages were tried, want 5 to 32", tried)
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where status <> 'PENDING'`); n != 0 {
		t.Errorf("%d messages are not PENDING", n)
	}
	moved := pgtest.Query[int](t, f.Database, `select count(*) from (
  select unnest(string_to_array($1, ',')) as due except select next_attempt_at::text from sheetdrop.outbox_message where attempts = 0) d`, due)
	if tried := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where attempts > 0`); moved > tried {
		t.Errorf("%d due times changed, but only %d messages were tried", moved, tried)
	}
}

// A relay that slept past its lease changes nothing, whatever happened to its batch meanwhile.
func TestStaleTokenSettlesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := []uuid.UUID{f.AddUpload(t).MessageID, f.AddUpload(t).MessageID, f.AddUpload(t).MessageID}
	stale, fresh := uuid.New(), uuid.New()
	if _, err := f.ClaimMessages(t.Context(), stale, -1, time.Time{}, 100); err != nil {
		t.Fatal(err)
	}
	if taken, err := f.ClaimMessages(t.Context(), fresh, 3e10, time.Time{}, 100); err != nil || len(taken) != 3 {
		t.Fatalf("took over %d messages, %v, want 3", len(taken), err)
	}
	before := pgtest.Query[string](t, f.Database, `select string_agg(m::text, ' ' order by id) from sheetdrop.outbox_message m`)
	err := f.Settle(t.Context(), stale, postgres.Settlement{
		Sent: ids[:1], Failed: []postgres.SendFailure{{ID: ids[1], Error: "late", Rejected: true}}, Unsent: ids[2:],
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.RenewMessages(t.Context(), stale, 3e10, ids); err != nil {
		t.Fatal(err)
	}
	after := pgtest.Query[string](t, f.Database, `select string_agg(m::text, ' ' order by id) from sheetdrop.outbox_message m`)
	if after != before {
		t.Errorf("the stale holder changed messages:\n%s\n%s", before, after)
	}
}

// Claiming by a sequence would skip messages that commit late.
func TestLateCommitIsNotSkipped(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	early := f.AddUpload(t)
	f.Exec(t, `delete from sheetdrop.outbox_message where id = $1`, early.MessageID)
	tx := f.Begin(t)
	if _, err := tx.Exec(t.Context(), `insert into sheetdrop.outbox_message (id, event_type, task_id, payload)
values ($1, 'PARSE_TASK', $2, $3)`, early.MessageID, early.TaskID, postgres.NewParseMessage(early.MessageID, early.TaskID).Payload); err != nil {
		t.Fatal(err)
	}
	later := f.AddUpload(t)
	f.run(t)
	f.wantReceived(t, later.TaskID)
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	f.wantReceived(t, early.TaskID)
}

// Rejections are the messages' fault: however many there are, the service is fine, and the others are sent.
func TestRefusalsDoNotOpenTheBreaker(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addMessages(t, 20)
	f.Exec(t, `update sheetdrop.outbox_message set event_type = 'BLOB_DELETE', payload = '{}', next_attempt_at = now() - interval '1 h'`)
	u := f.AddUpload(t)
	f.run(t)
	f.wantReceived(t, u.TaskID)
}

// An event type that only a newer version knows is left to it: it is never FAILED, however often an older version
// tries, and does not keep anything else from being sent.
func TestUnknownEventIsLeftToANewerProgram(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addMessages(t, 20)
	f.Exec(t, `update sheetdrop.outbox_message set event_type = 'NO_SUCH_EVENT', rejections = 4, next_attempt_at = now() - interval '1 h'`)
	u := f.AddUpload(t)
	for range 3 {
		f.run(t)
		f.makeDue(t)
	}
	f.wantReceived(t, u.TaskID)
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_message where status = 'PENDING' and rejections = 4`); left != 20 {
		t.Errorf("%d of 20 messages wait as they did", left)
	}
}

// What trying again cannot change is rejected, and FAILED in the end, whatever the reason.
func TestRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for event, payload := range map[string]string{
		"BLOB_DELETE": `{"no_such_field": 1}`,
		"PARSE_TASK":  `"` + strings.Repeat("x", 1<<16) + `"`, // larger than a queue's message may be
	} {
		f.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, rejections) values ($1, $2, $3, 4)`, uuid.New(), event, payload)
	}
	f.run(t)
	got := pgtest.Query[string](t, f.Database, `select string_agg(concat_ws(' ', event_type, status, rejections, last_error <> ''), ', ' order by event_type) from sheetdrop.outbox_message`)
	if want := "BLOB_DELETE FAILED 5 t, PARSE_TASK FAILED 5 t"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	const why = `select last_error from sheetdrop.outbox_message where event_type = 'BLOB_DELETE'`
	if got := pgtest.Query[string](t, f.Database, why); got != "unusable message: payload of BLOB_DELETE: no blob_name" {
		t.Errorf("operators read %q", got)
	}
}
