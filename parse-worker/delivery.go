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
	)
	err := d.hold(ctx, func() (err error) {
		claimed, err = d.claim(ctx, token, runsAlone)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim task %s: %w", d.taskID, err)
	}
	if claimed == nil {
		return nil, nil
	}
	r := &run{task: *claimed, late: d.age() > d.settings.FunctionTimeout/10, read: newCoverage(claimed.SizeBytes)}
	log := d.log.With(claimed.Subject().Fields())
	err = d.run(ctx, limited, r, log)
	d.ended(ctx, claimed)
	d.makeRoom(limited, r, log)
	return claimed, err
}

// ended tells who waits for the end of a run: webhooks, and the next task of an ordered target, which otherwise waits for the timer.
func (d delivery) ended(ctx context.Context, claimed *postgres.ClaimedTask) {
	d.Ended()
	if !claimed.TargetID.Valid {
		return
	}
	message, err := d.db.MessageOfNext(ctx, claimed.TargetID.UUID)
	if err != nil {
		d.log.WarnContext(ctx, "the target's next task is left to the timer", "error", err)
	} else if message != uuid.Nil {
		d.Nudge(message)
	}
}

// waitsAlone logs that the task waits for the other runs of this process to end.
func (d delivery) waitsAlone(ctx context.Context) {
	if subject, err := d.db.SubjectOf(ctx, d.taskID); err == nil {
		d.log.With(subject.Fields()).WarnContext(ctx, "the task waits for the other runs to end", "reason", postgres.ErrRunsAlone)
	}
}

// claim claims the task. If the answer is lost, the token, which no other delivery has, tells whether it succeeded.
func (d delivery) claim(
	ctx context.Context,
	token uuid.UUID,
	runsAlone bool,
) (claimed *postgres.ClaimedTask, err error) {
	var status task.Status
	committed := func(ctx context.Context) (bool, error) { return d.db.Holds(ctx, d.taskID, token) }
	err = d.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, status, err = tx.ClaimTask(ctx, d.taskID, token, d.settings.Lease, runsAlone)
		return err
	})
	if err == nil && claimed == nil {
		tracing.Set(ctx, tracing.Status(status))
	}
	return claimed, err
}
