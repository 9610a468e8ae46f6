package upload

import (
	"context"
	"encoding/hex"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/response"
)

// The values of ReadingsInput.
const (
	readingsNewest = "newest"
	readingsAll    = "all"
)

// getTasksInput selects tasks.
type getTasksInput struct {
	export.ListInput
	Status task.Status `query:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	Name   namePart    `query:"name" doc:"Only tasks of files with this in their names; case does not matter."`
	SHA256 string      `query:"sha256" pattern:"^[0-9a-f]{64}$" doc:"Only tasks of files with these bytes."`
	export.TimeInput
	ReadingsInput
	All bool `query:"all" doc:"The tasks of all owners; for operators."`
}

// ReadingsInput selects how many of the tasks that have parsed one file are listed.
type ReadingsInput struct {
	Readings string `query:"readings" enum:"newest,all" doc:"The newest task of each file, or all."`
}

// getTasks lists the caller's tasks, or everybody's, newest first.
func (t *tasks) getTasks(ctx context.Context, in *getTasksInput) (*export.ListOutput[response.Task], error) {
	filter := postgres.TaskFilter{Owner: caller.Of(ctx).Owner, Status: in.Status, Newest: in.Readings != readingsAll, Name: in.Name.text,
		CreatedAfter: export.OrNil(in.CreatedAfter), CreatedBefore: export.OrNil(in.CreatedBefore)}
	if _, err := hex.Decode(filter.SHA256[:], []byte(in.SHA256)); err != nil { // its form was checked
		return nil, err
	}
	if in.All {
		if err := t.MustOperate(ctx); err != nil {
			return nil, err
		}
		filter.Owner = ""
	}
	return t.listTasks(ctx, in.ListInput, "tasks", filter)
}

type getFileTasksInput struct {
	FileInput
	export.ListInput
	ReadingsInput
}

// getFileTasks lists a file's tasks, newest first.
func (t *tasks) getFileTasks(ctx context.Context, in *getFileTasksInput) (*export.ListOutput[response.Task], error) {
	if _, err := t.DB.File(ctx, caller.Of(ctx).Owner, in.ID); err != nil {
		return nil, err
	}
	filter := postgres.TaskFilter{Owner: caller.Of(ctx).Owner, FileID: in.ID, Newest: in.Readings == readingsNewest}
	return t.listTasks(ctx, in.ListInput, "tasks/"+in.ID.String(), filter)
}

func (t *tasks) listTasks(
	ctx context.Context, in export.ListInput, list string, filter postgres.TaskFilter,
) (*export.ListOutput[response.Task], error) {
	before, err := export.DecodeCursor(in.Cursor, list, uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := t.DB.Tasks(ctx, filter, before, in.PageSize())
	if err != nil {
		return nil, err
	}
	return export.AnswerPage(ctx, found, more, list, func(t task.Task) uuid.UUID { return t.ID }, response.OfTask), nil
}
