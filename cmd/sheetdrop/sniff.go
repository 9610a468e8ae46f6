package main

import (
	"context"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/reading"
)

type sniffCommand struct {
	Reading reading.File `embed:""`
	JSON    bool         `name:"json" help:"Print one JSON object, for programs."`
}

func (s *sniffCommand) Run(ctx context.Context) error {
	if s.JSON {
		return s.Reading.SniffJSON(ctx, os.Stdout)
	}
	return s.Reading.Sniff(ctx, os.Stdout)
}
