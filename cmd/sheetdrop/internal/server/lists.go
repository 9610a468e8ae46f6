package server

import (
	"context"
	"iter"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// pageSize is how many items a request asks for.
const pageSize = 100

// list returns the items of a list, a page at a time: up to limit, all if that is 0. An error ends it.
func list[T any](limit int, page func(size int64, cursor *string) (items []T, next *string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var cursor *string
		for seen := 0; ; {
			size := pageSize
			if limit > 0 {
				size = min(size, limit-seen)
			}
			items, next, err := page(int64(size), cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if seen += len(items); next == nil || limit > 0 && seen >= limit {
				return
			}
			cursor = next
		}
	}
}

// FileFilter chooses files; its zero value all of the caller's.
type FileFilter struct {
	Limit   int
	Name    string // a part of the name
	Status  string // of the newest task; several with commas between them
	Rejects bool   // with rejects only
	SHA256  string
}

// Files lists the caller's files with their newest tasks, newest first.
func (s *Server) Files(ctx context.Context, f FileFilter) iter.Seq2[client.FileDetail, error] {
	params := client.GetFilesParams{Name: given[string](f.Name), Status: given[string](f.Status), Sha256: given[string](f.SHA256)}
	if f.Rejects {
		params.Rejects = &f.Rejects
	}
	return list(f.Limit, func(size int64, cursor *string) ([]client.FileDetail, *string, error) {
		params.Limit, params.Cursor = &size, cursor
		page, err := ask[client.ListFileDetail](s.client.GetFiles(ctx, &params))
		return page.Items, page.Next, err
	})
}

// TaskFilter chooses tasks; its zero value the newest one of each of the caller's files.
type TaskFilter struct {
	Limit    int
	Status   string
	Readings string // "all": also tasks that are not the newest one of their file
	All      bool   // of all owners, for operators
}

// Tasks lists tasks, newest first.
func (s *Server) Tasks(ctx context.Context, f TaskFilter) iter.Seq2[client.Task, error] {
	params := client.GetTasksParams{
		Status: given[client.GetTasksParamsStatus](f.Status), Readings: given[client.GetTasksParamsReadings](f.Readings),
	}
	if f.All {
		params.All = &f.All
	}
	return list(f.Limit, func(size int64, cursor *string) ([]client.Task, *string, error) {
		params.Limit, params.Cursor = &size, cursor
		page, err := ask[client.ListTask](s.client.GetTasks(ctx, &params))
		return page.Items, page.Next, err
	})
}

// MessageFilter chooses messages of the outbox; its zero value all of them.
type MessageFilter struct {
	Limit         int
	Status, Event string
	Task          *uuid.UUID
}

// Outbox lists messages that have not been sent, FAILED ones first.
func (s *Server) Outbox(ctx context.Context, f MessageFilter) iter.Seq2[client.Message, error] {
	params := client.GetOutboxParams{
		Status: given[client.GetOutboxParamsStatus](f.Status), EventType: given[string](f.Event), TaskID: f.Task,
	}
	return list(f.Limit, func(size int64, cursor *string) ([]client.Message, *string, error) {
		params.Limit, params.Cursor = &size, cursor
		page, err := ask[client.ListMessage](s.client.GetOutbox(ctx, &params))
		return page.Items, page.Next, err
	})
}

// DeadLetters lists messages that no delivery could handle, newest first.
func (s *Server) DeadLetters(ctx context.Context, limit int) iter.Seq2[client.DeadLetter, error] {
	return list(limit, func(size int64, cursor *string) ([]client.DeadLetter, *string, error) {
		page, err := ask[client.ListDeadLetter](s.client.GetDeadLetters(ctx, &client.GetDeadLettersParams{Limit: &size, Cursor: cursor}))
		return page.Items, page.Next, err
	})
}

// Actions lists what people have done, newest first.
func (s *Server) Actions(ctx context.Context, limit int) iter.Seq2[client.Action, error] {
	return list(limit, func(size int64, cursor *string) ([]client.Action, *string, error) {
		page, err := ask[client.ListAction](s.client.GetActions(ctx, &client.GetActionsParams{Limit: &size, Cursor: cursor}))
		return page.Items, page.Next, err
	})
}

// Overview returns how everything stands; for operators.
func (s *Server) Overview(ctx context.Context) (client.Overview, error) {
	return ask[client.Overview](s.client.GetOverview(ctx))
}

// IsOperator reports whether the caller may see what is everybody's.
func (s *Server) IsOperator(ctx context.Context) (bool, error) {
	me, err := ask[client.Me](s.client.GetMe(ctx))
	return me.Operator, err
}
