package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// forgottenTasksSQL are PENDING tasks t that could be claimed, that no live message asks for, and whose last message was written or sent
// longer than $1 × 2^enqueues ago, or than 6 h. The first condition on enqueued_at is for the index. The offset has messages looked up task
// by task: as a join, planned by a server that knows of no messages, each task would go through all of them.
const forgottenTasksSQL = `from sheetdrop.task t where status = 'PENDING' and enqueued_at < now() - $1::interval
  and enqueued_at < now() - least(interval '6 hours', $1::interval * power(2, least(enqueues, 10)))
  and not exists (select from sheetdrop.outbox_message m where m.task_id = t.id and m.status in ('PENDING', 'PROCESSING') offset 0) and ` + inTurnSQL

// AnyForgotten reports whether LockForgotten would find a task.
func (db *DB) AnyForgotten(ctx context.Context, after time.Duration) (found bool, err error) {
	found, err = database.ValueByIndexes[bool](ctx, db.pool, `select exists (select `+forgottenTasksSQL+`)`, after)
	if err != nil {
		return false, fmt.Errorf("look for forgotten tasks: %w", err)
	}
	return found, nil
}

// Forgotten is a PENDING task that no live message asks for.
type Forgotten struct {
	task.Subject

	EnqueuedAt time.Time // when its last message was written, or sent
}

// LockForgotten locks up to limit PENDING tasks that no live message asks for, oldest first: those whose last message is older than after,
// which doubles with each message, up to 6 h. Those from before a time are left out; the zero time leaves out none.
func (t Tx) LockForgotten(ctx context.Context, after time.Duration, from time.Time, limit int) ([]Forgotten, error) {
	if _, err := t.tx.Exec(ctx, database.ByIndexes, pgx.QueryExecModeSimpleProtocol); err != nil {
		return nil, fmt.Errorf("find forgotten tasks: %w", err)
	}
	found, err := database.All[Forgotten](ctx, t.tx, `select id as task_id, source_file_id as file_id,
  (select f.owner from sheetdrop.source_file f where f.id = t.source_file_id) as owner, attempt, enqueued_at
`+forgottenTasksSQL+` and enqueued_at >= $2
order by enqueued_at limit $3 for no key update of t skip locked`, after, from, limit)
	if err != nil {
		return nil, fmt.Errorf("find forgotten tasks: %w", err)
	}
	return found, nil
}

// Enqueue writes a message for each locked PENDING task, and counts it.
func (t Tx) Enqueue(ctx context.Context, messages []OutboxMessage) error {
	ids := make([]uuid.UUID, len(messages))
	for i, m := range messages {
		ids[i] = *m.TaskID
	}
	if _, err := t.tx.Exec(ctx, `update sheetdrop.task set enqueues = enqueues + 1, enqueued_at = now() where id = any($1)`, ids); err != nil {
		return fmt.Errorf("count the messages: %w", err)
	}
	return t.InsertMessages(ctx, messages)
}

// LockExpired locks up to limit PROCESSING tasks whose lease had already ended at ranAt, and returns their ids. Their workers have had a
// period since then to renew or release, so they are dead.
func (t Tx) LockExpired(ctx context.Context, ranAt time.Time, limit int) ([]uuid.UUID, error) {
	ids, err := database.Column[uuid.UUID](ctx, t.tx, `select id from sheetdrop.task
where status = 'PROCESSING' and locked_until < $1 order by id limit $2 for no key update skip locked`, ranAt, limit)
	if err != nil {
		return nil, fmt.Errorf("find expired leases: %w", err)
	}
	return ids, nil
}

// ReleaseExpired ends the run of each locked task: PENDING again with its message, FAILED worker_died after so many runs that count,
// CANCELLED where somebody asked. A run counts that had its process to itself. messages has one for each task; so has the answer.
func (t Tx) ReleaseExpired(ctx context.Context, messages []OutboxMessage) ([]Released, error) {
	released := make([]Released, 0, len(messages))
	for _, m := range messages {
		ended, err := t.endRun(ctx, *m.TaskID, nil, Outcome{
			Crashes: 1, Reason: task.ReasonWorkerDied, Failure: task.Failure{
				Code:      task.WorkerDied,
				Message:   fmt.Sprintf("Its worker died while it worked on nothing else; it was the last of %d runs that failed so, or by a fault of ours.", task.MaxCrashes),
				MessageJA: fmt.Sprintf("このファイルだけを処理中のワーカーが停止しました(失敗した処理は%d回目です)。", task.MaxCrashes),
			},
		}, m)
		if err != nil {
			return nil, err
		}
		released = append(released, ended)
	}
	return released, nil
}

// Released is a task whose worker died, and what has become of it.
type Released struct {
	task.Subject

	Status task.Status
	// TraceContext is the traceparent of the request that asked for it; "": there is none.
	TraceContext string
}
