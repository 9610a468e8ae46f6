// Command sheetdrop is the command line: it runs the whole of sheetdrop on this machine, brings a database to the schema
// that this build needs, and uploads files.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

type commandLine struct {
	Local   localCommand   `cmd:"" help:"Run everything on this machine, upload files and show their rows."`
	Upload  uploadCommand  `cmd:"" help:"Upload files to a running sheetdrop and show their rows."`
	Migrate migrateCommand `cmd:"" help:"Bring the database to the schema that this build needs."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // who asks a second time does not want to wait
	ctx = endWithGoRun(ctx)

	command := kong.Parse(&commandLine{},
		kong.Name("sheetdrop"),
		kong.Description("Drop a CSV or Excel file over HTTP, and its rows appear in PostgreSQL, exactly once."),
		kong.ShortUsageOnError(),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(newConsole(os.Stdout, os.Stderr)),
	)
	err := command.Run()
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted") // rather than what failed because of it
	}
	command.FatalIfErrorf(err)
}
