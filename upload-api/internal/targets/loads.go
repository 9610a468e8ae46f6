package targets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/response"
)

func (t *targets) declareLoads(api huma.API) {
	operation.Declare(t.Log, api, operation.Get("get-loads", "/targets/{id}/loads",
		"The files that were loaded into a target, newest first"), t.getLoads, problem.NotFound, problem.InvalidCursor)
	undo := operation.Command("undo-load", "/targets/{id}/loads/{load}/undo", "Undo a load",
		"The target's table becomes as if the file had never been loaded, whatever was loaded later. Rows that somebody has edited stay, and are "+
			"named in the summary of the task that the answer has. For whoever has loaded the file, and may still load into the target, and for the "+
			"target's owner. The file may be deleted.")
	undo.DefaultStatus = http.StatusAccepted
	operation.Declare(t.Log, api, undo, t.undo, problem.NotFound, problem.NotPermitted, problem.AlreadyUndone, problem.UndoExpired,
		problem.Gone, problem.AlreadyRunning, problem.TooManyOpen, problem.QuotaExceeded)
}

// TargetLoad is what a file has done with the rows of a target.
type TargetLoad struct {
	ID        int64      `json:"id"`
	FileID    uuid.UUID  `json:"file_id" format:"uuid"`
	TaskID    uuid.UUID  `json:"task_id" format:"uuid"`
	FileName  string     `json:"file_name"`
	Sheet     int        `json:"sheet" doc:"The sheet's number in its file."`
	Mode      string     `json:"mode" enum:"insert,upsert,replace"`
	Newer     int64      `json:"newer_loads" doc:"How many loads of the target came later, without those that were undone."`
	Inserted  int64      `json:"inserted"`
	Updated   int64      `json:"updated"`
	Unchanged int64      `json:"unchanged"`
	Deleted   int64      `json:"deleted"`
	Rejected  int64      `json:"rejected"`
	AppliedAt time.Time  `json:"applied_at"`
	UndoneAt  *time.Time `json:"undone_at,omitempty" doc:"When it was undone, or superseded: its rows are out of the table."`

	Series       string     `json:"series,omitempty" doc:"The series that it belongs to."`
	Corrects     *int64     `json:"corrects,omitempty" doc:"The load whose corrected rejects it has brought. It counts as long as that one does."`
	SupersededBy *int64     `json:"superseded_by,omitempty" doc:"The load that has taken its place, and with whose undo it returns."`
	SettledAt    *time.Time `json:"settled_at,omitempty" doc:"From when on it can no longer be undone."`
}

type getLoadsInput struct {
	TargetInput
	export.ListInput
	FileName string `query:"file_name" doc:"Only loads of files with this name."`
}

// getLoads lists the loads of a target that the caller may see.
func (t *targets) getLoads(ctx context.Context, in *getLoadsInput) (*export.ListOutput[TargetLoad], error) {
	if _, err := targetstore.Find(ctx, t.DB, caller.Of(ctx).Names(), in.ID.String()); err != nil {
		return nil, err
	}
	name := "loads/" + in.ID.String()
	before, err := export.DecodeCursor(in.Cursor, name, int64(math.MaxInt64))
	if err != nil {
		return nil, err
	}
	found, more, err := targetstore.Loads(ctx, t.DB, in.ID, in.FileName, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, name, func(l targetstore.Load) int64 { return l.ID }, showLoad), nil
}

func showLoad(l targetstore.Load) TargetLoad {
	return TargetLoad{
		ID: l.ID, Newer: l.NewerLoads, FileID: l.FileID, TaskID: l.TaskID, FileName: l.FileName, Sheet: l.SheetNumber, Mode: l.Mode,
		Inserted: l.Inserted, Updated: l.Updated, Unchanged: l.Unchanged, Deleted: l.Deleted, Rejected: l.Rejected,
		AppliedAt: l.AppliedAt, UndoneAt: l.UndoneAt, Series: l.Series,
		SupersededBy: l.SupersededBy, SettledAt: l.SettledAt, Corrects: l.Corrects,
	}
}

type undoInput struct {
	TargetInput
	Load int64 `path:"load" minimum:"1"`
}

// undo makes a task that takes a load back.
func (t *targets) undo(ctx context.Context, in *undoInput) (*response.NewTask, error) {
	taskID := task.NewID()
	message := postgres.NewParseMessage(task.NewID(), taskID)
	owner := caller.Of(ctx).Owner
	found, err := t.allowed(ctx, in.ID, targetstore.MayLoad)
	if err != nil {
		return nil, err
	}
	made, err := t.ActOn(ctx, taskID, actUndoLoad, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		load, err := targetstore.FindLoad(ctx, tx, in.ID, in.Load)
		if err != nil {
			return err
		}
		switch {
		case load.UndoneAt != nil && load.SupersededBy == nil:
			return problem.New(problem.AlreadyUndone, "The load has been undone already.")
		case load.SettledAt != nil:
			return problem.New(problem.UndoExpired, "The load is too old to be undone.")
		}
		if err := lockLoad(ctx, tx, found, load, owner); err != nil {
			return err
		}
		if err := operation.NeedNoOpenTask(ctx, tx, load.FileID, taskID); err != nil {
			return err
		}
		request, err := json.Marshal(target.Request{ID: found.ID, Name: found.Name, Undo: in.Load})
		if err != nil {
			return fmt.Errorf("encode the request: %w", err)
		}
		made := postgres.NewTask{FileID: load.FileID, Owner: owner, Options: []byte(`{}`), Target: request, Message: message}
		if err := tx.InsertTasks(ctx, []postgres.NewTask{made}); err != nil {
			return err
		}
		return t.CountUsage(ctx, tx, postgres.Usage{Tasks: 1})
	})
	if err != nil {
		return nil, err
	}
	t.Nudge(message.ID)
	shown, err := t.DB.Task(ctx, owner, made)
	if err != nil {
		return nil, err
	}
	return response.OfNewTask(shown), nil
}

// lockLoad locks the file of a load that the caller may undo: one of a file of theirs, deleted or not, or any of a target of theirs.
func lockLoad(ctx context.Context, tx postgres.Tx, into targetstore.Target, load targetstore.Load, caller string) error {
	owner, err := targetstore.LockFileOf(ctx, tx, load)
	isMine := into.May(targetstore.MayOwn)
	switch {
	case errors.Is(err, postgres.ErrNotFound) && isMine:
		return targetstore.RestoreFileOf(ctx, tx, load, caller)
	case errors.Is(err, postgres.ErrNotFound):
		return problem.New(problem.Gone, "The load's file has been deleted, and it is no longer known whose it was. The target's owner can undo the load.")
	case err == nil && owner != caller && !isMine:
		return problem.New(problem.NotPermitted, "Somebody else has loaded this file. They can undo it, and so can the target's owner.")
	}
	return err
}
