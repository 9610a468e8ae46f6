package upload

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/response"
)

// FileDetail is a file with its newest task.
type FileDetail struct {
	response.File
	Task   response.Task  `json:"task" doc:"The file's newest task."`
	SameAs *task.SameFile `json:"same_as,omitempty" doc:"The newest earlier file with the same bytes, if there is one. Of a direct upload once a worker has read it."`
}

// FileInput identifies a file.
type FileInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type fileOutput struct{ Body FileDetail }

// actDeleteFile is the action as recorded.
const actDeleteFile = "delete_file"

// files has the operations on existing files.
type files struct{ operation.Base }

// getFilesInput selects files.
type getFilesInput struct {
	export.ListInput
	SearchInput
	SHA256 string `query:"sha256" pattern:"^[0-9a-f]{64}$" doc:"Only files with these bytes: is this one there already?"`
}

// filesList is the list that a cursor of files is from.
const filesList = "files"

// getFiles lists the caller's files, newest first.
func (f *files) getFiles(ctx context.Context, in *getFilesInput) (*export.ListOutput[FileDetail], error) {
	before, err := export.DecodeCursor(in.Cursor, filesList, uuid.Max)
	if err != nil {
		return nil, err
	}
	filter := postgres.FileFilter{Owner: caller.Of(ctx).Owner}
	if _, err := hex.Decode(filter.SHA256[:], []byte(in.SHA256)); err != nil { // its form was checked
		return nil, err
	}
	if !in.search().Empty() {
		return f.searchFiles(ctx, filter, in, before)
	}
	found, more, err := f.DB.Files(ctx, filter, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, filesList, func(f postgres.FileAndTask) uuid.UUID { return f.File.ID },
		showFileDetail), nil
}

// getFile returns one of the caller's files.
func (f *files) getFile(ctx context.Context, in *FileInput) (*fileOutput, error) {
	found, err := f.DB.File(ctx, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &fileOutput{showFileDetail(found)}, nil
}

func showFileDetail(f postgres.FileAndTask) FileDetail {
	return FileDetail{response.OfFile(f.File), response.OfTask(f.Task), f.SameAs}
}

type deleteFileInput struct {
	FileInput
	Loads string `query:"loads" enum:"keep,refuse,undo" default:"keep" doc:"What it has loaded into targets stays there. refuse: the file is not deleted while there is a load that can be undone. undo: these loads are undone first."`
}

// deleteFileOutput is the response to a deletion: 204, or 202 with a task that has to end before.
type deleteFileOutput struct {
	Status   int
	Location string `header:"Location" doc:"The task's path."`
	Body     *response.Task
}

// deleteFile marks the file as deleted, cancels its tasks and writes the outbox message that deletes its blob, in one
// transaction.
func (f *files) deleteFile(ctx context.Context, in *deleteFileInput) (*deleteFileOutput, error) {
	if in.Loads == "undo" {
		return f.deleteWithLoads(ctx, in.ID)
	}
	message := task.NewID()
	_, err := f.ActOn(ctx, task.NewID(), actDeleteFile, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, caller.Of(ctx).Owner, in.ID)
		if err != nil {
			return err
		}
		if err := tx.DeleteFile(ctx, file, message); err != nil || in.Loads != "refuse" {
			return err
		}
		return needNoLoads(ctx, tx, file.ID) // behind the end of its tasks, none of which can add one any more
	})
	if err != nil {
		return nil, err
	}
	f.Nudge(message)
	f.TasksEnded()
	return &deleteFileOutput{Status: http.StatusNoContent}, nil
}

