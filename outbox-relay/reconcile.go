package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

const (
	expiredBatch   = 100 // released in a transaction
	forgottenBatch = 1000
)

// reconcile mends what nobody else will: runs whose worker died, and tasks that lost their message; then it tidies up. One relay at a time
// does it, by the lease in the table reconciler; every step is safe if two did. What operators are told comes first and by itself.
func (r *Relay) reconcile(ctx context.Context) error {
	token := task.NewID()
	lease, err := r.takeLease(ctx, token)
	if err != nil || lease == nil {
		return err
	}
	r.logStats(ctx)
	err = r.within(ctx, r.announce)
	looked := false
	if lease.Due {
		releaseErr := r.releaseExpired(ctx, lease)
		looked = releaseErr == nil // whatever fails or hangs behind that, the next look is to take what expired before this one
		err = errors.Join(err, releaseErr)
	}
	err = errors.Join(err, r.tidy(ctx, token), r.within(ctx, r.announce))
	return errors.Join(err, r.release(ctx, token, looked))
}

func (r *Relay) takeLease(ctx context.Context, token uuid.UUID) (*postgres.ReconcilerLease, error) {
	ctx, cancel := context.WithTimeout(ctx, claimPatience)
	defer cancel()
	// The timer is never exact; a run that comes a little early must count as the next one.
	return r.db.TakeReconciler(ctx, token, r.settings.Lease, r.settings.Period*8/10)
}

// within gives a step its own time: one that hangs, since somebody holds a row that it wants, keeps no other one from its work.
func (r *Relay) within(ctx context.Context, step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return step(ctx)
}

// keep lengthens the reconciler's lease between two steps; false where it was lost, and the rest is the new holder's.
func (r *Relay) keep(ctx context.Context, token uuid.UUID) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, claimPatience)
	defer cancel()
	return r.db.RenewReconciler(ctx, token, r.settings.Lease)
}

// release gives the lease back also where the time that this run may take is over.
func (r *Relay) release(ctx context.Context, token uuid.UUID, looked bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settlePatience)
	defer cancel()
	return r.db.ReleaseReconciler(ctx, token, looked)
}

// releaseExpired takes tasks from workers that died.
func (r *Relay) releaseExpired(ctx context.Context, lease *postgres.ReconcilerLease) error {
	err := r.revive(ctx, expiredBatch, func(ctx context.Context) (int, error) { return r.releaseBatch(ctx, lease.RanAt) })
	if err != nil {
		return fmt.Errorf("release expired leases: %w", err)
	}
	return nil
}

func (r *Relay) releaseBatch(ctx context.Context, ranAt time.Time) (int, error) {
	var released []postgres.Released // by the last try
	// Repeating the step is harmless: what was released is no longer expired. So an ambiguous commit is simply tried again.
	err := r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) (err error) {
		ids, err := tx.LockExpired(ctx, ranAt, expiredBatch)
		if err != nil {
			return err
		}
		released, err = tx.ReleaseExpired(ctx, postgres.NewParseMessages(ids))
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, t := range released {
		r.log.WarnContext(ctx, "worker died", "task_id", t.TaskID, "status", t.Status)
	}
	return len(released), nil
}

// How long a task waits for its message before it gets another one. Where the queue has messages to receive, it may just be their turn;
// where it has none, the message is lost or was received by a host that has ended since: storage hides it for ten minutes then.
const (
	forgottenAfter = 5 * time.Minute
	hiddenAfter    = 30 * time.Second // or two periods
)

// forgottenSince returns the time that holds now. Without an answer from the queue it is the longer one.
func (r *Relay) forgottenSince(ctx context.Context) (time.Duration, error) {
	hidden := max(hiddenAfter, 2*r.settings.Period)
	waiting, err := r.db.AnyForgotten(ctx, hidden)
	if err != nil || !waiting {
		return forgottenAfter, err
	}
	ctx, cancel := context.WithTimeout(ctx, outsidePatience)
	defer cancel()
	if visible, err := r.queue.HasVisible(ctx); err != nil || visible {
		return forgottenAfter, nil // what the queue does not tell is not known
	}
	return hidden, nil
}

// enqueueForgotten writes a new message for tasks whose last one was lost on its way, or is hidden. Each batch begins where the last one ended, so that
// tasks whose messages wait are passed once and not by each batch.
func (r *Relay) enqueueForgotten(ctx context.Context) error {
	after, err := r.forgottenSince(ctx)
	if err != nil {
		return err
	}
	var from time.Time
	err = r.revive(ctx, forgottenBatch, func(ctx context.Context) (n int, err error) {
		n, from, err = r.enqueueBatch(ctx, after, from)
		return n, err
	})
	if err != nil {
		return fmt.Errorf("enqueue forgotten tasks: %w", err)
	}
	return nil
}

func (r *Relay) enqueueBatch(ctx context.Context, after time.Duration, from time.Time) (n int, next time.Time, err error) {
	var messages []postgres.OutboxMessage
	err = r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) error {
		forgotten, err := tx.LockForgotten(ctx, after, from, forgottenBatch)
		messages = nil
		if err != nil || len(forgotten) == 0 {
			return err
		}
		ids := make([]uuid.UUID, len(forgotten))
		for i, f := range forgotten {
			ids[i], next = f.ID, f.EnqueuedAt
		}
		messages = postgres.NewParseMessages(ids)
		return tx.Enqueue(ctx, messages)
	})
	if err != nil {
		return 0, from, err
	}
	for _, m := range messages {
		r.log.WarnContext(ctx, "message written anew, since none has come for the task", "task_id", m.TaskID, "message_id", m.ID)
	}
	return len(messages), next, nil
}

// revive repeats a step that brings tasks back, until a batch is not full or half a period is over: so an outage that has cost very many tasks
// their messages or workers is made good at the speed of the database.
func (r *Relay) revive(ctx context.Context, batch int, step func(context.Context) (int, error)) error {
	spent := clock.Start()
	for {
		var n int
		err := r.within(ctx, func(ctx context.Context) (err error) {
			n, err = step(ctx)
			return err
		})
		if err != nil || n < batch || spent() >= r.settings.Period/2 {
			return err
		}
	}
}

func notCommitted(context.Context) (bool, error) { return false, nil }

// logStats writes the line that the operators' alerts read.
func (r *Relay) logStats(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, outboxStatsTime)
	defer cancel()
	stats, err := r.db.OutboxStats(ctx)
	if err != nil {
		r.log.WarnContext(ctx, "outbox not counted", "error", err)
		return
	}
	if stats.OldestPending > r.settings.PendingAlert {
		r.log.ErrorContext(ctx, "outbox is behind", "alert", "outbox_behind", "oldest_pending_s", int64(stats.OldestPending.Seconds()))
	}
	attrs := []any{"pending", stats.Pending, "failed", stats.Failed, "oldest_pending_s", int64(stats.OldestPending.Seconds())}
	queue, poison, err := r.queue.Lengths(ctx)
	if err != nil {
		attrs = append(attrs, "queue_error", err.Error())
	} else {
		attrs = append(attrs, "queue_len", queue, "poison_len", poison)
	}
	r.log.InfoContext(ctx, "outbox_stats", attrs...)
}
