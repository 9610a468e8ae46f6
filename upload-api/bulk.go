package upload

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// bulkItems is how many files one bulk operation takes at most.
const bulkItems = 1000

// Why a file of a bulk operation gets no task.
const (
	reasonNotYours = "not_yours"       // unknown, or somebody else's
	reasonGone     = "gone"            // deleted
	reasonRunning  = "already_running" // it has a task that has not ended
	reasonChanged  = "changed"         // it has a newer task than the one that was seen
)

type postBulkInput struct {
	OptionsInput
	Body BulkRequest
}

// BulkRequest names files, or has a filter that finds them.
type BulkRequest struct {
	Items  []BulkFile  `json:"items,omitempty" minItems:"1" maxItems:"1000"`
	Filter *BulkFilter `json:"filter,omitempty"`
}

// BulkFile names a file.
type BulkFile struct {
	FileID uuid.UUID `json:"file_id" format:"uuid"`
	TaskID uuid.UUID `json:"task_id,omitzero" format:"uuid" doc:"Its newest task, as far as you know: if there is a newer one, the file is excluded."`
}

// BulkFilter chooses files of the caller, by their newest task and their age; an empty one chooses all.
type BulkFilter struct {
	Status        task.Status `json:"status,omitempty" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	ErrorCode     string      `json:"error_code,omitempty" pattern:"^[a-z_]*$"`
	CreatedAfter  *time.Time  `json:"created_after,omitempty"`
	CreatedBefore *time.Time  `json:"created_before,omitempty"`
	After         uuid.UUID   `json:"after,omitzero" format:"uuid" doc:"The next of the answer before."`
}

// Bulk is what became of the files of a bulk operation.
type Bulk struct {
	ID        uuid.UUID      `json:"id" format:"uuid"`
	CreatedAt time.Time      `json:"created_at"`
	Accepted  []BulkAccepted `json:"accepted"`
	Excluded  []BulkExcluded `json:"excluded"`
}

// BulkAccepted is a file that has got a new task.
type BulkAccepted struct {
	FileID uuid.UUID `json:"file_id" format:"uuid"`
	TaskID uuid.UUID `json:"task_id" format:"uuid"`
}

// BulkExcluded is a file that has got none.
type BulkExcluded struct {
	FileID uuid.UUID `json:"file_id" format:"uuid"`
	Reason string    `json:"reason" enum:"not_yours,gone,already_running,changed"`
}

// BulkDone is the answer to a bulk operation.
type BulkDone struct {
	Bulk
	Next *uuid.UUID `json:"next" format:"uuid" nullable:"true" doc:"Of a filter that has found as many files as are taken at once, 1,000 or fewer where the options are long: give it as filter.after to go on, as there may be more. Null at the end."`
}

type postBulkOutput struct {
	Location string `header:"Location" doc:"Where the answer can be read again."`
	Body     BulkDone
}

type bulkOutput struct{ Body Bulk }

// bulks are the operations on many files at once.
type bulks struct{ operations }

// postBulk parses many files once more, each as postTask does, and says of each other one why not.
func (b *bulks) postBulk(ctx context.Context, in *postBulkInput) (*postBulkOutput, error) {
	if (in.Body.Items == nil) == (in.Body.Filter == nil) {
		return nil, problem.New(problem.InvalidBody, "Give either items or a filter.")
	}
	options, err := receive.QueryOptions(in.request)
	if err != nil {
		return nil, err
	}
	run := &bulk{id: task.NewID(), owner: callerOf(ctx).Owner, options: options}
	recorded, err := b.actOnMany(ctx, run.id, actParseMany, in.Body,
		func(ctx context.Context, tx postgres.Tx) (int64, error) {
			made, err := run.run(ctx, tx, in.Body)
			if err != nil {
				return 0, err
			}
			return made, b.countUsage(ctx, tx, postgres.Usage{Tasks: made})
		})
	if err != nil {
		return nil, err
	}
	for _, made := range run.tasks {
		b.nudge(made.Message.ID)
	}
	found, err := b.db.Bulk(ctx, run.owner, recorded.ID)
	if err != nil {
		return nil, err
	}
	return &postBulkOutput{fmt.Sprintf("/api/bulk/%s", recorded.ID), BulkDone{showBulk(found), run.next(found, in.Body)}}, nil
}

// BulkInput names a bulk operation.
type BulkInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// getBulk says once more what became of each file, however long ago.
func (b *bulks) getBulk(ctx context.Context, in *BulkInput) (*bulkOutput, error) {
	found, err := b.db.Bulk(ctx, callerOf(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &bulkOutput{showBulk(found)}, nil
}

func showBulk(found postgres.Bulk) Bulk {
	shown := Bulk{ID: found.ID, CreatedAt: found.CreatedAt, Accepted: []BulkAccepted{}, Excluded: []BulkExcluded{}}
	for _, item := range found.Items {
		if item.TaskID != nil {
			shown.Accepted = append(shown.Accepted, BulkAccepted{item.FileID, *item.TaskID})
		} else {
			shown.Excluded = append(shown.Excluded, BulkExcluded{item.FileID, *item.Reason})
		}
	}
	return shown
}
