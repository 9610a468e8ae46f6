package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
)

type uploadCommand struct {
	Files    []string        `arg:"" type:"existingfile" name:"file" help:"CSV and Excel files."`
	Again    bool            `help:"Upload files whose bytes are there already once more. Otherwise they are not uploaded, unless you say so on a terminal."`
	Corrects string          `placeholder:"TASK/SHEET" help:"The files have corrected rejects of this sheet, as 'sheetdrop rejects' writes them."`
	Resume   bool            `help:"Go on with the uploads of these files that were broken off."`
	RetryFor time.Duration   `default:"${retry_for}" placeholder:"DURATION" help:"How long to try again while the network or the server is away, for files above 4 MiB."`
	View     string          `placeholder:"NAME" xor:"view" help:"The name of the view of the rows, for SQL. If it is not given: it is made of the file's name."`
	Replace  bool            `help:"Have the view of that name show this file, if it shows another one."`
	NoView   bool            `xor:"view" help:"Make no view of the rows."`
	Target   string          `placeholder:"NAME" help:"Load the rows into this target; see 'sheetdrop target'."`
	Mode     string          `enum:",insert,upsert,replace" default:"" placeholder:"insert|upsert|replace" help:"What to do with rows whose key is in the target; as its definition says by default."`
	Series   string          `placeholder:"NAME" help:"The load takes the place of the earlier one of this series in the target, as a branch's next monthly file does."`
	Reading  reading.Options `embed:""`
	mapFlags
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (u *uploadCommand) Validate() error {
	switch {
	case u.View != "" && len(u.Files) > 1:
		return errors.New("--view names the view of one file")
	case u.Reading.Save != "" && len(u.Files) != 1:
		return errors.New("--save-options goes with one file")
	case u.Target == "" && u.Mode+u.Series+strings.Join(u.Map, "") != "":
		return errors.New("--mode, --series and --map go with --target only")
	case u.Series != "" && len(u.Files) > 1:
		return errors.New("--series goes with one file: each would take the place of the one before")
	}
	if _, err := u.mapping(); err != nil {
		return err
	}
	return u.Reading.Parse()
}

// into returns what the flags say of a target.
func (u *uploadCommand) into() (into server.Into, err error) {
	into = server.Into{Target: u.Target, Mode: u.Mode, Series: u.Series}
	into.Mapping, err = u.mapping()
	return into, err
}

// targetFlags returns those that go on with an upload into the same target.
func (u *uploadCommand) targetFlags() (text string) {
	for _, flag := range [][2]string{{"target", u.Target}, {"mode", u.Mode}, {"series", u.Series}} {
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
	s.RetryFor, s.Corrects = u.RetryFor, u.Corrects
	if s.Into, err = u.into(); err != nil {
		return err
	}
	uploader := upload.New(c, s)
	uploader.Resume, uploader.ResumeCommand, uploader.Again = u.Resume, uploader.ResumeCommand+u.targetFlags()+u.flags()+u.corrects(), u.Again
	uploader.Views = upload.Views{None: u.NoView || u.Target != "", Name: u.View, Replace: u.Replace, Command: "sheetdrop sql" + u.flags()}
	if uploader.Options, err = u.Reading.JSON(); err != nil {
		return err
	}
	if u.Reading.Save != "" {
		if err := u.Reading.SaveFor(ctx, u.Files[0]); err != nil {
			return err
		}
	}
	result, err := uploader.Upload(ctx, upload.Files(u.Files))
	if stopped, ok := errors.AsType[upload.Interrupted](err); ok {
		for _, f := range stopped.Unfinished {
			c.Step("%s: the server has it and goes on. To cancel: curl -X POST %s/tasks/%s/cancel", terminal.Printable(f.Name), s.URL, f.Task)
		}
	}
	if err != nil {
		return err
	}
	if err := notLoaded(result.Failed); err != nil || result.Same == 0 {
		return err
	}
	return notUploadedAgain{result.Same}
}

// notUploadedAgain is the error of files that were not uploaded because their bytes are there already.
type notUploadedAgain struct{ files int }

func (n notUploadedAgain) Error() string {
	if n.files == 1 {
		return "one file was there already and was not uploaded again"
	}
	return fmt.Sprintf("%d files were there already and were not uploaded again", n.files)
}

// ExitCode is called by kong.
func (notUploadedAgain) ExitCode() int { return 3 }

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
