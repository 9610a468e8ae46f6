package server

import (
	"context"
	"fmt"

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

// FindTask returns the task of an id, or the newest one of a file that has the id, or of the newest file that has the name.
func (s *Server) FindTask(ctx context.Context, what string) (uuid.UUID, error) {
	id, err := uuid.Parse(what)
	if err != nil {
		return s.taskByName(ctx, what)
	}
	task, err := ask[client.Task](s.client.GetTask(ctx, id, &client.GetTaskParams{}))
	if HasCode(err, client.ProblemCodeNotFound) {
		file, err := ask[client.FileDetail](s.client.GetFile(ctx, id))
		return file.Task.ID, err
	}
	return task.ID, err
}

func (s *Server) taskByName(ctx context.Context, name string) (uuid.UUID, error) {
	params := &client.GetFilesParams{}
	for {
		page, err := ask[client.ListFileDetail](s.client.GetFiles(ctx, params))
		if err != nil {
			return uuid.Nil, err
		}
		for _, file := range page.Items {
			if file.Name == name {
				return file.Task.ID, nil
			}
		}
		if page.Next == nil {
			return uuid.Nil, fmt.Errorf("no file of the name %s was uploaded", name)
		}
		params.Cursor = page.Next
	}
}
