package server

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// errNoLoad says that the target has no such load.
var errNoLoad = words.New("there is no such load in the target")

// LoadOf returns the newest load of a file into a target: one that is still in place, unless undone ones will do.
func (s *Server) LoadOf(ctx context.Context, target uuid.UUID, file string, undone bool) (client.TargetLoad, error) {
	wanted := func(l client.TargetLoad) bool { return undone || l.UndoneAt == nil }
	found, err := s.findLoad(ctx, target, &client.GetLoadsParams{FileName: &file}, wanted)
	if errors.Is(err, errNoLoad) {
		err = words.Errorf("no load of %s is in the target, or it was undone", file)
	}
	return found, err
}

// Load returns a load of a target by its number.
func (s *Server) Load(ctx context.Context, target uuid.UUID, number int64) (client.TargetLoad, error) {
	return s.findLoad(ctx, target, &client.GetLoadsParams{}, func(l client.TargetLoad) bool { return l.ID == number })
}

func (s *Server) findLoad(
	ctx context.Context, target uuid.UUID, params *client.GetLoadsParams, wanted func(client.TargetLoad) bool,
) (client.TargetLoad, error) {
	for {
		page, err := ask[client.ListTargetLoad](s.client.GetLoads(ctx, target, params))
		if err != nil {
			return client.TargetLoad{}, err
		}
		for _, load := range page.Items {
			if wanted(load) {
				return load, nil
			}
		}
		if page.Next == nil {
			return client.TargetLoad{}, errNoLoad
		}
		params.Cursor = page.Next
	}
}

// UndoLoad has a load taken back, and returns the task that does it.
func (s *Server) UndoLoad(ctx context.Context, target uuid.UUID, load int64) (client.Task, error) {
	return ask[client.Task](s.client.UndoLoad(ctx, target, load))
}

// DeleteWithLoads has a file deleted once all that it has loaded into targets is taken back. It returns the task that takes the first load
// back, or nil where there was none, and the file is deleted.
func (s *Server) DeleteWithLoads(ctx context.Context, file uuid.UUID) (*client.Task, error) {
	answer, err := s.client.DeleteFile(ctx, file, &client.DeleteFileParams{Loads: new(client.DeleteFileParamsLoadsUndo)})
	if err == nil && answer.StatusCode == http.StatusNoContent {
		_, err = io.Copy(io.Discard, answer.Body)
		return nil, errors.Join(err, answer.Body.Close())
	}
	task, err := ask[client.Task](answer, err)
	return &task, err
}
