package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sheetdrop/internal/sheet"
)

// oneSheet refuses a file of several sheets, for an output that has room for one. What is wrong with the file itself is left to the
// reading, which meets it again.
func (r *reading) oneSheet(ctx context.Context, in *input) error {
	if r.options.Sheet != "" {
		return nil
	}
	sheets, err := r.sheets(ctx, in)
	if err != nil || len(sheets) < 2 {
		return nil //nolint:nilerr // see above
	}
	return badUsage{fmt.Errorf("%s has several sheets; choose one with --sheet: %s", in.name, strings.Join(sheets, ", "))}
}

// sheets names the sheets that would be read.
func (r *reading) sheets(ctx context.Context, in *input) (names []string, err error) {
	book, err := r.open(ctx, in)
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
			names = append(names, strings.TrimSpace(fmt.Sprintf("%d %s", s.Number(), printable(s.Name()))))
		}
	}
}

// noSheet makes bad usage of a refusal that is the caller's fault rather than the file's.
func noSheet(in *input, err error) error {
	if refusal, ok := errors.AsType[*sheet.Refusal](err); ok && refusal.Code == sheet.NoSuchSheet {
		return badUsage{fmt.Errorf("--sheet: %s: %s", in.name, printable(refusal.Message))}
	}
	return err
}

// badUsage is an error of who called the program.
type badUsage struct{ error }

const badUsageStatus = 2

// ExitCode is asked for by kong.
func (badUsage) ExitCode() int { return badUsageStatus }
