// Package export returns what was found in files: sheets, rows and rejects as JSON, NDJSON, CSV, Excel
// workbooks or Parquet, streamed in bounded memory, and the files' own bytes. It also has the pages and cursors that all lists use.
package export

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// Exporter returns to owners what tasks found in their files, and the files themselves. It is safe for concurrent use.
type Exporter struct {
	DB    *postgres.DB
	Blobs *azure.Blobs
	Log   *slog.Logger

	RowsTimeout time.Duration // of a page of a target's rows, in the database
}

// endedTask returns the owner's task, which must have one of the given statuses.
func (e *Exporter) endedTask(ctx context.Context, owner string, id uuid.UUID, wanted ...task.Status) (task.Task, error) {
	found, err := e.DB.Task(ctx, owner, id)
	if err == nil && !slices.Contains(wanted, found.Status) {
		err = problem.New(problem.NotCompleted, "The task is %s; this is available once it is %s.", found.Status, orList(wanted))
	}
	if err == nil && found.RowsDeletedAt != nil {
		err = problem.New(problem.RowsDeleted, "What the task found has been deleted.")
	}
	return found, err
}

func orList(statuses []task.Status) string {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = string(s)
	}
	return strings.Join(words, " or ")
}
