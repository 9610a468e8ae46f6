// Package export shows callers what has been found in their files: sheets, rows and rejects as JSON, NDJSON or CSV, streamed in bounded
// memory; and the files' own bytes. Its pages and cursors are those of all lists.
package export

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// Exporter shows owners what tasks have found in their files, and the files themselves. It is safe for concurrent use.
type Exporter struct {
	DB    *postgres.DB
	Blobs *azure.Blobs
	Log   *slog.Logger
}

// endedTask returns the owner's task, which must have one of these statuses.
func (e *Exporter) endedTask(ctx context.Context, owner string, id uuid.UUID, wanted ...task.Status) (task.Task, error) {
	found, err := e.DB.Task(ctx, owner, id)
	if err == nil && !slices.Contains(wanted, found.Status) {
		err = problem.New(problem.NotCompleted, "The task is %s; this is there once it is %s.", found.Status, orList(wanted))
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
