package server

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// MakeView makes a view of a sheet, or finds the one that is there. name may be "", for one that is made of the file's.
func (s *Server) MakeView(ctx context.Context, task uuid.UUID, sheet int64, name string, replace bool) (client.View, error) {
	return ask[client.View](s.client.MakeView(ctx, task, sheet, client.ViewRequest{Name: given[string](name), Replace: &replace}))
}

// Views returns all views of the caller, newest first.
func (s *Server) Views(ctx context.Context) (all []client.View, err error) {
	params := &client.GetViewsParams{}
	for {
		page, err := ask[client.ListView](s.client.GetViews(ctx, params))
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Items...); page.Next == nil {
			return all, nil
		}
		params.Cursor = page.Next
	}
}
