package server

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// FindHistory returns the life of the task that Find finds, and by its id also of one whose file was deleted. An operator is told of
// anybody's.
func (s *Server) FindHistory(ctx context.Context, what string) (client.TaskHistory, error) {
	if id, err := uuid.Parse(what); err == nil {
		history, err := s.history(ctx, id)
		if !HasCode(err, client.ProblemCodeNotFound) {
			return history, err
		}
	}
	id, err := s.FindTask(ctx, what)
	if err != nil {
		return client.TaskHistory{}, err
	}
	return s.history(ctx, id)
}

func (s *Server) history(ctx context.Context, id uuid.UUID) (client.TaskHistory, error) {
	params := &client.GetTaskHistoryParams{}
	history, err := ask[client.TaskHistory](s.client.GetTaskHistory(ctx, id, params))
	if !HasCode(err, client.ProblemCodeNotFound) {
		return history, err
	}
	if operator, _ := s.IsOperator(ctx); !operator {
		return history, err
	}
	params.All = new(true)
	return ask[client.TaskHistory](s.client.GetTaskHistory(ctx, id, params))
}
