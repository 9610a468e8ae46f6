package server

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// LoadOf returns the newest load of a file into a target that is still in place.
func (s *Server) LoadOf(ctx context.Context, target uuid.UUID, file string) (int64, error) {
	params := &client.GetLoadsParams{FileName: &file}
	for {
		page, err := ask[client.ListTargetLoad](s.client.GetLoads(ctx, target, params))
		if err != nil {
			return 0, err
		}
		for _, load := range page.Items {
			if load.UndoneAt == nil {
				return load.ID, nil
			}
		}
		if page.Next == nil {
			return 0, fmt.Errorf("no load of %s is in the target, or it was undone", file)
		}
		params.Cursor = page.Next
	}
}

// UndoLoad has a load taken back, and returns the task that does it.
func (s *Server) UndoLoad(ctx context.Context, target uuid.UUID, load int64) (client.Task, error) {
	return ask[client.Task](s.client.UndoLoad(ctx, target, load))
}
