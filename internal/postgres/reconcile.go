package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// ReconcilerLease is the right to reconcile, alone, until it ends.
type ReconcilerLease struct {
	Token uuid.UUID
	RanAt time.Time // when expired leases were last looked at
	Due   bool      // that was a period or more ago
}

// TakeReconciler takes the lease if nobody holds it; nil where somebody does.
func (db *DB) TakeReconciler(ctx context.Context, token uuid.UUID, lease, period time.Duration) (*ReconcilerLease, error) {
	taken := ReconcilerLease{Token: token}
	err := db.pool.QueryRow(ctx, `update sheetdrop.reconciler set locked_by = $1, locked_until = now() + $2::interval
where locked_until is null or locked_until < now()
returning ran_at, ran_at <= now() - $3::interval`, token, lease, period).Scan(&taken.RanAt, &taken.Due)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take the reconciler's lease: %w", err)
	}
	return &taken, nil
}

// RenewReconciler lengthens the lease; false where it was lost.
func (db *DB) RenewReconciler(ctx context.Context, token uuid.UUID, lease time.Duration) (bool, error) {
	tag, err := db.pool.Exec(ctx, `update sheetdrop.reconciler set locked_until = now() + $2::interval where locked_by = $1`, token, lease)
	if err != nil {
		return false, fmt.Errorf("renew the reconciler's lease: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

// ReleaseReconciler gives the lease back and, where looked is set, notes that expired leases were looked at in this run.
func (db *DB) ReleaseReconciler(ctx context.Context, token uuid.UUID, looked bool) error {
	_, err := db.pool.Exec(ctx, `update sheetdrop.reconciler
set locked_by = null, locked_until = null, ran_at = case when $2 then now() else ran_at end where locked_by = $1`, token, looked)
	if err != nil {
		return fmt.Errorf("release the reconciler's lease: %w", err)
	}
	return nil
}

// LockExpired locks up to limit PROCESSING tasks whose lease had already ended at ranAt, and gives their ids. Their workers have had a
// period since then to renew or release, so they are dead.
func (t Tx) LockExpired(ctx context.Context, ranAt time.Time, limit int) ([]uuid.UUID, error) {
	rows, err := t.tx.Query(ctx, `select id from sheetdrop.task
where status = 'PROCESSING' and locked_until < $1 order by id limit $2 for no key update skip locked`, ranAt, limit)
	if err != nil {
		return nil, fmt.Errorf("find expired leases: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// ReleaseExpired ends the run of each locked task: PENDING again with its message, FAILED worker_died after so many runs that count, CANCELLED
// where somebody asked. A run counts that had its process to itself. messages has one for each task; so has the answer.
func (t Tx) ReleaseExpired(ctx context.Context, messages []OutboxMessage) ([]Released, error) {
	released := make([]Released, 0, len(messages))
	for _, m := range messages {
		status, err := t.endRun(ctx, *m.TaskID, nil, Ending{
			Crashes: 1, Failure: task.Failure{
				Code:      task.WorkerDied,
				Message:   fmt.Sprintf("Its worker died while it worked on nothing else; it was the last of %d runs that failed so, or by a fault of ours.", task.MaxCrashes),
				MessageJA: fmt.Sprintf("このファイルだけを処理中のワーカーが停止しました(失敗した処理は%d回目です)。", task.MaxCrashes),
			},
		}, m)
		if err != nil {
			return nil, err
		}
		released = append(released, Released{*m.TaskID, status})
	}
	return released, nil
}

// Released is a task whose worker died, and what has become of it.
type Released struct {
	TaskID uuid.UUID
	Status task.Status
}

// forgotten are PENDING tasks t that no live message asks for, and whose last message was written or sent longer than $1 × 2^enqueues ago,
// or than 6 h. The first condition on enqueued_at is for the index.
const forgotten = `from sheetdrop.task t where status = 'PENDING' and enqueued_at < now() - $1::interval
  and enqueued_at < now() - least(interval '6 hours', $1::interval * power(2, least(enqueues, 10)))
  and not exists (select from sheetdrop.outbox_message m where m.task_id = t.id and m.status in ('PENDING', 'PROCESSING'))`

// AnyForgotten reports whether LockForgotten would find a task.
func (db *DB) AnyForgotten(ctx context.Context, after time.Duration) (found bool, err error) {
	if err := db.pool.QueryRow(ctx, `select exists (select `+forgotten+`)`, after).Scan(&found); err != nil {
		return false, fmt.Errorf("look for forgotten tasks: %w", err)
	}
	return found, nil
}

// Forgotten is a PENDING task that no live message asks for.
type Forgotten struct {
	ID         uuid.UUID
	EnqueuedAt time.Time // when its last message was written, or sent
}

// LockForgotten locks up to limit PENDING tasks that no live message asks for, oldest first: those whose last message is older than after,
// which doubles with each message, up to 6 h. Those from before a time are left out; the zero time leaves out none.
func (t Tx) LockForgotten(ctx context.Context, after time.Duration, from time.Time, limit int) ([]Forgotten, error) {
	rows, err := t.tx.Query(ctx, `select id, enqueued_at `+forgotten+` and enqueued_at >= $2
order by enqueued_at limit $3 for no key update skip locked`, after, from, limit)
	if err != nil {
		return nil, fmt.Errorf("find forgotten tasks: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Forgotten])
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

// OutboxStats is how the outbox stands.
type OutboxStats struct {
	Pending       int64
	Failed        int64
	OldestPending time.Duration // the age of the oldest live message, due again or not; 0 where none has been due yet
}

// OutboxStats counts the live messages.
func (db *DB) OutboxStats(ctx context.Context) (OutboxStats, error) {
	var (
		stats OutboxStats
		age   float64
	)
	err := db.pool.QueryRow(ctx, `select count(*) filter (where status <> 'FAILED'), count(*) filter (where status = 'FAILED'),
  greatest(extract(epoch from now() - min(created_at) filter (where status <> 'FAILED')), 0)::float8
from sheetdrop.outbox_message`).Scan(&stats.Pending, &stats.Failed, &age)
	if err != nil {
		return stats, fmt.Errorf("count outbox messages: %w", err)
	}
	stats.OldestPending = time.Duration(age * float64(time.Second))
	return stats, nil
}
