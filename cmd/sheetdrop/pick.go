package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet"
)

// pick gives the number of the sheet that --sheet means, 0 for all. A file of which one sheet alone is wanted may have no second one
// then. What is wrong with the file itself is left to the reading, which meets it again.
func (r *reading) pick(ctx context.Context, in *input, alone bool) (number int, err error) {
	if r.Sheet == "" && !alone {
		return 0, nil
	}
	visible, err := r.visibleSheets(ctx, in)
	switch {
	case err != nil:
		return 0, nil //nolint:nilerr // see above
	case r.Sheet != "":
		number = meant(visible, r.Sheet)
		if number == 0 {
			return 0, badUsage{fmt.Errorf("--sheet: %s has no visible sheet %q; there are %s", in.name, r.Sheet, list(visible))}
		}
	case len(visible) > 1:
		return 0, badUsage{fmt.Errorf("%s has several sheets; choose one with --sheet: %s", in.name, list(visible))}
	}
	return number, nil
}

func (r *reading) visibleSheets(ctx context.Context, in *input) (visible []*sheet.Sheet, err error) {
	book, err := r.open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return visible, nil
		}
		if err != nil {
			return nil, err
		}
		if s.Visible() {
			visible = append(visible, s)
		}
	}
}

// meant gives the number of the sheet of that name, or at that place.
func meant(sheets []*sheet.Sheet, sought string) (number int) {
	for _, s := range sheets {
		switch {
		case s.Name() == sought:
			return s.Number()
		case strconv.Itoa(s.Number()) == sought:
			number = s.Number()
		}
	}
	return number
}

func list(sheets []*sheet.Sheet) string {
	names := make([]string, len(sheets))
	for i, s := range sheets {
		names[i] = strings.TrimSpace(fmt.Sprintf("%d %s", s.Number(), printable(s.Name())))
	}
	return strings.Join(names, ", ")
}

// badUsage is an error of who called the program.
type badUsage struct{ error }

const badUsageStatus = 2

// ExitCode is asked for by kong.
func (badUsage) ExitCode() int { return badUsageStatus }
