package main

import (
	"context"
	"errors"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/reading"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// waitFlag is that of commands that begin tasks.
type waitFlag struct {
	Wait bool `default:"true" negatable:"" help:"Wait until the files have been parsed, and show their rows; --no-wait ends once the server has them."`
}

// chosen are files and tasks that a command is about.
type chosen struct {
	What []string `arg:"" name:"task|file" help:"Tasks' or files' ids, or names of files: the newest one of each name."`
	serverFlags
}

// each does something with each of them, and continues after one that fails.
func (f *chosen) each(ctx context.Context, do func(*server.Server, server.Found) error) error {
	s, err := f.server()
	if err != nil {
		return err
	}
	var failed []error
	for _, what := range f.What {
		found, err := s.Find(ctx, what)
		if err == nil {
			err = do(s, found)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, about(what, err))
		}
	}
	return errors.Join(failed...)
}

// about returns an error that names what it is about.
func about(what string, err error) error {
	if strings.Contains(err.Error(), what) {
		return err
	}
	return words.Errorf("%s: %w", terminal.Printable(what), err)
}

type cancelCommand struct{ chosen }

func (cmd *cancelCommand) Run(ctx context.Context, c *terminal.Console) error {
	return cmd.each(ctx, func(s *server.Server, f server.Found) error {
		task, err := s.CancelTask(ctx, f.Task.ID)
		if err != nil {
			return err
		}
		c.Result(task, "%s: %s\n", terminal.Printable(f.Name), c.Status(string(task.Status)))
		return nil
	})
}

type retryCommand struct {
	chosen
	waitFlag
}

func (r *retryCommand) Run(ctx context.Context, c *terminal.Console) error {
	return r.each(ctx, func(s *server.Server, f server.Found) error {
		task, err := s.RetryTask(ctx, f.Task.ID)
		if err != nil {
			return err
		}
		return follow(ctx, c, s, f, task, upload.Views{None: true}, !r.Wait)
	})
}

// follow shows what becomes of a task.
func follow(
	ctx context.Context, c *terminal.Console, s *server.Server, f server.Found, task client.Task, views upload.Views, noWait bool,
) error {
	uploader := upload.New(c, s)
	uploader.NoWait, uploader.Views = noWait, views
	result, err := uploader.Follow(ctx, f.Name, f.SizeBytes, task)
	if err != nil {
		tellUnfinished(c, err)
		return err
	}
	return notLoaded(result.Failed)
}

type reparseCommand struct {
	What    string          `arg:"" name:"file" help:"A file's or a task's id, or the name of a file: the newest one of that name."`
	Target  string          `placeholder:"NAME" help:"Load the rows into this target; see 'sheetdrop target'."`
	Mode    string          `enum:",insert,upsert,replace" default:"" placeholder:"insert|upsert|replace" help:"What to do with rows whose key is in the target; as its definition says by default."`
	Reading reading.Options `embed:""`
	mapFlags
	waitFlag
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (r *reparseCommand) Validate() error {
	if r.Target == "" && (r.Mode != "" || len(r.Map) > 0) {
		return words.New("--mode and --map go with --target only")
	}
	if r.Reading.Save != "" {
		return words.New("--save-options needs the file: `sheetdrop sniff FILE --save-options=FILE`")
	}
	return r.Reading.Parse()
}

func (r *reparseCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := r.server()
	if err != nil {
		return err
	}
	s.Into = server.Into{Target: r.Target, Mode: r.Mode}
	if s.Into.Mapping, err = r.mapping(); err != nil {
		return err
	}
	options, err := r.Reading.JSON()
	if err != nil {
		return err
	}
	found, err := s.Find(ctx, r.What)
	if err != nil {
		return err
	}
	task, err := s.Reparse(ctx, found.ID, options)
	if err != nil {
		return err
	}
	return follow(ctx, c, s, found, task, upload.Views{None: r.Target != "", Command: "sheetdrop sql" + r.flags()}, !r.Wait)
}

type rmCommand struct {
	chosen
	Rows        bool `help:"Delete the rows and rejects of the tasks, and leave the files."`
	RefuseLoads bool `help:"Leave files whose rows are in a target. Otherwise these rows stay there, and can no longer be undone."`
	Yes         bool `short:"y" help:"Do not ask."`
}

func (r *rmCommand) Run(ctx context.Context, c *terminal.Console) error {
	return r.each(ctx, func(s *server.Server, f server.Found) error {
		if err := r.confirm(ctx, c, f); err != nil {
			return err
		}
		if r.Rows {
			if err := s.DeleteRows(ctx, f.Task.ID); err != nil {
				return err
			}
			c.Result(map[string]any{"task_id": f.Task.ID, "deleted": "rows"}, "%s: its rows and rejects are deleted\n", terminal.Printable(f.Name))
			return nil
		}
		if err := s.DeleteFile(ctx, f.ID, r.RefuseLoads); err != nil {
			return err
		}
		c.Result(map[string]any{"file_id": f.ID, "deleted": "file"}, "%s is deleted\n", terminal.Printable(f.Name))
		return nil
	})
}

// confirm returns an error unless the file may be deleted.
func (r *rmCommand) confirm(ctx context.Context, c *terminal.Console, f server.Found) error {
	if r.Yes {
		return nil
	}
	question := words.Sprintf("Delete %s of %s with its rows and rejects?", terminal.Printable(f.Name), terminal.When(f.CreatedAt))
	return confirmed(ctx, c, question)
}

// confirmed returns an error unless somebody answers a question with yes.
func confirmed(ctx context.Context, c *terminal.Console, question string) error {
	yes, asked := c.Ask(ctx, question)
	switch {
	case yes:
		return nil
	case asked:
		return words.New("left as it is")
	}
	return words.New("nobody can be asked here: --yes deletes without a question")
}
