package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
	"sheetdrop/internal/target"
)

type targetCommand struct {
	Create  createTargetCommand  `cmd:"" help:"Create a target of a definition in JSON: a table into which files are loaded."`
	List    listTargetsCommand   `cmd:"" help:"List the targets."`
	Show    showTargetCommand    `cmd:"" help:"Print the definition of a target."`
	Change  changeTargetCommand  `cmd:"" help:"Change the fields of a target's definition that a JSON file has."`
	Match   matchTargetCommand   `cmd:"" help:"Say which column of a file would go into which column of a target."`
	Propose proposeTargetCommand `cmd:"" help:"Print a definition made from the columns of a file; needs no server."`
	Drop    dropTargetCommand    `cmd:"" help:"Drop a target; its tables stay, unless told otherwise."`
	Adopt   adoptTargetCommand   `cmd:"" help:"Make a table that is there already a target, or print the statement by which its owner does."`
	Release releaseTargetCommand `cmd:"" help:"Release an adopted table as it was."`
}

type createTargetCommand struct {
	File string `arg:"" type:"existingfile" help:"The definition; - is standard input."`
	serverFlags
}

func (t *createTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, definition, err := t.serverAndFile(t.File)
	if err != nil {
		return err
	}
	made, err := s.CreateTarget(ctx, definition)
	if err != nil {
		return explained(err)
	}
	c.Result(made, "%s: the table %s is there\n", terminal.Printable(made.Name), tableOf(made))
	return nil
}

// serverAndFile returns the server, and the content of a file.
func (f *serverFlags) serverAndFile(path string) (*server.Server, []byte, error) {
	s, err := f.server()
	if err != nil {
		return nil, nil, err
	}
	if path == "-" {
		text, err := io.ReadAll(os.Stdin)
		return s, text, err
	}
	text, err := os.ReadFile(path)
	return s, text, err
}

// tableOf returns the name of a target's table as SQL has it.
func tableOf(t client.Target) string {
	return terminal.Printable(quoted(t.Table.Schema) + "." + quoted(t.Table.Name))
}

func quoted(name string) string {
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && name[0] > '9'
	if plain {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// explained puts everything that is wrong with a definition on a line of its own.
func explained(err error) error {
	refused, ok := errors.AsType[*client.Problem](err)
	if !ok || refused.Errors == nil {
		return err
	}
	var text strings.Builder
	text.WriteString(string(refused.Code))
	for _, e := range *refused.Errors {
		japanese := ""
		if e.MessageJA != nil {
			japanese = *e.MessageJA
		}
		fmt.Fprintf(&text, "\n  %s  %s", terminal.Printable(e.Location), terminal.Printable(words.Localized(e.Message, japanese)))
	}
	return words.New(text.String())
}

type listTargetsCommand struct{ serverFlags }

func (t *listTargetsCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := t.server()
	if err != nil {
		return err
	}
	all, err := s.Targets(ctx)
	if err != nil {
		return err
	}
	table := terminal.Table{UncutLast: true}
	table.Header("name", "version", "may", "table")
	for _, found := range all {
		c.Value(found)
		table.Add(found.Name, fmt.Sprint(found.Version), strings.Join(found.May, ", "), tableOf(found))
	}
	showTable(c, &table, words.In("There are no targets yet: `sheetdrop target propose FILE` prints a definition for `sheetdrop target create`."))
	return nil
}

type targetName struct {
	Name string `arg:"" help:"The target's name, or its id."`
	serverFlags
}

func (t *targetName) find(ctx context.Context) (*server.Server, client.Target, error) {
	s, err := t.server()
	if err != nil {
		return nil, client.Target{}, err
	}
	found, err := s.Target(ctx, t.Name)
	return s, found, err
}

type showTargetCommand struct{ targetName }

func (t *showTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	_, found, err := t.find(ctx)
	if err != nil {
		return err
	}
	return printJSON(c, found.Definition)
}

// printJSON prints what can be written into a file and sent back.
func printJSON(c *terminal.Console, value any) error {
	if c.JSON {
		c.Value(value)
		return nil
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	c.Printf("%s", text.String())
	return nil
}

type changeTargetCommand struct {
	Name string `arg:"" help:"The target's name, or its id."`
	File string `arg:"" type:"existingfile" help:"The fields that change; - is standard input."`
	serverFlags
}

func (t *changeTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, fields, err := t.serverAndFile(t.File)
	if err != nil {
		return err
	}
	found, err := s.Target(ctx, t.Name)
	if err != nil {
		return err
	}
	changed, err := s.ChangeTarget(ctx, found.ID, fields)
	if err != nil {
		return explained(err)
	}
	c.Result(changed, "%s: version %d\n", terminal.Printable(changed.Name), changed.Version)
	return nil
}

type proposeTargetCommand struct {
	Reading reading.File `embed:""`
}

func (t *proposeTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	columns, err := t.Reading.Columns(ctx)
	if err != nil {
		return err
	}
	return printJSON(c, target.Propose(t.Reading.Path, columns))
}

type dropTargetCommand struct {
	targetName
	Table bool `help:"Drop its tables, too, unless something depends on them."`
}

func (t *dropTargetCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, found, err := t.find(ctx)
	if err != nil {
		return err
	}
	if err := s.DropTarget(ctx, found.ID, t.Table); err != nil {
		return explained(err)
	}
	dropped := map[string]any{"dropped": found.Name, "table": t.Table}
	if t.Table {
		c.Result(dropped, "%s and its table are dropped\n", terminal.Printable(found.Name))
	} else {
		c.Result(dropped, "%s is dropped; the table %s stays\n", terminal.Printable(found.Name), tableOf(found))
	}
	return nil
}
