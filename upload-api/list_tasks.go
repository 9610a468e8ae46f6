package upload

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// getTasksInput chooses tasks.
type getTasksInput struct {
	ListInput
	Status task.Status `query:"status" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	All    bool        `query:"all" doc:"Everybody's, for operators."`
}

// getTasks lists the caller's tasks, or everybody's, newest first.
func (h *Handler) getTasks(ctx context.Context, in *getTasksInput) (*listOutput[Task], error) {
	filter := postgres.TaskFilter{Owner: callerOf(ctx).Owner, Status: in.Status}
	if in.All {
		if err := h.mustOperate(ctx); err != nil {
			return nil, err
		}
		filter.Owner = ""
	}
	return h.listTasks(ctx, in.ListInput, "tasks", filter)
}

type getFileTasksInput struct {
	FileInput
	ListInput
}

// getFileTasks lists a file's tasks, newest first.
func (h *Handler) getFileTasks(ctx context.Context, in *getFileTasksInput) (*listOutput[Task], error) {
	if _, err := h.db.File(ctx, callerOf(ctx).Owner, in.ID); err != nil {
		return nil, err
	}
	return h.listTasks(ctx, in.ListInput, "tasks/"+in.ID.String(), postgres.TaskFilter{Owner: callerOf(ctx).Owner, FileID: in.ID})
}

func (h *Handler) listTasks(ctx context.Context, in ListInput, list string, filter postgres.TaskFilter) (*listOutput[Task], error) {
	before, err := decodeCursor(in.Cursor, list, uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := h.db.Tasks(ctx, filter, before, in.limit())
	if err != nil {
		return nil, err
	}
	return answerPage(found, more, list, func(t task.Task) uuid.UUID { return t.ID }, showTask), nil
}
