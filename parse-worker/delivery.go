package parse

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// delivery is one message that the worker was called with.
type delivery struct {
	*Worker
	taskID uuid.UUID
	age    func() time.Duration
	log    *slog.Logger
}

// Whether a run may have others beside it in its process.
const (
	besideOthers = false
	alone        = true
)

// take waits for a slot, claims the task and runs it. It returns nil if there was nothing to do.
func (d delivery) take(ctx, limited context.Context, runsAlone bool) (*postgres.ClaimedTask, error) {
	slots := int64(1)
	if runsAlone {
		slots = int64(d.settings.Concurrency)
	}
	// First come, first served: a task that waits for all slots gets them, while later ones wait behind it.
	if err := d.slots.Acquire(ctx, slots); err != nil {
		return nil, context.Cause(ctx)
	}
	defer d.slots.Release(slots)
	var (
		token   = task.NewID()
		claimed *postgres.ClaimedTask
		status  task.Status
	)
	err := d.hold(ctx, func() (err error) {
		claimed, status, err = d.claim(ctx, token, runsAlone)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim task %s: %w", d.taskID, err)
	}
	if claimed == nil {
		d.log.InfoContext(ctx, "nothing to do", "status", status)
		tracing.Set(ctx, tracing.Status(status))
		return nil, nil
	}
	r := &run{task: *claimed, late: d.age() > d.settings.FunctionTimeout/10, read: newCoverage(claimed.SizeBytes)}
	err = d.run(ctx, limited, r, d.log)
	d.Ended()
	d.makeRoom(limited, r, d.log)
	return claimed, err
}

// claim claims the task. If the answer is lost, the token, which no other delivery has, tells whether it succeeded.
func (d delivery) claim(
	ctx context.Context,
	token uuid.UUID,
	runsAlone bool,
) (claimed *postgres.ClaimedTask, status task.Status, err error) {
	committed := func(ctx context.Context) (bool, error) { return d.db.Holds(ctx, d.taskID, token) }
	err = d.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, status, err = tx.ClaimTask(ctx, d.taskID, token, d.settings.Lease, runsAlone)
		return err
	})
	return claimed, status, err
}
