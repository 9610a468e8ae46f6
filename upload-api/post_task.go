package upload

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/receive"
	"sheetdrop/upload-api/internal/response"
)

// OptionsInput has the parse options of the query. The operation reads them itself, because their problems have their
// own codes.
type OptionsInput struct{ request *http.Request }

// Resolve implements huma.Resolver.
func (in *OptionsInput) Resolve(ctx huma.Context) []error {
	in.request, _ = humago.Unwrap(ctx)
	return nil
}

type postTaskInput struct {
	FileInput
	OptionsInput
}

// postTask parses a file again. The results of its other tasks stay.
func (t *tasks) postTask(ctx context.Context, in *postTaskInput) (*response.NewTask, error) {
	given, err := receive.QueryOptions(in.request)
	if err == nil {
		err = given.Resolve(ctx, t.DB, caller.Of(ctx).Names())
	}
	if err != nil {
		return nil, err
	}
	into, err := given.TargetJSON()
	if err != nil {
		return nil, err
	}
	taskID := task.NewID()
	message := postgres.NewParseMessage(task.NewID(), taskID)
	owner := caller.Of(ctx).Owner
	made, err := t.ActOn(ctx, taskID, actParseAgain, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := tx.LockFile(ctx, owner, in.ID); err != nil {
			return err
		}
		if err := receive.NeedCorrected(ctx, tx, owner, given.Options); err != nil {
			return err
		}
		if err := operation.NeedNoOpenTask(ctx, tx, in.ID, taskID); err != nil {
			return err
		}
		again := postgres.NewTask{FileID: in.ID, Options: given.Options, Target: into, Message: message}
		if err := tx.InsertTasks(ctx, []postgres.NewTask{again}); err != nil {
			return err
		}
		return t.CountUsage(ctx, tx, postgres.Usage{Tasks: 1})
	})
	if err != nil {
		return nil, err
	}
	t.Nudge(message.ID)
	found, err := t.DB.Task(ctx, owner, made)
	if err != nil {
		return nil, err
	}
	return response.OfNewTask(found), nil
}
