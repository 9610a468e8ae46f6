package maintenance_test

import (
	"encoding/base64"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// poisoned puts a message into the poison queue, as the host does.
func (f *fixture) poisoned(t *testing.T, text string) {
	t.Helper()
	if err := azure.Provision(t.Context(), f.storage()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.poison(t).EnqueueMessage(t.Context(), text, nil); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) poison(t *testing.T) *azqueue.QueueClient {
	t.Helper()
	_, poison := f.parts.Queues(t)
	return poison
}

func (f *fixture) poisonLeft(t *testing.T) int {
	t.Helper()
	properties, err := f.poison(t).GetProperties(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return int(*properties.ApproximateMessagesCount)
}

// P2: what the queue gives up is kept with its text, readable where it is one, and then leaves the poison queue. The task that it was about
// is not touched: somebody may be at it.
func TestPoisonBecomesDeadLetters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "1 h")
	message := task.ParseMessage{Version: 1, MessageID: u.MessageID, TaskID: u.TaskID}.Encode()
	f.poisoned(t, base64.StdEncoding.EncodeToString(message))
	f.poisoned(t, "no base64 at all")
	f.poisoned(t, "AAAA") // base64 of what is no text
	before := pgtest.Query[string](t, f.Database, `select t::text from sheetdrop.task t`)
	f.run(t)
	if left := f.poisonLeft(t); left != 0 {
		t.Errorf("%d messages are left in the poison queue", left)
	}
	for text, taskID := range map[string]string{string(message): u.TaskID.String(), "no base64 at all": "", "AAAA": ""} {
		if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.dead_letter
where text = $1 and coalesce(task_id::text, '') = $2 and dequeue_count = 1`, text, taskID); n != 1 {
			t.Errorf("%d dead letters %q of task %q, want 1", n, text, taskID)
		}
	}
	if after := pgtest.Query[string](t, f.Database, `select t::text from sheetdrop.task t`); after != before {
		t.Errorf("the task was %s, is %s", before, after)
	}
	if alerts := f.Log.Lines(t, "message was given up by the queue"); len(alerts) != 3 || alerts[0]["alert"] != "dead_letter" {
		t.Errorf("alerts: %v, want 3", alerts)
	}
}

// A run that died between writing a dead letter and deleting its message leaves one that is found again: it is kept once.
func TestDeadLetterIsKeptOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.poisoned(t, "text")
	f.Exec(t, `create function sheetdrop.keep_first() returns trigger language plpgsql as $$ begin
  insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count) values (gen_random_uuid(), new.queue_message_id, 'first', 1);
  return new;
end $$`)
	f.Exec(t, `create trigger keep_first before insert on sheetdrop.dead_letter for each row when (new.text = 'text') execute function sheetdrop.keep_first()`)
	f.run(t)
	if texts := pgtest.Query[string](t, f.Database, `select string_agg(text, ' ') from sheetdrop.dead_letter`); texts != "first" {
		t.Errorf("kept are %s", texts)
	}
	if left := f.poisonLeft(t); left != 0 {
		t.Errorf("%d messages are left in the poison queue", left)
	}
}

// Where the database refuses it, a poison message stays where it is.
func TestPoisonIsNotDroppedUnkept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.poisoned(t, "text")
	f.Exec(t, `alter table sheetdrop.dead_letter add constraint refuse check (text <> 'text')`)
	if err := f.tick(t); err == nil {
		t.Error("nobody hears of it")
	}
	if left := f.poisonLeft(t); left != 1 {
		t.Errorf("%d messages are left in the poison queue, want 1", left)
	}
}

// An unavailable queue keeps maintenance from nothing else.
func TestMaintenanceWithoutQueue(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.claimed(t, "-1 h")
	f.history(t, 20)
	f.periodPasses(t)
	f.QueueProxy.Cut()
	f.run(t)
	if got := f.status(t, u.TaskID); got != task.Pending {
		t.Errorf("task: %s, want PENDING", got)
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); n != 0 {
		t.Errorf("%d messages of old history are left", n)
	}
}
