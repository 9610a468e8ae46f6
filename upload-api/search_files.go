package upload

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
)

// SearchInput selects files by their names and newest tasks.
type SearchInput struct {
	Name    string   `query:"name" maxLength:"255" pattern:"^[^\\x00]*$" doc:"Only files with this in their names; case does not matter."`
	Status  statuses `query:"status" doc:"Only files whose newest task has one of these, with commas between them."`
	Rejects bool     `query:"rejects" doc:"Only files of whose newest task records were rejected."`
}

func (in SearchInput) search() postgres.FileSearch {
	return postgres.FileSearch{Name: norm.NFC.String(in.Name), Statuses: in.Status.list, Rejects: in.Rejects}
}

// statuses are several statuses in one parameter.
type statuses struct{ list []task.Status }

// UnmarshalText parses statuses with commas between them.
func (s *statuses) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		status := task.Status(name)
		if !status.Valid() {
			return fmt.Errorf("%q is no status", name)
		}
		s.list = append(s.list, status)
	}
	return nil
}

// searchFiles lists the caller's files that a search finds, newest first. A page may be empty and still have a next.
func (f *files) searchFiles(ctx context.Context, filter postgres.FileFilter, in *getFilesInput, before uuid.UUID) (
	*export.ListOutput[FileDetail], error) {
	found, next, err := f.DB.SearchFiles(ctx, filter, in.search(), before, in.PageSize())
	if err != nil {
		return nil, err
	}
	out := export.AnswerPage(found, false, filesList, func(f postgres.FileAndTask) uuid.UUID { return f.File.ID }, showFileDetail)
	if next != uuid.Nil {
		cursor := export.EncodeCursor(filesList, next)
		out.Body.Next = &cursor
	}
	return out, nil
}
