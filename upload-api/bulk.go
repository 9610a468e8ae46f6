package upload

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/bulkparse"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// actParseMany is the action as recorded.
const actParseMany = "parse_many"

// bulkItems is the maximum number of files in one bulk operation.
const bulkItems = 1000

// The reasons why a file of a bulk operation gets no new task.
const (
	reasonNotYours = "not_yours"       // unknown, or somebody else's
	reasonGone     = "gone"            // deleted
	reasonRunning  = "already_running" // it has a task that has not ended
	reasonChanged  = "changed"         // a newer task exists than the one the caller named
)

type postBulkInput struct {
	OptionsInput
	Body BulkRequest
}

// BulkRequest lists files, or selects them by a filter.
type BulkRequest struct {
	Items  []BulkFile  `json:"items,omitempty" minItems:"1" maxItems:"1000"`
	Filter *BulkFilter `json:"filter,omitempty"`
}

// BulkFile names a file.
type BulkFile struct {
	FileID uuid.UUID `json:"file_id" format:"uuid"`
	TaskID uuid.UUID `json:"task_id,omitzero" format:"uuid" doc:"The newest task that you know of: if there is a newer one, the file is excluded."`
}

// BulkFilter selects files of the caller by their newest task and their age; an empty filter selects all.
type BulkFilter struct {
	Status        task.Status `json:"status,omitempty" enum:"PENDING,PROCESSING,COMPLETED,FAILED,CANCELLED"`
	ErrorCode     string      `json:"error_code,omitempty" pattern:"^[a-z_]*$"`
	CreatedAfter  *time.Time  `json:"created_after,omitempty"`
	CreatedBefore *time.Time  `json:"created_before,omitempty"`
	After         uuid.UUID   `json:"after,omitzero" format:"uuid" doc:"The next of the previous response."`
}

// Bulk is the result of a bulk operation, file by file.
type Bulk struct {
	ID        uuid.UUID      `json:"id" format:"uuid"`
	CreatedAt time.Time      `json:"created_at"`
	Accepted  []BulkAccepted `json:"accepted"`
	Excluded  []BulkExcluded `json:"excluded"`
}

// BulkAccepted is a file that got a new task.
type BulkAccepted struct {
	FileID uuid.UUID `json:"file_id" format:"uuid"`
	TaskID uuid.UUID `json:"task_id" format:"uuid"`
}

// BulkExcluded is a file that got no new task, and why.
type BulkExcluded struct {
	FileID uuid.UUID `json:"file_id" format:"uuid"`
	Reason string    `json:"reason" enum:"not_yours,gone,already_running,changed"`
}

// BulkDone is the answer to a bulk operation.
type BulkDone struct {
	Bulk
	Next *uuid.UUID `json:"next" format:"uuid" nullable:"true" doc:"Set if the filter selected more files than one request can take (1,000, or fewer if the options are long): send it as filter.after to continue. Null at the end."`
}

type postBulkOutput struct {
	Location string `header:"Location" doc:"The path at which this response can be read again."`
	Body     BulkDone
}

type bulkOutput struct{ Body Bulk }

// bulks are the operations on many files at once.
type bulks struct{ operation.Base }

// postBulk parses many files again, each as postTask does, and reports for every other file why it was excluded.
func (b *bulks) postBulk(ctx context.Context, in *postBulkInput) (*postBulkOutput, error) {
	if (in.Body.Items == nil) == (in.Body.Filter == nil) {
		return nil, problem.New(problem.InvalidBody, "Send either items or a filter.")
	}
	given, err := receive.QueryOptions(in.request)
	if err == nil {
		err = given.Resolve(ctx, b.DB, caller.Of(ctx).Names())
	}
	if err != nil {
		return nil, err
	}
	into, err := given.TargetJSON()
	if err != nil {
		return nil, err
	}
	run := &bulk{id: task.NewID(), owner: caller.Of(ctx).Owner, given: given, into: into}
	recorded, err := b.ActOnMany(ctx, run.id, actParseMany, in.Body,
		func(ctx context.Context, tx postgres.Tx) (int64, error) {
			made, err := run.run(ctx, tx, in.Body)
			if err != nil {
				return 0, err
			}
			return made, b.CountUsage(ctx, tx, postgres.Usage{Tasks: made})
		})
	if err != nil {
		return nil, err
	}
	for _, made := range run.tasks {
		b.Nudge(made.Message.ID)
	}
	found, err := bulkparse.Find(ctx, b.DB, run.owner, recorded.ID)
	if err != nil {
		return nil, err
	}
	return &postBulkOutput{fmt.Sprintf("/api/bulk/%s", recorded.ID), BulkDone{showBulk(found), run.next(found, in.Body)}}, nil
}

// BulkInput identifies a bulk operation.
type BulkInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// getBulk returns the recorded result of a bulk operation, however long ago it was.
func (b *bulks) getBulk(ctx context.Context, in *BulkInput) (*bulkOutput, error) {
	found, err := bulkparse.Find(ctx, b.DB, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &bulkOutput{showBulk(found)}, nil
}

func showBulk(found bulkparse.Operation) Bulk {
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
