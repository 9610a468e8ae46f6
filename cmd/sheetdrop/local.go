package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"sheetdrop/internal/devstack"
)

type localCommand struct {
	Files     []string `arg:"" optional:"" type:"existingfile" name:"file" help:"CSV and Excel files to upload. If there are none: the built-in samples."`
	NoSamples bool     `help:"Upload nothing if no files are given."`
	Once      bool     `help:"Stop when the files are done; exit 0 only if all of them were loaded."`
	Port      int      `placeholder:"N" help:"Where the API is served. If it is not given: 7071, or another if that is taken."`
	Data      string   `type:"path" placeholder:"DIR" help:"Where the data is kept between runs. If it is not given: .sheetdrop in the checkout."`
}

// stopTime is what everything gets to end in order.
const stopTime = 30 * time.Second

func (l *localCommand) Run(ctx context.Context, c *console) (err error) {
	files, err := l.files()
	if err != nil {
		return err
	}
	app, err := startApp(ctx, c, l.Data, l.Port)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		err = errors.Join(err, app.stop(ctx))
	}()
	failed, err := deliver(ctx, c, app.api, files)
	switch {
	case err != nil:
		return err
	case l.Once:
		return failure(failed)
	}
	return app.stay(ctx, c)
}

func (l *localCommand) files() ([]sendable, error) {
	switch {
	case len(l.Files) > 0:
		return filesAt(l.Files), nil
	case l.NoSamples:
		return nil, nil
	}
	return builtInSamples()
}

// stay says where everything is and waits until somebody wants the end.
func (a *app) stay(ctx context.Context, c *console) error {
	c.printf("sheetdrop runs.\n")
	for _, line := range []struct{ what, where string }{
		{"API", a.api.url},
		{"OpenAPI", a.api.url + "/openapi.json"},
		{"PostgreSQL", psql(a.stack.DatabaseURL)},
		{"blobs", a.stack.BlobURL},
		{"queues", a.stack.QueueURL},
		{"log", a.log.Name()},
		{"addresses", a.publication.path},
	} {
		c.printf("  %-13s %s\n", line.what, line.where)
	}
	c.printf(`
Upload more with `+"`sheetdrop upload FILE`"+` or
  curl --data-binary @FILE -H 'Content-Type: application/octet-stream' '%s/files?name=FILE'
Ctrl+C ends it; the data stays in %s.
`, a.api.url, filepath.Dir(a.publication.path))
	select {
	case <-ctx.Done():
		c.step("stopping")
		return nil
	case <-a.host.Ended():
		return fmt.Errorf("the Functions host has ended by itself; see %s", a.log.Name())
	}
}

// psql is the command that opens the database, with the password of a URL hidden.
func psql(databaseURL string) string {
	u, err := url.Parse(databaseURL)
	if err != nil || u.Scheme == "" {
		return "as DATABASE_URL says"
	}
	return `psql "` + u.Redacted() + `"`
}

// app is all of sheetdrop, running.
type app struct {
	lock        *flock.Flock
	stack       *devstack.Stack
	host        host
	api         api
	log         *os.File
	publication *publication
}

// stop ends what runs, last what the others need.
func (a *app) stop(ctx context.Context) error {
	var errs []error
	if a.publication != nil {
		errs = append(errs, a.publication.withdraw())
	}
	if a.host != nil {
		errs = append(errs, a.host.Stop(ctx))
	}
	if a.stack != nil {
		errs = append(errs, a.stack.Close())
	}
	if a.log != nil {
		errs = append(errs, a.log.Close())
	}
	if a.lock != nil {
		errs = append(errs, a.lock.Unlock())
	}
	return errors.Join(errs...)
}
