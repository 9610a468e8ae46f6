package main

import (
	"context"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/postgres/adopt"
)

// localOwner is whose all files of a 'sheetdrop local' are.
const localOwner = "local"

type adoptTargetCommand struct {
	Table    string   `arg:"" help:"The table as SQL has it, such as public.prices."`
	Owner    string   `placeholder:"OWNER" help:"Whose target it becomes, as 'target list' of theirs shows them. Of the 'sheetdrop local' on this machine there is one."`
	Name     string   `help:"Of the target. If it is not given: the table's."`
	Key      []string `placeholder:"A,B" help:"The columns of the unique index by which loads know rows. If they are not given: the primary key, or the only index that there is."`
	LeaveOut []string `placeholder:"A,B" help:"Columns that loads are not to write, besides those that they cannot."`
	Print    bool     `help:"Only print the statement, for the table's owner to run."`
	databaseFlags
}

func (a *adoptTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	database, err := a.database()
	if err != nil && !a.Print {
		return err
	}
	request := adopt.Request{Table: a.Table, Owner: a.Owner, Name: a.Name, Key: a.Key, LeaveOut: a.LeaveOut}
	if request.Owner == "" && a.isLocal() {
		request.Owner = localOwner
	}
	if request.Owner == "" {
		return words.New("say with --owner whose target it becomes")
	}
	if a.Print || database == "" {
		c.Step("The table's owner runs this in the database, with the role sheetdrop_adopter, which an operator grants:")
		c.Result(map[string]string{"sql": request.SQL()}, "%s\n", terminal.Printable(request.SQL()))
		return nil
	}
	columns, err := adopt.Adopt(ctx, database, request)
	if err != nil {
		return err
	}
	c.Result(map[string]any{"table": a.Table, "columns": columns}, "%s is a target; loads write %s\n", terminal.Printable(a.Table), terminal.Printable(written(columns)))
	for _, column := range columns {
		if column.LeftOut != "" {
			c.Printf("  %s is left to the table: %s\n", terminal.Printable(column.Name), terminal.Printable(column.LeftOut))
		}
	}
	return nil
}

func written(columns []adopt.Column) string {
	var names []string
	for _, column := range columns {
		if column.LeftOut == "" {
			names = append(names, column.Name)
		}
	}
	return strings.Join(names, ", ")
}

type releaseTargetCommand struct {
	Table string `arg:"" help:"The adopted table as SQL has it."`
	Print bool   `help:"Only print the statement, for the table's owner to run."`
	databaseFlags
}

func (r *releaseTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	database, err := r.database()
	if err != nil && !r.Print {
		return err
	}
	if r.Print || database == "" {
		c.Step("The table's owner runs this in the database:")
		c.Result(map[string]string{"sql": adopt.ReleaseSQL(r.Table)}, "%s\n", terminal.Printable(adopt.ReleaseSQL(r.Table)))
		return nil
	}
	if err := adopt.Release(ctx, database, r.Table); err != nil {
		return err
	}
	c.Result(map[string]string{"released": r.Table}, "%s is no target any more, and as it was\n", terminal.Printable(r.Table))
	return nil
}
