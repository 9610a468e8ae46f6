package upload

import (
	"context"
	"encoding/hex"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
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
	return export.AnswerPage(found, more, filesList, func(f postgres.FileAndTask) uuid.UUID { return f.File.ID },
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

// deleteFile marks the file as deleted, cancels its tasks and writes the outbox message that deletes its blob, in one
// transaction.
func (f *files) deleteFile(ctx context.Context, in *FileInput) (*struct{}, error) {
	message := task.NewID()
	_, err := f.ActOn(ctx, task.NewID(), actDeleteFile, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, caller.Of(ctx).Owner, in.ID)
		if err != nil {
			return err
		}
		return tx.DeleteFile(ctx, file, message)
	})
	if err != nil {
		return nil, err
	}
	f.Nudge(message)
	return nil, nil
}
