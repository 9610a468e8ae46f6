package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// waitingTasksSQL are the tasks that any worker may take without their message: those that nobody runs, that no run has died of, and that
// were not returned more than three times in a row: one that always needs more time than is left after another task is run by its own
// message. It is the condition of the index task_waiting, and the order is the index's in full: with the owner alone, a planner that takes
// one owner for all there are would go through the tasks of every other one, oldest first. Those of ordered targets whose turn it is not
// are passed by.
const (
	waitingTasksSQL = `from sheetdrop.task t where status = 'PENDING' and crashes = 0 and shared_deaths = 0 and faults <= 3 and ` + inTurnSQL + ` and owner `
	waitingOrderSQL = ` order by owner, enqueued_at limit 1`
)

// NextOwner returns the first owner with a waiting task, in the order of their names, behind after and before own; where own is not behind
// after, the order goes on from its beginning. Neither of the two is returned; "" means that nobody between them waits.
func (db *DB) NextOwner(ctx context.Context, after, own string) (owner string, err error) {
	owner, err = database.ValueByIndexes[string](ctx, db.pool, `select owner from (
  (select owner `+waitingTasksSQL+`> $1 and owner < $2`+waitingOrderSQL+`)
  union all (select owner `+waitingTasksSQL+`> $1 and $1::text collate "C" >= $2`+waitingOrderSQL+`)
  union all (select owner `+waitingTasksSQL+`< $2 and $1::text collate "C" >= $2`+waitingOrderSQL+`)
) next limit 1`, after, own)
	if err != nil {
		return "", fmt.Errorf("find the owner whose turn it is: %w", err)
	}
	return owner, nil
}

// LockWaiting locks the owner's task that has waited longest, passing by those that somebody else is claiming at this moment. It returns
// uuid.Nil where there is none, and where that task was returned after a transient error less than 6 s ago, which no pause after three of
// them exceeds.
func (t Tx) LockWaiting(ctx context.Context, owner string) (id uuid.UUID, err error) {
	id, err = database.ValueByIndexes[uuid.UUID](ctx, t.tx, `select id from (
  select id, faults, enqueued_at `+waitingTasksSQL+`>= $1 and owner <= $1`+waitingOrderSQL+` for no key update skip locked
) oldest where faults = 0 or enqueued_at < now() - interval '6 s'`, owner)
	if err != nil {
		return uuid.Nil, fmt.Errorf("find the owner's oldest task: %w", err)
	}
	return id, nil
}

// MessageOfNext returns the message, not sent yet, for the task that is next in an ordered target; uuid.Nil where there is none.
func (db *DB) MessageOfNext(ctx context.Context, targetID uuid.UUID) (id uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, `select m.id from (
  select id from sheetdrop.task where target_id = $1 and ordered and status = 'PENDING' order by turn, id limit 1
) next join sheetdrop.outbox_message m on m.task_id = next.id and m.status = 'PENDING'`, targetID).Scan(&id)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, fmt.Errorf("find the message of the target's next task: %w", err)
	}
	return id, nil
}

// SubjectOf returns what log lines say about a task, without an owner where there is no such task.
func (db *DB) SubjectOf(ctx context.Context, taskID uuid.UUID) (task.Subject, error) {
	s := task.Subject{TaskID: taskID}
	err := db.pool.QueryRow(ctx, `select f.id, f.owner, t.attempt from sheetdrop.task t
join sheetdrop.source_file f on f.id = t.source_file_id where t.id = $1`, taskID).Scan(&s.FileID, &s.Owner, &s.Attempt)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return s, fmt.Errorf("look up the task's owner: %w", err)
	}
	return s, nil
}
