package upload

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
)

// FileDetail is a file with its newest task.
type FileDetail struct {
	File
	Task Task `json:"task" doc:"The file's newest task."`
}

// FileInput identifies a file.
type FileInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type fileOutput struct{ Body FileDetail }

// files has the operations on existing files.
type files struct{ operations }

// getFiles lists the caller's files, newest first.
func (f *files) getFiles(ctx context.Context, in *export.ListInput) (*export.ListOutput[FileDetail], error) {
	before, err := export.DecodeCursor(in.Cursor, "files", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := f.db.Files(ctx, callerOf(ctx).Owner, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(found, more, "files", func(f postgres.FileAndTask) uuid.UUID { return f.File.ID },
		func(f postgres.FileAndTask) FileDetail { return FileDetail{showFile(f.File), showTask(f.Task)} }), nil
}

// getFile returns one of the caller's files.
func (f *files) getFile(ctx context.Context, in *FileInput) (*fileOutput, error) {
	found, err := f.db.File(ctx, callerOf(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &fileOutput{FileDetail{showFile(found.File), showTask(found.Task)}}, nil
}

// deleteFile marks the file as deleted, cancels its tasks and writes the outbox message that deletes its blob, in one
// transaction.
func (f *files) deleteFile(ctx context.Context, in *FileInput) (*struct{}, error) {
	message := task.NewID()
	_, err := f.actOn(ctx, task.NewID(), actDeleteFile, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, callerOf(ctx).Owner, in.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, message)
	})
	if err != nil {
		return nil, err
	}
	f.nudge(message)
	return nil, nil
}
