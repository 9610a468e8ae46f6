package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/client"
)

type undoCommand struct {
	File   string `arg:"" optional:"" help:"The name of a file: its newest load that is still in place is undone."`
	Target string `required:"" placeholder:"NAME" help:"The target."`
	Load   int64  `placeholder:"N" help:"The number of the load, in place of a file's name."`
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (u *undoCommand) Validate() error {
	if (u.File == "") == (u.Load == 0) {
		return errors.New("name a file, or a load with --load")
	}
	return nil
}

func (u *undoCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := u.server()
	if err != nil {
		return err
	}
	found, err := s.Target(ctx, u.Target)
	if err != nil {
		return err
	}
	load := u.Load
	if load == 0 {
		if load, err = s.LoadOf(ctx, found.ID, u.File); err != nil {
			return err
		}
	}
	task, err := s.UndoLoad(ctx, found.ID, load)
	if err != nil {
		return err
	}
	for task.FinishedAt == nil {
		if task, err = s.Task(ctx, task.ID, undoWait); err != nil {
			return err
		}
	}
	if task.Summary == nil || task.Summary.Undo == nil {
		return fmt.Errorf("load %d: the task %s is %s", load, task.ID, task.Status)
	}
	c.Printf("%s\n", undone(*task.Summary.Undo))
	return nil
}

// undoWait is how long one request waits for the task to end.
const undoWait = 20 * time.Second

// undone says what became of the rows.
func undone(u client.UndoSummary) string {
	text := fmt.Sprintf("load %d of %s is undone: %d %s taken out, %d set back", u.Load, terminal.Printable(u.Name), u.Removed,
		terminal.Plural(u.Removed, "row"), u.Restored)
	if u.Kept > 0 {
		text += fmt.Sprintf(", %d kept because somebody has edited them", u.Kept)
	}
	if u.Returned != nil && len(*u.Returned) > 0 {
		text += "; what counts again: load " + strings.Trim(strings.ReplaceAll(fmt.Sprint(*u.Returned), " ", ", "), "[]")
	}
	return text
}
