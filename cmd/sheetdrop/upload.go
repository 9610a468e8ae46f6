package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
)

type uploadCommand struct {
	Files    []string      `arg:"" type:"existingfile" name:"file" help:"CSV and Excel files."`
	Resume   bool          `help:"Go on with the uploads of these files that were broken off."`
	RetryFor time.Duration `default:"${retry_for}" placeholder:"DURATION" help:"How long to try again while the network or the server is away, for files above 4 MiB."`
	Target   string        `placeholder:"NAME" help:"Load the rows into this target; see 'sheetdrop target'."`
	Mode     string        `enum:",insert,upsert,replace" default:"" placeholder:"insert|upsert|replace" help:"What to do with rows whose key is in the target; as its definition says by default."`
	mapFlags
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (u *uploadCommand) Validate() error {
	if u.Target == "" && u.Mode+strings.Join(u.Map, "") != "" {
		return errors.New("--mode and --map go with --target only")
	}
	_, err := u.mapping()
	return err
}

// into returns what the flags say of a target.
func (u *uploadCommand) into() (into server.Into, err error) {
	into = server.Into{Target: u.Target, Mode: u.Mode}
	into.Mapping, err = u.mapping()
	return into, err
}

// targetFlags returns those that go on with an upload into the same target.
func (u *uploadCommand) targetFlags() (text string) {
	for _, flag := range [][2]string{{"target", u.Target}, {"mode", u.Mode}} {
		if flag[1] != "" {
			text += " --" + flag[0] + " " + terminal.ShellQuoted(flag[1])
		}
	}
	for _, m := range u.Map {
		text += " --map " + terminal.ShellQuoted(m)
	}
	return text
}

func (u *uploadCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := u.server()
	if err != nil {
		return err
	}
	s.RetryFor = u.RetryFor
	if s.Into, err = u.into(); err != nil {
		return err
	}
	uploader := upload.New(c, s)
	uploader.Resume, uploader.ResumeCommand = u.Resume, uploader.ResumeCommand+u.targetFlags()+u.flags()
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
