package parse

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// turn is the owner whom this process served last. The next one, in the order of their names, is served next.
type turn struct {
	mu    sync.Mutex
	owner string
}

func (t *turn) get() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.owner
}

func (t *turn) set(owner string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.owner = owner
}

// runOthers runs waiting tasks of other owners, round robin and one at a time, until it is the turn of the delivered task's owner, who is served
// by the next delivery. So nobody waits behind all the messages that another owner has in the queue.
//
// Nothing depends on it: a task that is run here has its own message as well, which finds it done, and one that is not is run by its message.
// So it ends at the first error. The claims keep a task from being run twice, as they do between two deliveries.
func (w *Worker) runOthers(ctx, limited context.Context, delivered uuid.UUID, claimed *postgres.ClaimedTask) {
	own, err := w.ownerOf(ctx, delivered, claimed)
	if err == nil {
		err = w.serveRoundRobin(ctx, limited, own)
	}
	if err != nil && ctx.Err() == nil {
		w.log.WarnContext(ctx, "other owners' tasks are left to their messages", "error", err)
	}
}

// ownerOf returns the owner of a delivered task, which was claimed or not.
func (w *Worker) ownerOf(ctx context.Context, delivered uuid.UUID, claimed *postgres.ClaimedTask) (string, error) {
	if claimed != nil {
		return claimed.Owner, nil
	}
	return w.db.OwnerOf(ctx, delivered)
}

func (w *Worker) serveRoundRobin(ctx, limited context.Context, own string) error {
	// None is begun in the second half of the function's time, of which it would have too little.
	deadline, _ := limited.Deadline()
	firstHalf, cancel := context.WithDeadline(ctx, deadline.Add(-w.settings.FunctionTimeout*3/10))
	defer cancel()
	for firstHalf.Err() == nil {
		owner, err := w.db.NextOwner(ctx, w.turn.get(), own)
		if err != nil {
			return err
		}
		if owner == "" {
			w.turn.set(own)
			return nil
		}
		w.turn.set(owner)
		claimed, err := w.claimWaiting(ctx, owner)
		if err != nil {
			return err
		}
		if claimed == nil {
			continue // other workers were quicker
		}
		r := &run{task: *claimed, late: true, read: newCoverage(claimed.SizeBytes)}
		if err := w.run(ctx, limited, r, w.log.With("task_id", claimed.TaskID)); err != nil {
			return err
		}
	}
	return nil
}

// claimWaiting takes the owner's oldest waiting task; nil where there is none. While the database is away it is repeated, like the claim of a
// delivered task, so that an answer that is lost is looked up, and no lease is left to run out.
func (w *Worker) claimWaiting(ctx context.Context, owner string) (claimed *postgres.ClaimedTask, err error) {
	var (
		token = task.NewID()
		id    uuid.UUID // stays after a COMMIT without an answer, which may yet take effect
	)
	committed := func(ctx context.Context) (bool, error) { return w.db.Holds(ctx, id, token) }
	_, err = w.hold(ctx, func() error {
		return w.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
			claimed = nil
			if id == uuid.Nil {
				id, err = tx.LockWaiting(ctx, owner)
			}
			if err != nil || id == uuid.Nil {
				return err
			}
			claimed, _, err = tx.ClaimTask(ctx, id, token, w.settings.Lease)
			return err
		})
	})
	return claimed, err
}
