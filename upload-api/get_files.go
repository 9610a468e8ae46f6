package upload

import (
	"context"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
)

const defaultLimit = 1000

// ListInput is what every list takes. (huma looks into embedded structs that are exported, and no others.)
type ListInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"10000" doc:"How many at most; 1,000 if not given."`
	Cursor string `query:"cursor" doc:"The next of the answer before."`
}

func (in ListInput) limit() int {
	if in.Limit == 0 {
		return defaultLimit
	}
	return in.Limit
}

// List is one answer's share of a list.
type List[T any] struct {
	Items []T     `json:"items"`
	Next  *string `json:"next" doc:"The cursor to go on with; null at the end."`
}

type listOutput[T any] struct{ Body List[T] }

// FileDetail is a file with its newest task.
type FileDetail struct {
	File
	Task Task `json:"task" doc:"The newest one."`
}

// FileInput names a file.
type FileInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type fileOutput struct{ Body FileDetail }

// getFiles lists the caller's files, newest first.
func (h *Handler) getFiles(ctx context.Context, in *ListInput) (*listOutput[FileDetail], error) {
	before, err := decodeCursor(in.Cursor, "files", uuid.Max)
	if err != nil {
		return nil, err
	}
	found, more, err := h.db.Files(ctx, callerOf(ctx).Owner, before, in.limit())
	if err != nil {
		return nil, err
	}
	return answerPage(found, more, "files", func(f postgres.FileAndTask) uuid.UUID { return f.File.ID },
		func(f postgres.FileAndTask) FileDetail { return FileDetail{showFile(f.File), showTask(f.Task)} }), nil
}

// answerPage is the answer with a page of a list; place gives an item's place in it, for the cursor.
func answerPage[T, P, S any](page []T, more bool, list string, place func(T) P, show func(T) S) *listOutput[S] {
	out := &listOutput[S]{List[S]{Items: make([]S, len(page))}}
	for i, item := range page {
		out.Body.Items[i] = show(item)
	}
	if more {
		next := encodeCursor(list, place(page[len(page)-1]))
		out.Body.Next = &next
	}
	return out
}

func (h *Handler) getFile(ctx context.Context, in *FileInput) (*fileOutput, error) {
	found, err := h.db.File(ctx, callerOf(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &fileOutput{FileDetail{showFile(found.File), showTask(found.Task)}}, nil
}