// deleteWithLoads cancels the file's tasks and adds the one that undoes the first of its loads: who completes that one adds the next, or
// deletes the file. Where no load can be undone, the file is deleted at once.
func (f *files) deleteWithLoads(ctx context.Context, fileID uuid.UUID) (*deleteFileOutput, error) {
	id, message, owner := task.NewID(), task.NewID(), caller.Of(ctx).Owner
	var underway uuid.NullUUID
	made, err := f.ActOn(ctx, id, actDeleteFile, fileID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := tx.LockFile(ctx, owner, fileID); err != nil {
			return err
		}
		var err error
		if underway, err = undo.DeletionOf(ctx, tx, fileID); err != nil || underway.Valid {
			return cmp.Or(err, operation.ErrNothingDone)
		}
		if err := tx.CancelParses(ctx, fileID); err != nil {
			return err
		}
		if err := operation.NeedNoOpenTask(ctx, tx, fileID, uuid.Nil); err != nil { // an undo of one load
			return err
		}
		if err := f.needOwnLoads(ctx, tx, fileID); err != nil {
			return err
		}
		added, err := undo.DeleteWithLoads(ctx, tx, fileID, id, message, owner)
		if err != nil || !added {
			return err
		}
		return f.CountUsage(ctx, tx, postgres.Usage{Tasks: 1})
	})
	switch {
	case errors.Is(err, operation.ErrNothingDone):
		made = underway.UUID
	case err != nil:
		return nil, err
	}
	f.Nudge(message)
	f.TasksEnded()
	shown, err := f.DB.Task(ctx, owner, made)
	if errors.Is(err, postgres.ErrNotFound) { // there was no load to undo
		return &deleteFileOutput{Status: http.StatusNoContent}, nil
	}
	if err != nil {
		return nil, err
	}
	answer := response.OfNewTask(shown)
	return &deleteFileOutput{http.StatusAccepted, answer.Location, &answer.Body}, nil
}

// needOwnLoads returns a problem that names the loads of a file into targets that the caller may not load into any more.
func (f *files) needOwnLoads(ctx context.Context, tx postgres.Tx, fileID uuid.UUID) error {
	loads, err := undo.LoadsOf(ctx, tx, fileID)
	if err != nil {
		return err
	}
	allowed := map[uuid.UUID]bool{}
	for _, l := range loads {
		if _, known := allowed[l.TargetID]; known {
			continue
		}
		found, err := targetstore.Lock(ctx, tx, caller.Of(ctx).Names(), l.TargetID.String())
		if err != nil && !errors.Is(err, postgres.ErrNotFound) {
			return err
		}
		allowed[l.TargetID] = err == nil && found.May(targetstore.MayLoad)
	}
	loads = slices.DeleteFunc(loads, func(l undo.FileLoad) bool { return allowed[l.TargetID] })
	return hasLoads(loads, "The file's rows are in targets that you may no longer load into. Their owners can undo these loads.")
}

// needNoLoads returns a problem that names the loads of a file that can be undone, if there are any.
func needNoLoads(ctx context.Context, tx postgres.Tx, fileID uuid.UUID) error {
	loads, err := undo.LoadsOf(ctx, tx, fileID)
	if err != nil {
		return err
	}
	loads = slices.DeleteFunc(loads, func(l undo.FileLoad) bool { return !l.Counts })
	return hasLoads(loads, "The file's rows are in targets. Undo these loads first, or they stay.")
}

// maxLoadsNamed is how many loads a problem names.
const maxLoadsNamed = 20

// hasLoads returns a problem that names loads, if there are any.
func hasLoads(loads []undo.FileLoad, message string) error {
	if len(loads) == 0 {
		return nil
	}
	loads = loads[:min(len(loads), maxLoadsNamed)]
	faults := make([]problem.Fault, len(loads))
	for i, l := range loads {
		faults[i] = problem.Fault{
			Location:  fmt.Sprintf("/api/targets/%s/loads/%d", l.TargetID, l.ID),
			Message:   fmt.Sprintf("Load %d of the target %s.", l.ID, l.Target),
			MessageJA: fmt.Sprintf("取り込み先「%s」の取り込み%d。", l.Target, l.ID),
		}
	}
	return problem.New(problem.HasLoads, "%s", message).At(faults...)
}
