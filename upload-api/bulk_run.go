package upload

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/bulkparse"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/receive"
)

// bulk is a bulk operation in progress.
type bulk struct {
	id    uuid.UUID
	owner string
	given receive.Given
	into  json.RawMessage // the target of the tasks

	tasks []postgres.NewTask
	items []bulkparse.Item
}

// run creates the tasks and records the result for each file. It starts from scratch each time the transaction is
// retried.
func (b *bulk) run(ctx context.Context, tx postgres.Tx, request BulkRequest) (int64, error) {
	b.tasks, b.items = nil, nil
	wanted, err := b.candidates(ctx, tx, request)
	if err != nil {
		return 0, err
	}
	files := make([]uuid.UUID, len(wanted))
	for i, w := range wanted {
		files[i] = w.FileID
	}
	locked, err := bulkparse.Lock(ctx, tx, b.owner, files)
	if err != nil {
		return 0, err
	}
	for _, w := range wanted {
		b.take(w, locked)
	}
	if err := tx.InsertTasks(ctx, b.tasks); err != nil {
		return 0, err
	}
	return int64(len(b.tasks)), bulkparse.Insert(ctx, tx, b.id, b.owner, b.items)
}

func (b *bulk) candidates(ctx context.Context, tx postgres.Tx, request BulkRequest) ([]bulkparse.Candidate, error) {
	if request.Filter == nil {
		wanted := make([]bulkparse.Candidate, len(request.Items))
		for i, item := range request.Items {
			wanted[i] = bulkparse.Candidate(item)
		}
		if len(wanted) > b.given.MaxFiles() {
			return nil, b.given.TooManyFiles()
		}
		return wanted, nil
	}
	return bulkparse.Candidates(ctx, tx, b.owner, bulkparse.Filter(*request.Filter), b.limit())
}

// limit returns the maximum number of files of the operation: long options allow fewer.
func (b *bulk) limit() int { return min(bulkItems, b.given.MaxFiles()) }

// next returns where a filter continues after this operation was filled to its limit, nil at the end. It depends only
// on what was recorded, so that every delivery of the request returns the same.
func (b *bulk) next(found bulkparse.Operation, request BulkRequest) *uuid.UUID {
	if request.Filter == nil || len(found.Items) < b.limit() {
		return nil
	}
	return &found.Items[len(found.Items)-1].FileID
}

// take creates a task for a file, or determines why the file gets none.
func (b *bulk) take(w bulkparse.Candidate, locked map[uuid.UUID]bulkparse.LockedFile) {
	item := bulkparse.Item{FileID: w.FileID}
	if reason := exclusion(w, locked); reason != "" {
		item.Reason = &reason
		b.items = append(b.items, item)
		return
	}
	taskID := task.NewID()
	item.TaskID = &taskID
	b.items = append(b.items, item)
	b.tasks = append(b.tasks, postgres.NewTask{
		FileID: w.FileID, Options: b.given.Options, Target: b.into, Message: postgres.NewParseMessage(task.NewID(), taskID),
	})
	file := locked[w.FileID]
	file.Running = true // in case the request names the file twice
	locked[w.FileID] = file
}

// exclusion returns the reason why a file gets no task, or "" if it gets one.
func exclusion(w bulkparse.Candidate, locked map[uuid.UUID]bulkparse.LockedFile) string {
	file, mine := locked[w.FileID]
	switch {
	case !mine:
		return reasonNotYours
	case file.Deleted:
		return reasonGone
	case file.Running:
		return reasonRunning
	case w.TaskID != uuid.Nil && w.TaskID != file.NewestID:
		return reasonChanged
	}
	return ""
}
