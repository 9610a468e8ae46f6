package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// LockExpired locks up to limit PROCESSING tasks whose lease had already ended at ranAt, and returns their ids. Their workers have had a
// period since then to renew or release, so they are dead.
func (t Tx) LockExpired(ctx context.Context, ranAt time.Time, limit int) ([]uuid.UUID, error) {
	ids, err := selectColumn[uuid.UUID](ctx, t.tx, `select id from sheetdrop.task
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
