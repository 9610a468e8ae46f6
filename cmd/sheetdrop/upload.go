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
	Corrects string        `placeholder:"TASK/SHEET" help:"The files have corrected rejects of this sheet, as 'sheetdrop rejects' writes them."`
	RetryFor time.Duration `default:"${retry_for}" placeholder:"DURATION" help:"How long to try again while the network or the server is away, for files above 4 MiB."`
	serverFlags
}

func (u *uploadCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := u.server()
	if err != nil {
		return err
	}
	s.RetryFor, s.Corrects = u.RetryFor, u.Corrects
	uploader := upload.New(c, s)
	uploader.Resume, uploader.ResumeCommand = u.Resume, uploader.ResumeCommand+u.flags()+u.corrects()
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

// corrects returns the flag with which another command corrects the same sheet.
func (u *uploadCommand) corrects() string {
	if u.Corrects == "" {
		return ""
	}
	return " --corrects " + terminal.ShellQuoted(u.Corrects)
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
