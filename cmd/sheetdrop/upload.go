package main

import (
	"context"
	"errors"
	"fmt"
)

type uploadCommand struct {
	Files []string `arg:"" type:"existingfile" name:"file" help:"CSV and Excel files."`
	server
}

func (u *uploadCommand) Run(ctx context.Context, c *console) error {
	a, err := u.api()
	if err != nil {
		return err
	}
	failed, err := deliver(ctx, c, a, filesAt(u.Files))
	if stopped, ok := errors.AsType[interrupted](err); ok {
		for _, d := range stopped.unfinished {
			c.step("%s: the server has it and goes on. To cancel: curl -X POST %s/tasks/%s/cancel", printable(d.name), a.url, d.task.ID)
		}
	}
	if err != nil {
		return err
	}
	return failure(failed)
}

func failure(files int) error {
	switch files {
	case 0:
		return nil
	case 1:
		return errors.New("one file was not loaded")
	}
	return fmt.Errorf("%d files were not loaded", files)
}
