package server

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// Upload sends a file while it is read, and returns the task that parses it. size is in bytes.
func (s *Server) Upload(ctx context.Context, name string, body io.Reader, size int64) (client.Task, error) {
	params := &client.PostFileParams{Name: &name}
	answer, err := s.client.PostFileWithBody(ctx, params, "application/octet-stream", body, client.WithLength(size), s.into)
	accepted, err := ask[client.FileAndTask](answer, err)
	return accepted.Task, err
}

// Task returns a task once it has ended, or after the given time as it is then.
func (s *Server) Task(ctx context.Context, id uuid.UUID, wait time.Duration) (client.Task, error) {
	text := wait.String()
	return askAgain[client.Task](ctx, s, func(ctx context.Context) (*http.Response, error) {
		return s.client.GetTask(ctx, id, &client.GetTaskParams{Wait: &text})
	})
}

// Sheets returns all sheets of a task.
func (s *Server) Sheets(ctx context.Context, task uuid.UUID) (all []client.Sheet, err error) {
	params := &client.GetSheetsParams{}
	for {
		page, err := ask[client.ListSheet](s.client.GetSheets(ctx, task, params))
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Items...); page.Next == nil {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

// Rows returns the first rows of a sheet.
func (s *Server) Rows(ctx context.Context, task uuid.UUID, sheet, limit int64) (client.Rows, error) {
	return ask[client.Rows](s.client.GetRows(ctx, task, sheet, &client.GetRowsParams{Limit: &limit}))
}

// Rejects returns the first rejects of a sheet.
func (s *Server) Rejects(ctx context.Context, task uuid.UUID, sheet, limit int64) ([]client.Reject, error) {
	page, err := ask[client.ListReject](s.client.GetRejects(ctx, task, sheet, &client.GetRejectsParams{Limit: &limit}))
	return page.Items, err
}
