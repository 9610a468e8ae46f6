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

// The names of operators' and owners' actions, as recorded.
const (
	actBeginRecovery   = "begin_recovery"
	actCancelTask      = "cancel_task"
	actChangeTarget    = "change_target"
	actCreateTarget    = "create_target"
	actDeleteFile      = "delete_file"
	actDeleteRows      = "delete_rows"
	actDropTarget      = "drop_target"
	actDropView        = "drop_view"
	actEndRecovery     = "end_recovery"
	actForgetChoices   = "forget_choices"
	actMakeView        = "make_view"
	actParseAgain      = "parse_again"
	actParseMany       = "parse_many"
	actRecoverFile     = "recover_file"
	actRetryTask       = "retry_task"
	actRetryTasks      = "retry_tasks"
	actRedriveMessage  = "redrive_message"
	actRedriveMessages = "redrive_messages"
	actSetChoices      = "set_choices"
	actShareTarget     = "share_target"
	actUndoLoad        = "undo_load"
)

// operations has what every group of operations needs.
type operations struct {
	db           *postgres.DB
	quota        postgres.Quota // of each owner
	nudge        func(messageIDs ...uuid.UUID)
	invocationID func(context.Context) string
	log          *slog.Logger
}

// countUsage counts what this transaction accepts for the caller, and refuses it if that exceeds the caller's quota. It
// comes last in the transaction, and is skipped if a request finds what an earlier delivery did: a repetition uses no
// quota.
func (o *operations) countUsage(ctx context.Context, tx postgres.Tx, used postgres.Usage) error {
	return problem.OfQuota(tx.CountUsage(ctx, callerOf(ctx).Owner, used, o.quota))
}

// actOn changes one thing and records in the same transaction that the caller did so. It takes effect once, even if the
// answer to COMMIT is lost or the host delivers the request several times: the record says whether it took effect. It
// returns the id of the record that counts: id, or that of an earlier delivery. An operation that creates something
// uses this id for it, and so finds it again. After a later delivery the messages that do would have written do not
// exist; nudging for them is harmless.
func (o *operations) actOn(
	ctx context.Context, id uuid.UUID, name string, target uuid.UUID, do func(context.Context, postgres.Tx) error,
) (uuid.UUID, error) {
	done, err := o.act(ctx, postgres.Action{ID: id, Name: name, Target: &target},
		func(ctx context.Context, tx postgres.Tx) (int64, error) { return 1, do(ctx, tx) })
	return done.ID, err
}

// actOnMany does the same for everything that a filter selects; do returns how many things it changed.
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

// invocation returns the host's id of the request. A host's ids are UUIDs; anything else counts as none.
func (o *operations) invocation(ctx context.Context) (id uuid.NullUUID) {
	parsed, err := uuid.Parse(o.invocationID(ctx))
	return uuid.NullUUID{UUID: parsed, Valid: err == nil}
}

// sameAction returns an error if the invocation id already stands for another request, which no host should send.
func sameAction(a, earlier postgres.Action) error {
	if a.Caller != earlier.Caller || a.Name != earlier.Name || !reflect.DeepEqual(a.Target, earlier.Target) {
		return fmt.Errorf("the invocation %s was recorded as %s", a.Invocation.UUID, earlier.Name)
	}
	return nil
}
