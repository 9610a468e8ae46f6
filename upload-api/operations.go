package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/problem"
)

// The names of what people do, as they are recorded.
const (
	actBeginRecovery   = "begin_recovery"
	actCancelTask      = "cancel_task"
	actDeleteFile      = "delete_file"
	actDeleteRows      = "delete_rows"
	actEndRecovery     = "end_recovery"
	actParseAgain      = "parse_again"
	actParseMany       = "parse_many"
	actRecoverFile     = "recover_file"
	actRetryTask       = "retry_task"
	actRetryTasks      = "retry_tasks"
	actRedriveMessage  = "redrive_message"
	actRedriveMessages = "redrive_messages"
)

// operations is what every group of operations works with.
type operations struct {
	db           *postgres.DB
	quota        postgres.Quota // of each owner
	nudge        func(messageIDs ...uuid.UUID)
	invocationID func(context.Context) string
	log          *slog.Logger
}

// countUsage counts what this transaction accepts for the caller, and refuses it where that is more than the caller's quota. It comes
// last in the transaction, and not where a request finds what an earlier one has done: a repetition uses nothing.
func (o *operations) countUsage(ctx context.Context, tx postgres.Tx, used postgres.Usage) error {
	return problem.OfQuota(tx.CountUsage(ctx, callerOf(ctx).Owner, used, o.quota))
}

// actOn changes one thing, and records in the same transaction that the caller did it. It takes effect once, whatever becomes of the
// answer to COMMIT, and however often the host delivers the request: the record tells whether it did. The result is the id of the record
// that counts, which is id, or that of an earlier delivery; an operation that makes something uses it as the id of what it makes, and so
// finds that again. Messages that do was to write are not there after a later delivery; to nudge for them finds nothing.
func (o *operations) actOn(
	ctx context.Context, id uuid.UUID, name string, target uuid.UUID, do func(context.Context, postgres.Tx) error,
) (uuid.UUID, error) {
	done, err := o.act(ctx, postgres.Action{ID: id, Name: name, Target: &target},
		func(ctx context.Context, tx postgres.Tx) (int64, error) { return 1, do(ctx, tx) })
	return done.ID, err
}

// actOnMany does the same to all that a filter finds; do says how many things it has changed.
func (o *operations) actOnMany(
	ctx context.Context, id uuid.UUID, name string, filter any, do func(context.Context, postgres.Tx) (int64, error),
) (postgres.Action, error) {
	text, err := json.Marshal(filter)
	if err != nil {
		return postgres.Action{}, fmt.Errorf("filter: %w", err)
	}
	return o.act(ctx, postgres.Action{ID: id, Name: name, Filter: text}, do)
}

func (o *operations) act(
	ctx context.Context, a postgres.Action, do func(context.Context, postgres.Tx) (int64, error),
) (done postgres.Action, err error) {
	a.Caller, a.Invocation = callerOf(ctx).Owner, o.invocation(ctx)
	committed := func(ctx context.Context) (bool, error) { return o.db.ActionRecorded(ctx, a.ID) }
	err = o.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) error {
		earlier, err := tx.RecordAction(ctx, a)
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
		return tx.CountAction(ctx, a.ID, done.Count)
	})
	return done, err
}

// invocation is the host's id for the request. A host's are UUIDs; anything else is none.
func (o *operations) invocation(ctx context.Context) (id uuid.NullUUID) {
	parsed, err := uuid.Parse(o.invocationID(ctx))
	return uuid.NullUUID{UUID: parsed, Valid: err == nil}
}

// sameAction refuses an invocation id that stands for another request already, which no host should send.
func sameAction(a, earlier postgres.Action) error {
	if a.Caller != earlier.Caller || a.Name != earlier.Name || !reflect.DeepEqual(a.Target, earlier.Target) {
		return fmt.Errorf("the invocation %s was recorded as %s", a.Invocation.UUID, earlier.Name)
	}
	return nil
}
