package maintenance_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

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
	lines := f.Log.Lines(t, "outbox_stats")
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

// A task that waits on purpose, for longer than a message may, tells nobody that the outbox is behind.
func TestDelayedMessageIsNotBehind(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *maintenance.Settings) { s.PendingAlert = time.Nanosecond })
	u := f.claimed(t, "1 h")
	claim := postgres.Claim{TaskID: u.TaskID, Token: pgtest.Query[uuid.UUID](t, f.Database, `select locked_by from sheetdrop.task`), Attempt: 1}
	never := func(context.Context) (bool, error) { return false, nil }
	err := f.DB.InTx(t.Context(), never, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.EndRun(ctx, claim, postgres.Outcome{Faults: 1, Pause: time.Hour}, postgres.NewParseMessage(task.NewID(), u.TaskID))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f.run(t)
	if lines := f.Log.Lines(t, "outbox_stats"); len(lines) != 1 || lines[0]["pending"] != 1.0 || lines[0]["oldest_pending_s"] != 0.0 {
		t.Errorf("outbox_stats: %v", lines)
	}
	if lines := f.Log.Lines(t, "outbox is behind"); len(lines) > 0 {
		t.Errorf("alerts: %v", lines)
	}
}

// The age of the oldest message that waits is an alert where it is beyond the setting.
func TestOutboxBehindIsAnAlert(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.AddUpload(t)
	f.Exec(t, `update sheetdrop.outbox_message set created_at = now() - interval '59 min', next_attempt_at = now() + interval '1 h'`)
	f.run(t)
	if alerts := f.Log.Lines(t, "outbox is behind"); len(alerts) != 0 {
		t.Errorf("alerts: %v, want none", alerts)
	}
	f.Exec(t, `update sheetdrop.outbox_message set created_at = now() - interval '61 min'`)
	f.run(t)
	if alerts := f.Log.Lines(t, "outbox is behind"); len(alerts) != 1 || alerts[0]["alert"] != "outbox_behind" {
		t.Errorf("alerts: %v, want one", alerts)
	}
}
