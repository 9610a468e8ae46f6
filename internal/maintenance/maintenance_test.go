package maintenance_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

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
	err := f.tick(t)
	for _, want := range []string{"expired leases: ", "dead letters: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the run ends with %v, want to read of %q", err, want)
		}
	}
	if got := f.status(t, u.TaskID); got != task.Processing {
		t.Errorf("task: %s, want PROCESSING", got)
	}
	f.wantEnqueued(t, forgotten.TaskID)
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history where processed_at < now() - interval '1 day'`); n != 0 {
		t.Errorf("%d messages of old history are left", n)
	}
}

// Somebody's session holds a row that one step wants: the others do their work, and operators have their figures.
func TestHangingStepHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	hangs := f.completed(t, 3)
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() where id = $1`, hangs.File.ID)
	f.history(t, 20)
	if _, err := f.Begin(t).Exec(t.Context(), `select from sheetdrop.sheet_row for update`); err != nil {
		t.Fatal(err)
	}
	if err := f.tick(t); err == nil {
		t.Error("nobody hears of the step that hangs")
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history where created_at < now() - interval '1 day'`); n != 0 {
		t.Errorf("%d messages of old history are left", n)
	}
	if n := len(f.Log.Lines(t, "outbox_stats")); n != 1 {
		t.Errorf("%d lines of figures, want 1", n)
	}
}

// A run repairs tasks for a bounded time, however many there are, and a batch at the least; the next one goes on.
func TestReconcileIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(s *maintenance.Settings) { s.Period = time.Nanosecond })
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
	f.wantEnqueued(t, free.TaskID, shared.TaskID)
}

// Settings that would lose history, or never alert, are refused.
func TestSettings(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*maintenance.Settings){
		func(s *maintenance.Settings) { s.HistoryDays = 0 }, func(s *maintenance.Settings) { s.HistoryDays = 31 },
		func(s *maintenance.Settings) { s.RetentionDays = -1 }, func(s *maintenance.Settings) { s.RecordDays = -1 },
		func(s *maintenance.Settings) { s.UndoDays = -1 },
		func(s *maintenance.Settings) { s.PendingAlert = 0 },
	} {
		s := defaults()
		change(&s)
		if _, err := maintenance.New(s, nil, nil, nil, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%+v was taken", s)
		}
	}
}
