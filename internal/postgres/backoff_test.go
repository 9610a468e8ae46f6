package postgres_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// A task that is returned waits longer after each bad run, never long, and by chance, so that many do not come back at one moment.
func TestBackoffOfTasks(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for name, c := range map[string]struct {
		faults, crashes int
		ending          postgres.Outcome
		least, most     time.Duration
	}{
		"first service fault":   {0, 0, postgres.Outcome{Faults: 1}, 500 * time.Millisecond, 1500 * time.Millisecond},
		"fifth service fault":   {4, 0, postgres.Outcome{Faults: 1}, 8 * time.Second, 24 * time.Second},
		"hundredth":             {99, 0, postgres.Outcome{Faults: 1}, 150 * time.Second, 450 * time.Second},
		"first crash":           {0, 0, postgres.Outcome{Crashes: 1}, 500 * time.Millisecond, 1500 * time.Millisecond},
		"fourth crash":          {0, 3, postgres.Outcome{Crashes: 1}, 4 * time.Second, 12 * time.Second},
		"crash after an outage": {9, 0, postgres.Outcome{Crashes: 1}, 500 * time.Millisecond, 1500 * time.Millisecond},
	} {
		u := db.AddUpload(t)
		db.Exec(t, `delete from sheetdrop.outbox_message`)
		db.Exec(t, `update sheetdrop.task set faults = $2, crashes = $3, enqueues = 3, enqueued_at = now() - interval '1 day' where id = $1`,
			u.TaskID, c.faults, c.crashes)
		held := claim(t, db, u.TaskID)
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
			status, err := tx.EndRun(ctx, held, c.ending, postgres.NewParseMessage(uuid.New(), u.TaskID))
			if status != task.Pending {
				t.Errorf("%s: %s, want PENDING", name, status)
			}
			return err
		})
		// Both times were written by one transaction, whose now() stands still.
		wait := pgtest.Query[time.Duration](t, db, `select m.next_attempt_at - t.enqueued_at from sheetdrop.outbox_message m join sheetdrop.task t on t.id = m.task_id`)
		if wait < c.least || wait > c.most {
			t.Errorf("%s: waits %s, want %s to %s", name, wait, c.least, c.most)
		}
		if n := pgtest.Query[int](t, db, `select enqueues from sheetdrop.task where id = $1`, u.TaskID); n != 0 {
			t.Errorf("%s: %d enqueues, want 0: the message is a new one", name, n)
		}
	}
}

// A message that could not be sent waits for a random time up to 2^attempts seconds, at the most a minute.
func TestBackoffOfMessages(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const messages = 200 // of so many some wait more than half of what they may, and some less
	for attempts, most := range map[int]float64{1: 2, 3: 8, 30: 60} {
		db.Exec(t, `insert into sheetdrop.outbox_message (id, event_type, payload, attempts) select gen_random_uuid(), 'PARSE_TASK', '{}', $1 from generate_series(1, $2)`,
			attempts-1, messages)
		token := uuid.New()
		claimed, err := db.ClaimMessages(t.Context(), token, time.Hour, time.Time{}, messages)
		if err != nil {
			t.Fatal(err)
		}
		var s postgres.Settlement
		for _, m := range claimed {
			s.Failed = append(s.Failed, postgres.SendFailure{ID: m.ID, Error: "away"})
		}
		earliest, err := db.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Settle(t.Context(), token, s); err != nil {
			t.Fatal(err)
		}
		latest, err := db.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		due := pgtest.Query[[]time.Time](t, db, `select array_agg(next_attempt_at order by next_attempt_at) from sheetdrop.outbox_message`)
		first, last := due[0].Sub(earliest).Seconds(), due[len(due)-1].Sub(latest).Seconds()
		took := latest.Sub(earliest).Seconds()
		if len(due) != messages || first > most/2+took || last > most || last < most/2-took || !slices.IsSortedFunc(due, time.Time.Compare) {
			t.Errorf("%d attempts: %d messages wait %.1f to %.1f s, want by chance up to %.0f", attempts, len(due), first, last, most)
		}
		db.Exec(t, `truncate sheetdrop.outbox_message`)
	}
}
