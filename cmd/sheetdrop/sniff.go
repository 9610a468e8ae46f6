package main

import (
	"context"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

type sniffCommand struct {
	Reading reading.File `embed:""`
	Rows    int          `placeholder:"N" help:"Read the beginning of the file alone, and show its first N rows as well, up to 1000: what the preview of the HTTP interface shows."`
}

// Validate is called by kong: its errors are bad usage.
func (s *sniffCommand) Validate() error {
	if s.Rows < 0 || s.Rows > reading.MaxPreviewRows {
		return words.Errorf("--rows: 1 to %d", reading.MaxPreviewRows)
	}
	return nil
}

func (s *sniffCommand) Run(ctx context.Context, c *terminal.Console) error {
	switch {
	case s.Rows > 0:
		return s.Reading.SniffRows(ctx, os.Stdout, s.Rows, c.JSON)
	case c.JSON:
		return s.Reading.SniffJSON(ctx, os.Stdout)
	}
	return s.Reading.Sniff(ctx, os.Stdout)
}
