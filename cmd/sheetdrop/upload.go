package main

import (
	"context"
	"errors"
	"fmt"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
)

type uploadCommand struct {
	Files []string `arg:"" type:"existingfile" name:"file" help:"CSV and Excel files."`
	serverFlags
}

func (u *uploadCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := u.server()
	if err != nil {
		return err
	}
	failed, err := upload.New(c, s).Upload(ctx, upload.Files(u.Files))
	if stopped, ok := errors.AsType[upload.Interrupted](err); ok {
		for _, f := range stopped.Unfinished {
			c.Step("%s: the server has it and goes on. To cancel: curl -X POST %s/tasks/%s/cancel", terminal.Printable(f.Name), s.URL, f.Task)
		}
	}
	if err != nil {
		return err
	}
	return notLoaded(failed)
}

// notLoaded returns the error that so many files were not loaded, nil for none.
func notLoaded(files int) error {
	switch files {
	case 0:
		return nil
	case 1:
		return errors.New("one file was not loaded")
	}
	return fmt.Errorf("%d files were not loaded", files)
}
