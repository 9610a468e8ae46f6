package main

import (
	"context"
	"errors"

	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/upload"
)

type localCommand struct {
	Files     []string `arg:"" optional:"" type:"existingfile" name:"file" help:"CSV and Excel files to upload. If there are none: the built-in samples."`
	NoSamples bool     `help:"Upload nothing if no files are given."`
	Once      bool     `help:"Stop when the files are done; exit 0 only if all of them were loaded."`
	Port      int      `placeholder:"N" help:"Where the API is served. If it is not given: 7071, or another if that is taken."`
	DBPort    int      `name:"database-port" placeholder:"N" help:"Where PostgreSQL listens. If it is not given: where it did the last time, or anywhere the first time."`
	Data      string   `type:"path" placeholder:"DIR" help:"Where the data is kept between runs. If it is not given: .sheetdrop in the checkout."`
}

func (l *localCommand) Run(ctx context.Context, c *terminal.Console) (err error) {
	files, err := l.files()
	if err != nil {
		return err
	}
	running, err := instance.Start(ctx, c, instance.Options{Data: l.Data, Port: l.Port, DatabasePort: l.DBPort})
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), instance.StopTimeout)
		defer cancel()
		err = errors.Join(err, running.Stop(ctx))
	}()
	uploader := upload.New(c, running.Server)
	if l.Data != "" {
		uploader.ResumeCommand += " --data " + terminal.ShellQuoted(l.Data)
	}
	var result upload.Result
	err = running.While(ctx, func(ctx context.Context) (err error) {
		result, err = uploader.Upload(ctx, files)
		return err
	})
	switch {
	case err != nil:
		return err
	case l.Once:
		return notLoaded(result.Failed)
	}
	return serve(ctx, c, running)
}

func (l *localCommand) files() ([]upload.File, error) {
	switch {
	case len(l.Files) > 0:
		return upload.Files(l.Files), nil
	case l.NoSamples:
		return nil, nil
	}
	return upload.Samples()
}

// serve says where everything is and waits for the end.
func serve(ctx context.Context, c *terminal.Console, running *instance.Instance) error {
	c.Value(running.Addresses())
	c.Printf("sheetdrop is running.\n")
	for _, a := range running.Addresses() {
		c.Printf("  %-13s %s\n", a.What, a.Where)
	}
	c.Printf(`
Upload more with `+"`sheetdrop upload FILE`"+` or
  curl --data-binary @FILE -H 'Content-Type: application/octet-stream' '%s/files?name=FILE'
Ctrl+C ends it; the data stays in %s.
`, running.Server.URL, running.DataFolder())
	err := running.Wait(ctx)
	if err == nil {
		c.Step("stopping")
	}
	return err
}
