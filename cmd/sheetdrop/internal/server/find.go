package server

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// Found is a file with one of its tasks, as FileDetail has them.
type Found = client.FileDetail

// Find returns the task of an id with its file, or a file that has the id with its newest task, or the newest file that has the name.
func (s *Server) Find(ctx context.Context, what string) (Found, error) {
	id, err := uuid.Parse(what)
	if err != nil {
		return s.fileByName(ctx, what)
	}
	task, err := ask[client.Task](s.client.GetTask(ctx, id, &client.GetTaskParams{}))
	if HasCode(err, client.ProblemCodeNotFound) {
		return ask[Found](s.client.GetFile(ctx, id))
	}
	if err != nil {
		return Found{}, err
	}
	file, err := ask[Found](s.client.GetFile(ctx, task.FileID))
	file.Task = task
	return file, err
}

// FindTask returns the id of the task that Find finds.
func (s *Server) FindTask(ctx context.Context, what string) (uuid.UUID, error) {
	found, err := s.Find(ctx, what)
	return found.Task.ID, err
}

func (s *Server) fileByName(ctx context.Context, name string) (Found, error) {
	for file, err := range s.Files(ctx, FileFilter{Name: name}) {
		if err != nil || file.Name == name { // the service finds names that have this one in them
			return file, err
		}
	}
	return Found{}, words.Errorf("no file of the name %s was uploaded; `sheetdrop files` lists those that were", name)
}
