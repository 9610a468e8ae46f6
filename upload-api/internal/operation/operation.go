// Package operation is what the operations of the API have in common: how they are declared, and how a change takes
// effect once and is recorded.
package operation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/audit"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
)

// ErrNothingDone rolls back an action that found nothing to do, so that it is not recorded.
var ErrNothingDone = errors.New("nothing to do")

// Base has what every group of operations needs. It is safe for concurrent use.
type Base struct {
	DB           *postgres.DB
	Quota        postgres.Quota                // of each owner
	Nudge        func(messageIDs ...uuid.UUID) // receives the ids of messages that have just been committed; does not block
	TasksEnded   func()                        // has it told that tasks have ended, as was just committed; does not block
	InvocationID func(context.Context) string  // the id under which the host delivered a request, or ""
	Log          *slog.Logger
}

// CountUsage counts what this transaction accepts for the caller, and refuses it if that exceeds the caller's quota. It
// comes last in the transaction, and is skipped if a request finds what an earlier delivery did: a repetition uses no
// quota.
func (b *Base) CountUsage(ctx context.Context, tx postgres.Tx, used postgres.Usage) error {
	return problem.OfQuota(tx.CountUsage(ctx, caller.Of(ctx).Owner, used, b.Quota))
}

// ActOn changes one thing and records in the same transaction that the caller did so. It takes effect once, even if the
// answer to COMMIT is lost or the host delivers the request several times: the record says whether it took effect. It
// returns the id of the record that counts: id, or that of an earlier delivery. An operation that creates something
// uses this id for it, and so finds it again. After a later delivery the messages that do would have written do not
// exist; nudging for them is harmless.
func (b *Base) ActOn(
	ctx context.Context, id uuid.UUID, name string, target uuid.UUID, do func(context.Context, postgres.Tx) error,
) (uuid.UUID, error) {
	done, err := b.act(ctx, audit.Action{ID: id, Name: name, Target: &target},
		func(ctx context.Context, tx postgres.Tx) (int64, error) { return 1, do(ctx, tx) })
	return done.ID, err
}

// ActOnMany does the same for everything that a filter selects; do returns how many things it changed.
func (b *Base) ActOnMany(
	ctx context.Context, id uuid.UUID, name string, filter any, do func(context.Context, postgres.Tx) (int64, error),
) (audit.Action, error) {
	text, err := json.Marshal(filter)
	if err != nil {
		return audit.Action{}, fmt.Errorf("filter: %w", err)
	}
	return b.act(ctx, audit.Action{ID: id, Name: name, Filter: text}, do)
}

func (b *Base) act(
	ctx context.Context, a audit.Action, do func(context.Context, postgres.Tx) (int64, error),
) (done audit.Action, err error) {
	a.Caller, a.Invocation = caller.Of(ctx).Owner, b.invocation(ctx)
	committed := func(ctx context.Context) (bool, error) { return audit.Recorded(ctx, b.DB, a.ID) }
	err = b.DB.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) error {
		earlier, err := audit.Record(ctx, tx, a)
		if err != nil {
			return err
		}
		if earlier != nil {
			done = *earlier
			return sameAction(a, *earlier)
		}
		done = a
		if done.Count, err = do(ctx, tx); err != nil || done.Count == 1 {
			return err
		}
		return audit.Count(ctx, tx, a.ID, done.Count)
	})
	return done, err
}

// invocation returns the host's id of the request. A host's ids are UUIDs; anything else counts as none.
func (b *Base) invocation(ctx context.Context) (id uuid.NullUUID) {
	parsed, err := uuid.Parse(b.InvocationID(ctx))
	return uuid.NullUUID{UUID: parsed, Valid: err == nil}
}

// sameAction returns an error if the invocation id already stands for another request, which no host should send.
func sameAction(a, earlier audit.Action) error {
	if a.Caller != earlier.Caller || a.Name != earlier.Name || !reflect.DeepEqual(a.Target, earlier.Target) {
		return fmt.Errorf("the invocation %s was recorded as %s", a.Invocation.UUID, earlier.Name)
	}
	return nil
}

// MustOperate returns an error unless the caller is an operator, and logs the request before it is answered, because
// the answer shows other people's data. Changes are also recorded in the database (see ActOn).
func (b *Base) MustOperate(ctx context.Context) error {
	who := caller.Of(ctx)
	if !who.Operator {
		return problem.New(problem.NotOperator, "Only operators may do this.")
	}
	method, url := caller.Requested(ctx)
	b.Log.InfoContext(ctx, "operator_access", "caller", who.Owner, "method", method, "path", url.Path, "query", url.RawQuery,
		"invocation", b.InvocationID(ctx))
	return nil
}

// NeedNoOpenTask returns an error if a locked file already has an open task other than besides.
func NeedNoOpenTask(ctx context.Context, tx postgres.Tx, file, besides uuid.UUID) error {
	open, err := tx.OtherTaskOpen(ctx, file, besides)
	if err == nil && open {
		return problem.New(problem.AlreadyRunning, "The file has a task that has not ended. Wait for it to end, or cancel it first.")
	}
	return err
}
