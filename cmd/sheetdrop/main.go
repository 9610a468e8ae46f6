// Command sheetdrop is the command line: it runs the whole of sheetdrop on this machine, brings a database to the schema
// that this build needs, makes the package for Azure, uploads files, and reads files without any of that.
package main

import (
	"context"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/alecthomas/kong"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/sheet"
)

type commandLine struct {
	Parse     parseCommand     `cmd:"" help:"Read a file and print its rows and what could not be read; needs no database."`
	Sniff     sniffCommand     `cmd:"" help:"Say how a file is read, and why: format, encoding, dialect, columns; needs no database."`
	Local     localCommand     `cmd:"" help:"Run everything on this machine, upload files and show their rows."`
	Upload    uploadCommand    `cmd:"" help:"Upload files to a running sheetdrop and show their rows."`
	Rows      rowsCommand      `cmd:"" help:"Download the rows of a sheet: as CSV, NDJSON, JSON, xlsx or Parquet."`
	Rejects   rejectsCommand   `cmd:"" help:"Download the rejects of a sheet; as xlsx, to be corrected and sent back by upload --corrects."`
	SQL       sqlCommand       `cmd:"" name:"sql" help:"Show the database's address and the views in it, and open it with psql."`
	Target    targetCommand    `cmd:"" help:"Create, list and change targets, the tables into which files are loaded, and match files to them."`
	Undo      undoCommand      `cmd:"" help:"Take a file's load out of a target, as if it had never been."`
	Redrive   redriveCommand   `cmd:"" help:"Queue FAILED messages again, or run FAILED tasks again; for operators."`
	Recover   recoverCommand   `cmd:"" help:"After a restore of the database: list the uploads that it lost, and recover them; for operators."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the database to the schema that this build needs."`
	Provision provisionCommand `cmd:"" help:"Prepare the database of a deployment: database, schema, the app's login and rights."`
	Package   packageCommand   `cmd:"" help:"Make the zip that is deployed to Azure: the handler and what the Functions host reads."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	ctx = endWithGoRun(ctx)

	grammar := commandLine{Parse: parseCommand{Reading: reading.New()}, Sniff: sniffCommand{Reading: reading.New()},
		Upload: uploadCommand{Reading: reading.NewOptions(true)}}
	grammar.Target.Match.Reading, grammar.Target.Propose.Reading = reading.New(), reading.New()
	command := kong.Parse(&grammar,
		kong.Name("sheetdrop"),
		kong.Description("Drop a CSV or Excel file over HTTP, and its rows appear in PostgreSQL, exactly once."),
		kong.Vars{"max_line": strconv.Itoa(sheet.DefaultLimits().RecordBytes), "retry_for": server.RetryFor.String()},
		kong.ShortUsageOnError(),
		kong.Exit(exit),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(terminal.NewConsole(os.Stdin, os.Stdout, os.Stderr)),
	)
	err := command.Run()
	if err != nil && ctx.Err() != nil {
		err = interrupted{} // rather than what failed because of it
	}
	command.FatalIfErrorf(err)
}

// interrupted is the error of a command that was told to stop.
type interrupted struct{}

func (interrupted) Error() string { return "interrupted" }

// ExitCode returns what a shell has for a program that Ctrl+C ends.
func (interrupted) ExitCode() int { return 130 }

// exit ends the program. 80 is kong's own status for a command line that it refuses.
func exit(status int) {
	if status == 80 {
		status = reading.BadUsageStatus
	}
	os.Exit(status)
}
