package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// databaseFlags name a running sheetdrop and its database.
type databaseFlags struct {
	Database string `env:"SHEETDROP_DATABASE_URL" placeholder:"postgres://…" help:"The address of the database. If it is not given: that of the 'sheetdrop local' on this machine."`
	serverFlags
}

type sqlCommand struct {
	Print bool `help:"Only print, although psql is there and this is a terminal."`
	databaseFlags
}

func (s *sqlCommand) Run(ctx context.Context, c *terminal.Console) error {
	running, err := s.server()
	if err != nil {
		return err
	}
	views, err := running.Views(ctx)
	if err != nil {
		return err
	}
	database, err := s.database()
	if err != nil {
		return err
	}
	if c.JSON {
		c.Value(map[string]any{"database": database, "views": views})
		return nil
	}
	showViews(c, views)
	if database == "" {
		c.Step("The operator of %s knows the address of its database: set it with --database.", running.URL)
		return nil
	}
	if psql, err := exec.LookPath("psql"); err == nil && !s.Print && terminal.IsTerminal(os.Stdin) && terminal.IsTerminal(os.Stdout) {
		return open(ctx, psql, database)
	}
	c.Printf("%s\n", database)
	return nil
}

// database returns the address of the database, "" if it is not known.
func (f *databaseFlags) database() (string, error) {
	if !f.isLocal() {
		return f.Database, nil
	}
	running, err := f.local()
	return running.DatabaseURL, err
}

// isLocal reports whether the database is that of a 'sheetdrop local' on this machine.
func (f *databaseFlags) isLocal() bool { return f.Database == "" && !f.isElsewhere() }

// showViews prints the statements that read the views, to the error output: what is printed besides is the address alone.
func showViews(c *terminal.Console, views []client.View) {
	if len(views) == 0 {
		c.Step("There are no views yet: `sheetdrop upload FILE` makes one.")
		return
	}
	for _, v := range views {
		c.Step("%s;  -- %s", terminal.Printable(v.SQL), terminal.Printable(v.FileName))
	}
}

// open has psql take the place of this program, so that it alone has the terminal and its signals.
func open(ctx context.Context, psql, database string) error {
	if runtime.GOOS != "windows" {
		return words.Errorf("start psql: %w", syscall.Exec(psql, []string{psql, database}, os.Environ()))
	}
	command := exec.CommandContext(ctx, psql, database)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	return command.Run()
}
