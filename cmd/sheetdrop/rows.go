package main

import (
	"context"
	"os"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
)

type rowsCommand struct {
	What   string `arg:"" name:"task|file" help:"A task's or a file's id, or the name of a file: the newest one of that name."`
	Sheet  int64  `default:"1" placeholder:"N" help:"The sheet of a workbook, by its number from 1."`
	Format string `enum:"csv,ndjson" default:"csv" help:"csv or ndjson, an array of cells a line."`
	Raw    bool   `help:"Cells as the text in the file, rather than as values of their columns' types."`
	serverFlags
}

func (r *rowsCommand) Run(ctx context.Context, _ *terminal.Console) error {
	s, err := r.server()
	if err != nil {
		return err
	}
	task, err := s.FindTask(ctx, r.What)
	if err != nil {
		return err
	}
	return s.WriteRows(ctx, os.Stdout, task, r.Sheet, r.Format, r.Raw)
}
