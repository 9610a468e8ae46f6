package main

import (
	"context"
	"fmt"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/reading"
)

type sniffCommand struct {
	Reading reading.File `embed:""`
	JSON    bool         `name:"json" help:"Print one JSON object, for programs."`
	Rows    int          `placeholder:"N" help:"Read the beginning of the file alone, and show its first N rows as well, up to 1000: what the preview of the HTTP interface shows."`
}

// Validate is called by kong: its errors are bad usage.
func (s *sniffCommand) Validate() error {
	if s.Rows < 0 || s.Rows > reading.MaxPreviewRows {
		return fmt.Errorf("--rows: 1 to %d", reading.MaxPreviewRows)
	}
	return nil
}

func (s *sniffCommand) Run(ctx context.Context) error {
	switch {
	case s.Rows > 0:
		return s.Reading.SniffRows(ctx, os.Stdout, s.Rows, s.JSON)
	case s.JSON:
		return s.Reading.SniffJSON(ctx, os.Stdout)
	}
	return s.Reading.Sniff(ctx, os.Stdout)
}
