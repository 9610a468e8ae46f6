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

// runOthers runs waiting tasks of other owners, round robin and one at a time, until it is the turn of the delivered
// task's owner, who is served by the next delivery. So nobody waits behind all the messages that another owner has in
// the queue.
//
// Nothing depends on it: a task that is run here also has its own message, which will find it done, and one that is not
// is run by its message. So it ends at the first error. The claims keep a task from being run twice, as they do between
// two deliveries.
func (d delivery) runOthers(ctx, limited context.Context, claimed *postgres.ClaimedTask) {
	own, err := d.owner(ctx, claimed)
	if err == nil {
		err = d.serveRoundRobin(ctx, limited, own)
	}
	if err != nil && ctx.Err() == nil {
		d.log.WarnContext(ctx, "other owners' tasks are left to their messages", "error", err)
	}
}

// owner returns the owner of the delivered task, even if it was not claimed: this it logs, too.
func (d delivery) owner(ctx context.Context, claimed *postgres.ClaimedTask) (string, error) {
	if claimed != nil {
		return claimed.Owner, nil
	}
	subject, err := d.db.SubjectOf(ctx, d.taskID)
	if err != nil {
		return "", err
	}
	d.log.InfoContext(ctx, "nothing to do", subject.Fields())
	return subject.Owner, nil
}

func (d delivery) serveRoundRobin(ctx, limited context.Context, own string) error {
	// No task is begun in the second half of the function's time, which would leave it too little.
	deadline, _ := limited.Deadline()
	firstHalf, cancel := context.WithDeadline(ctx, deadline.Add(-d.settings.FunctionTimeout*3/10))
	defer cancel()
	for {
		owner, err := d.db.NextOwner(ctx, d.turn.get(), own)
		if err != nil {
			return err
		}
		if owner == "" {
			d.turn.set(own)
			return nil
		}
		d.turn.set(owner)
		if d.slots.Acquire(firstHalf, 1) != nil { // behind a task that waits to run alone
			return nil
		}
		err = d.serve(ctx, limited, owner)
		d.slots.Release(1)
		if err != nil {
			return err
		}
	}
}

// serve runs the owner's oldest waiting task, unless other workers were quicker.
func (d delivery) serve(ctx, limited context.Context, owner string) error {
	claimed, err := d.claimWaiting(ctx, owner)
	if err != nil || claimed == nil {
		return err
	}
	log := d.Worker.log.With(claimed.Subject().Fields())
	r := &run{task: *claimed, late: true, read: newCoverage(claimed.SizeBytes)}
	err = d.run(ctx, limited, r, log)
	d.ended(ctx, claimed)
	d.makeRoom(limited, r, log)
	return err
}

// claimWaiting claims the owner's oldest waiting task; it returns nil if there is none. While the database is
// unavailable it retries, like the claim of a delivered task, so that a lost answer is looked up, and no lease is left
// to expire.
func (d delivery) claimWaiting(ctx context.Context, owner string) (claimed *postgres.ClaimedTask, err error) {
	var (
		token = task.NewID()
		id    uuid.UUID // kept after a COMMIT without an answer, which may still take effect
	)
	committed := func(ctx context.Context) (bool, error) { return d.db.Holds(ctx, id, token) }
	err = d.hold(ctx, func() error {
		return d.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
			claimed = nil
			if id == uuid.Nil {
				id, err = tx.LockWaiting(ctx, owner)
			}
			if err != nil || id == uuid.Nil {
				return err
			}
			claimed, _, err = tx.ClaimTask(ctx, id, token, d.settings.Lease, besideOthers)
			return err
		})
	})
	return claimed, err
}
