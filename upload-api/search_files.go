package upload

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
)

// SearchInput selects files by their names and newest tasks.
type SearchInput struct {
	Name    namePart `query:"name" doc:"Only files with this in their names; case does not matter."`
	Status  statuses `query:"status" doc:"Only files whose newest task has one of these, with commas between them."`
	Rejects bool     `query:"rejects" doc:"Only files of whose newest task records were rejected."`
	export.TimeInput
}

func (in SearchInput) search() postgres.FileSearch {
	return postgres.FileSearch{Name: in.Name.text, Statuses: in.Status.list, Rejects: in.Rejects,
		CreatedAfter: export.OrNil(in.CreatedAfter), CreatedBefore: export.OrNil(in.CreatedBefore)}
}

// maxNamePart is how many characters are searched for at most; names have no more.
const maxNamePart = 255

// namePart is a part of a file's name, in Unicode NFC as names are kept.
type namePart struct{ text string }

// UnmarshalText refuses what no name can have.
func (n *namePart) UnmarshalText(text []byte) error {
	if !utf8.Valid(text) || utf8.RuneCount(text) > maxNamePart || bytes.ContainsRune(text, 0) {
		return fmt.Errorf("expected up to %d characters of UTF-8", maxNamePart)
	}
	n.text = norm.NFC.String(string(text))
	return nil
}

// Schema describes the parameter in the OpenAPI document.
func (namePart) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"prices"}}
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
	out := export.AnswerPage(ctx, found, false, filesList, func(f postgres.FileAndTask) uuid.UUID { return f.File.ID }, showFileDetail)
	if next != uuid.Nil {
		out.SetNext(ctx, export.EncodeCursor(filesList, next))
	}
	return out, nil
}
