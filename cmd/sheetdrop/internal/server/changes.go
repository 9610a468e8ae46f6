package server

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// Reparse has a file parsed again, with options as JSON ("" for none), and returns the task that does it.
func (s *Server) Reparse(ctx context.Context, file uuid.UUID, options string) (client.Task, error) {
	params := &client.PostTaskParams{Options: given[string](options)}
	return ask[client.Task](s.client.PostTask(ctx, file, params, s.into))
}

// CancelTask cancels a task: a waiting one at once, a running one soon.
func (s *Server) CancelTask(ctx context.Context, id uuid.UUID) (client.Task, error) {
	return ask[client.Task](s.client.CancelTask(ctx, id))
}

// RetryTask has a FAILED or CANCELLED task run again.
func (s *Server) RetryTask(ctx context.Context, id uuid.UUID) (client.Task, error) {
	return ask[client.Task](s.client.RetryTask(ctx, id))
}

// DeleteFile deletes a file with everything that was made from it. What it has loaded into targets stays; with refuseLoads there must be
// none.
func (s *Server) DeleteFile(ctx context.Context, id uuid.UUID, refuseLoads bool) error {
	params := &client.DeleteFileParams{}
	if refuseLoads {
		params.Loads = new(client.DeleteFileParamsLoadsRefuse)
	}
	return askEmpty(s.client.DeleteFile(ctx, id, params))
}

// DeleteRows deletes the rows and rejects of a task, and leaves its file.
func (s *Server) DeleteRows(ctx context.Context, task uuid.UUID) error {
	return askEmpty(s.client.DeleteRows(ctx, task))
}
