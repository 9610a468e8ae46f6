package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

type uploadCommand struct {
	Files    []string        `arg:"" name:"file" help:"CSV and Excel files, patterns such as *.csv, folders with files, URLs that the server fetches, or - for standard input."`
	Name     string          `placeholder:"NAME" help:"The name of what comes from standard input, or from a URL."`
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
	waitFlag
	serverFlags

	expanded, leftOut []string
}

// Validate is called by kong: its errors are bad usage.
func (u *uploadCommand) Validate() error {
	if err := u.expand(); err != nil {
		return err
	}
	switch {
	case u.View != "" && u.several():
		return words.New("--view names the view of one file")
	case u.Reading.Save != "" && (u.several() || len(u.expanded) == 0):
		return words.New("--save-options goes with one file")
	case u.Target == "" && u.Mode+u.Series+strings.Join(u.Map, "") != "":
		return words.New("--mode, --series and --map go with --target only")
	case u.Series != "" && u.several():
		return words.New("--series goes with one file: each would take the place of the one before")
	}
	if _, err := u.mapping(); err != nil {
		return err
	}
	return u.Reading.Parse()
}

// expand finds the files that the arguments name.
func (u *uploadCommand) expand() (err error) {
	switch {
	case slices.Contains(u.Files, "-") && len(u.Files) > 1:
		return words.New("- is standard input, and goes alone")
	case u.isInput() && u.Name == "":
		return words.New("--name says what standard input is called, such as --name=list.csv")
	case u.Name != "" && !u.isInput() && !(len(u.Files) == 1 && isURL(u.Files[0])):
		return words.New("--name goes with - or one URL only")
	case u.isInput():
		return nil
	}
	files := slices.DeleteFunc(slices.Clone(u.Files), isURL)
	u.expanded, u.leftOut, err = upload.Expand(files)
	if err == nil && len(u.expanded) == 0 && len(files) > 0 {
		err = words.Errorf("no tables are in %s", strings.Join(u.Files, ", "))
	}
	return err
}

func isURL(argument string) bool {
	return strings.HasPrefix(argument, "https://") || strings.HasPrefix(argument, "http://")
}

func (u *uploadCommand) isInput() bool { return len(u.Files) == 1 && u.Files[0] == "-" }

func (u *uploadCommand) several() bool { return len(u.expanded) > 1 || len(u.Files) > 1 }

// files returns what is uploaded, and says what is not.
func (u *uploadCommand) files(c *terminal.Console) []upload.File {
	if u.isInput() {
		return []upload.File{upload.Input(u.Name, os.Stdin)}
	}
	if n := len(u.leftOut); n > 0 {
		c.Step("%d %s left out, which do not look like tables: %s", n, terminal.Plural(int64(n), "file"), terminal.Printable(shown(u.leftOut)))
	}
	files := upload.Files(u.expanded)
	for _, argument := range u.Files {
		if isURL(argument) {
			files = append(files, upload.File{Name: u.Name, URL: argument})
		}
	}
	return files
}

// mostShown is how many names of a list are printed.
const mostShown = 5

func shown(names []string) string {
	if len(names) <= mostShown {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:mostShown], ", ") + ", …"
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
		if err := u.Reading.SaveFor(ctx, u.expanded[0]); err != nil {
			return err
		}
	}
	uploader.NoWait = !u.Wait
	result, err := uploader.Upload(ctx, u.files(c))
	if err != nil {
		tellUnfinished(c, err)
		return err
	}
	if err := notLoaded(result.Failed); err != nil || result.Same == 0 {
		return err
	}
	return notUploadedAgain{result.Same}
}

// tellUnfinished says what an interrupted wait has left to the server.
func tellUnfinished(c *terminal.Console, err error) {
	stopped, _ := errors.AsType[upload.Interrupted](err)
	for _, f := range stopped.Unfinished {
		c.Step("%s: the server has it and goes on. To cancel: sheetdrop cancel %s", terminal.Printable(f.Name), f.Task)
	}
}

// notUploadedAgain is the error of files that were not uploaded because their bytes are there already.
type notUploadedAgain struct{ files int }

func (n notUploadedAgain) Error() string {
	if n.files == 1 {
		return words.In("one file was there already and was not uploaded again")
	}
	return words.Sprintf("%d files were there already and were not uploaded again", n.files)
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
		return words.New("one file was not loaded")
	}
	return words.Errorf("%d files were not loaded", files)
}
