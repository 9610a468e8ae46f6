package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

const historySQL = `select coalesce(string_agg(concat_ws(' ', attempt, outcome, reason, counted, began_at is not null, retried_at is not null), ', ' order by id), '')
from sheetdrop.task_history where task_id = $1`

// An operator who asks why a task runs for the third time finds each run that went before, although the task's row has forgotten them. A task
// that runs once writes none of this.
func TestHistoryTellsWhyATaskRanAgain(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	u := db.AddUpload(t)
	endRun(t, db, claim(t, db, u.TaskID), postgres.Outcome{Faults: 1, Reason: task.ReasonStorageAway})
	claim(t, db, u.TaskID)
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.ReleaseExpired(ctx, postgres.NewParseMessages([]uuid.UUID{u.TaskID}))
		return err
	})
	held := claim(t, db, u.TaskID)
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.FailTask(ctx, held, task.Failure{Code: task.ContentMissing, Message: "gone"})
		return err
	})
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		retried, err := tx.RetryTask(ctx, postgres.NewParseMessage(uuid.New(), u.TaskID))
		if !retried {
			t.Error("the task was not retried")
		}
		return err
	})
	completeLoad(t, beginLoad(t, db.DB, claim(t, db, u.TaskID)))
	const want = "1 RETURNED storage_unavailable f t f, 2 EXPIRED worker_died f t f, 3 FAILED content_missing f t t"
	if got := pgtest.Query[string](t, db, historySQL, u.TaskID); got != want {
		t.Errorf("history: %s\nwant: %s", got, want)
	}
	smooth := db.AddUpload(t)
	completeLoad(t, beginLoad(t, db.DB, claim(t, db, smooth.TaskID)))
	if got := pgtest.Query[string](t, db, historySQL, smooth.TaskID); got != "" {
		t.Errorf("history of a task that ran once: %s", got)
	}
}

// An outage of weeks, with a run every five minutes, does not fill the database.
func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	u := db.AddUpload(t)
	db.Exec(t, `insert into sheetdrop.task_history (task_id, attempt, ended_at, outcome) select $1, 0, now(), 'RETURNED' from generate_series(1, 1000)`, u.TaskID)
	endRun(t, db, claim(t, db, u.TaskID), postgres.Outcome{Faults: 1})
	if got := pgtest.Query[string](t, db, `select count(*) || ' ' || max(attempt) from sheetdrop.task_history`); got != "50 1" {
		t.Errorf("kept and newest: %s, want 50 1", got)
	}
	db.Exec(t, `update sheetdrop.task set status = 'CANCELLED', finished_at = now()`)
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.RetryTask(ctx, postgres.NewParseMessage(uuid.New(), u.TaskID))
		return err
	})
	if got := pgtest.Query[string](t, db, `select count(*) || ' ' || max(outcome) from sheetdrop.task_history`); got != "50 RETURNED" {
		t.Errorf("kept: %s, want 50 RETURNED", got)
	}
}

func endRun(t *testing.T, db *pgtest.Database, held postgres.Claim, e postgres.Outcome) {
	t.Helper()
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		status, err := tx.EndRun(ctx, held, e, postgres.NewParseMessage(uuid.New(), held.TaskID))
		if status != task.Pending {
			t.Errorf("the task is %q, want PENDING", status)
		}
		return err
	})
}
