package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

type undoCommand struct {
	File   string `arg:"" optional:"" help:"The name of a file: its newest load that is still in place is undone."`
	Target string `required:"" placeholder:"NAME" help:"The target."`
	Load   int64  `placeholder:"N" help:"The number of the load, in place of a file's name."`

	DeleteFile bool `help:"Take back all that the file has loaded, into whichever target, and delete it then."`
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (u *undoCommand) Validate() error {
	if (u.File == "") == (u.Load == 0) {
		return words.New("name a file, or a load with --load")
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
	load := client.TargetLoad{ID: u.Load}
	if u.Load == 0 {
		load, err = s.LoadOf(ctx, found.ID, u.File, u.DeleteFile)
	} else if u.DeleteFile {
		load, err = s.Load(ctx, found.ID, u.Load)
	}
	if err != nil {
		return err
	}
	if u.DeleteFile {
		return deleteWithLoads(ctx, c, s, load)
	}
	task, err := s.UndoLoad(ctx, found.ID, load.ID)
	if err != nil {
		return err
	}
	_, err = awaitUndo(ctx, c, s, task)
	return err
}

// deleteWithLoads has the file of a load deleted, and says what is taken back before.
func deleteWithLoads(ctx context.Context, c *terminal.Console, s *server.Server, load client.TargetLoad) error {
	for task, err := s.DeleteWithLoads(ctx, load.FileID); task != nil || err != nil; {
		if err != nil {
			return err
		}
		done, err := awaitUndo(ctx, c, s, *task)
		if err != nil {
			return err
		}
		if task = nil; done.Next != nil {
			task = &client.Task{ID: *done.Next}
		}
	}
	c.Result(map[string]any{"file_id": load.FileID, "deleted": "file"}, "%s is deleted\n", terminal.Printable(load.FileName))
	return nil
}

// awaitUndo waits until a task has ended, and says what it has taken back.
func awaitUndo(ctx context.Context, c *terminal.Console, s *server.Server, task client.Task) (done client.UndoSummary, err error) {
	for task.FinishedAt == nil {
		if task, err = s.Task(ctx, task.ID, undoWait); err != nil {
			return done, err
		}
	}
	if task.Summary == nil || task.Summary.Undo == nil {
		reason := ""
		if task.Error != nil {
			reason = ": " + terminal.Printable(words.Localized(task.Error.Message, optional(task.Error.MessageJA)))
		}
		return done, words.Errorf("the task %s is %s%s", task.ID, task.Status, reason)
	}
	c.Result(task, "%s\n", undone(*task.Summary.Undo))
	return *task.Summary.Undo, nil
}

// undoWait is how long one request waits for the task to end.
const undoWait = 20 * time.Second

// undone says what became of the rows.
func undone(u client.UndoSummary) string {
	text := words.Sprintf("load %d of %s is undone: %d %s taken out, %d set back", u.Load, terminal.Printable(u.Name), u.Removed,
		terminal.Plural(u.Removed, "row"), u.Restored)
	if u.Kept > 0 {
		text += words.Sprintf(", %d kept because somebody has edited them", u.Kept)
	}
	if u.Corrections != nil && len(*u.Corrections) > 0 {
		text += words.In("; with its corrections: load ") + listed(*u.Corrections)
	}
	if u.Returned != nil && len(*u.Returned) > 0 {
		text += words.In("; what counts again: load ") + listed(*u.Returned)
	}
	return text
}

// listed returns numbers of loads, separated by commas.
func listed(loads []int64) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(loads), " ", ", "), "[]")
}
