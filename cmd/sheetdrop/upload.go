package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
)

type uploadCommand struct {
	Files    []string      `arg:"" type:"existingfile" name:"file" help:"CSV and Excel files."`
	Resume   bool          `help:"Go on with the uploads of these files that were broken off."`
	RetryFor time.Duration `default:"${retry_for}" placeholder:"DURATION" help:"How long to try again while the network or the server is away, for files above 4 MiB."`
	View     string        `placeholder:"NAME" xor:"view" help:"The name of the view of the rows, for SQL. If it is not given: it is made of the file's name."`
	Replace  bool          `help:"Have the view of that name show this file, if it shows another one."`
	NoView   bool          `xor:"view" help:"Make no view of the rows."`
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (u *uploadCommand) Validate() error {
	if u.View != "" && len(u.Files) > 1 {
		return errors.New("--view names the view of one file")
	}
	return nil
}

func (u *uploadCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := u.server()
	if err != nil {
		return err
	}
	s.RetryFor = u.RetryFor
	uploader := upload.New(c, s)
	uploader.Resume, uploader.ResumeCommand = u.Resume, uploader.ResumeCommand+u.flags()
	uploader.Views = upload.Views{None: u.NoView, Name: u.View, Replace: u.Replace, Command: "sheetdrop sql" + u.flags()}
	failed, err := uploader.Upload(ctx, upload.Files(u.Files))
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

// notLoaded returns the error for a number of files that were not loaded, nil for none.
func notLoaded(files int) error {
	switch files {
	case 0:
		return nil
	case 1:
		return errors.New("one file was not loaded")
	}
	return fmt.Errorf("%d files were not loaded", files)
}
