package upload

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// The names of what people do, as they are recorded.
const (
	actCancelTask      = "cancel_task"
	actDeleteFile      = "delete_file"
	actDeleteRows      = "delete_rows"
	actParseAgain      = "parse_again"
	actParseMany       = "parse_many"
	actRetryTask       = "retry_task"
	actRetryTasks      = "retry_tasks"
	actRedriveMessage  = "redrive_message"
	actRedriveMessages = "redrive_messages"
)

// actOn changes one thing, and records in the same transaction that the caller did it. It takes effect once, whatever becomes of the answer
// to COMMIT: the record tells whether it did.
func (h *Handler) actOn(ctx context.Context, name string, target uuid.UUID, do func(context.Context, postgres.Tx) error) error {
	_, err := h.act(ctx, postgres.Action{Name: name, Target: &target}, func(ctx context.Context, tx postgres.Tx) (int, error) { return 1, do(ctx, tx) })
	return err
}

// actOnMany does the same to all that a filter finds; do says how many things it has changed.
func (h *Handler) actOnMany(ctx context.Context, name string, filter any, do func(context.Context, postgres.Tx) (int, error)) (int, error) {
	text, err := json.Marshal(filter)
	if err != nil {
		return 0, fmt.Errorf("filter: %w", err)
	}
	return h.act(ctx, postgres.Action{Name: name, Filter: text}, do)
}

func (h *Handler) act(ctx context.Context, a postgres.Action, do func(context.Context, postgres.Tx) (int, error)) (count int, err error) {
	a.ID, a.Caller = task.NewID(), callerOf(ctx).Owner
	committed := func(ctx context.Context) (bool, error) { return h.db.ActionRecorded(ctx, a.ID) }
	err = h.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) error {
		isNew, err := tx.RecordAction(ctx, a)
		if err != nil || !isNew { // the COMMIT of the try before took effect after all
			return err
		}
		if count, err = do(ctx, tx); err != nil || count == 1 {
			return err
		}
		return tx.CountAction(ctx, a.ID, count)
	})
	return count, err
}
