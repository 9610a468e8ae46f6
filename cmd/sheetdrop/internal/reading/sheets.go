package reading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// requireOneSheet returns an error if several sheets would be read, for an output that holds one. Errors of the file are left to the
// reading that follows, which meets them again.
func (f *File) requireOneSheet(ctx context.Context, in *input) error {
	if f.options.Sheet != "" {
		return nil
	}
	sheets, err := f.sheetNames(ctx, in)
	if err != nil || len(sheets) < 2 {
		return nil //nolint:nilerr // see above
	}
	return badUsage{words.Errorf("%s has several sheets; choose one with --sheet: %s", in.name, strings.Join(sheets, ", "))}
}

// sheetNames returns number and name of the sheets that would be read.
func (f *File) sheetNames(ctx context.Context, in *input) (names []string, err error) {
	book, err := f.open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		if !s.LeftOut() {
			names = append(names, strings.TrimSpace(fmt.Sprintf("%d %s", s.Number(), terminal.Printable(s.Name()))))
		}
	}
}
