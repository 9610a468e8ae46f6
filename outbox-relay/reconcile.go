package outbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// reconcileBatch bounds each step of a run.
const reconcileBatch = 100

// reconcile mends what nobody else will: runs whose worker died, and tasks that lost their message; then it tidies up. One relay at a time
// does it, by the lease in the table reconciler; every step is safe if two did. It ends with a line of figures for operators.
func (r *Relay) reconcile(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.settings.Lease) // whatever hangs must not keep the messages from being sent
	defer cancel()
	token := task.NewID()
	// The timer is never exact; a run that comes a little early must count as the next one.
	lease, err := r.db.TakeReconciler(ctx, token, r.settings.Lease, r.settings.Period*8/10)
	if err != nil || lease == nil {
		return err
	}
	looked := false
	if lease.Due {
		err = r.releaseExpired(ctx, lease)
		looked = err == nil // whatever fails or hangs behind that, the next look is to take what expired before this one
	}
	err = errors.Join(err, r.tidy(ctx, token), r.announce(ctx))
	r.logStats(ctx)
	return errors.Join(err, r.release(ctx, token, looked))
}

// keep lengthens the reconciler's lease between two steps; false where it was lost, and the rest is the new holder's.
func (r *Relay) keep(ctx context.Context, token uuid.UUID) (bool, error) {
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
	var released []postgres.Released // by the last try
	// Repeating the step is harmless: what was released is no longer expired. So an ambiguous commit is simply tried again.
	err := r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) (err error) {
		ids, err := tx.LockExpired(ctx, lease.RanAt, reconcileBatch)
		if err != nil {
			return err
		}
		released, err = tx.ReleaseExpired(ctx, postgres.NewParseMessages(ids))
		return err
	})
	if err != nil {
		return fmt.Errorf("release expired leases: %w", err)
	}
	for _, t := range released {
		r.log.WarnContext(ctx, "worker died", "task_id", t.TaskID, "status", t.Status)
	}
	return nil
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

// enqueueForgotten writes a new message for tasks whose last one was lost on its way, or is hidden.
func (r *Relay) enqueueForgotten(ctx context.Context, _ uuid.UUID) error {
	after, err := r.forgottenSince(ctx)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	err = r.db.InTx(ctx, notCommitted, func(ctx context.Context, tx postgres.Tx) (err error) {
		if ids, err = tx.LockForgotten(ctx, after, reconcileBatch); err != nil || len(ids) == 0 {
			return err
		}
		return tx.Enqueue(ctx, postgres.NewParseMessages(ids))
	})
	if err != nil {
		return fmt.Errorf("enqueue forgotten tasks: %w", err)
	}
	for _, id := range ids {
		r.log.WarnContext(ctx, "task had lost its message", "task_id", id)
	}
	return nil
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
