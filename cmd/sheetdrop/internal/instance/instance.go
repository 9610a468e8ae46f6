// Package instance runs a whole sheetdrop on this machine: PostgreSQL, Azurite, a Functions host and the handler.
package instance

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"sheetdrop/cmd/sheetdrop/internal/functionshost"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/devstack"
)

// StopTimeout is for a gentle end of everything.
const StopTimeout = 30 * time.Second

// Instance is a running sheetdrop. Make one with Start.
type Instance struct {
	Server *server.Server

	lock        *flock.Flock
	stack       *devstack.Stack
	host        functionshost.Host
	log         *os.File
	publication *publication
}

// Address is where something of an instance is.
type Address struct {
	What  string `json:"what"`
	Where string `json:"where"`
}

// Addresses lists where everything is, for people.
func (a *Instance) Addresses() []Address {
	return []Address{
		{"page", strings.TrimSuffix(a.Server.URL, "api")},
		{"API", a.Server.URL},
		{"OpenAPI", a.Server.URL + "/openapi.json"},
		{"PostgreSQL", psql(a.stack.DatabaseURL)},
		{"blobs", a.stack.BlobURL},
		{"queues", a.stack.QueueURL},
		{"log", a.log.Name()},
		{"addresses", a.publication.path},
	}
}

// DataFolder is where the data stays.
func (a *Instance) DataFolder() string { return filepath.Dir(a.publication.path) }

// Wait returns nil when ctx ends, or an error if the Functions host, PostgreSQL or Azurite ends by itself.
func (a *Instance) Wait(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- a.stack.Wait(ctx) }()
	defer cancel()
	select {
	case err := <-ended:
		return explain(err)
	case <-a.host.Ended():
		cancel()
		if err := <-ended; err != nil { // the host has ended for want of them
			return explain(err)
		}
		return words.Errorf("the Functions host has ended by itself; see %s", a.log.Name())
	}
}

// While does something that needs the instance. The error is that of Wait if the instance ends meanwhile, which also ends the context.
func (a *Instance) While(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- a.Wait(ctx)
		cancel()
	}()
	err := do(ctx)
	cancel()
	if why := <-ended; why != nil {
		return why
	}
	return err
}

// explain says what to do where PostgreSQL or Azurite has ended, and in its own words why.
func explain(err error) error {
	ended, ok := errors.AsType[*devstack.Ended](err)
	if !ok {
		return err
	}
	advice := words.New("PostgreSQL or Azurite has ended by itself; the data is kept: start it again with `sheetdrop local`")
	if ended.Reason == "" {
		return advice
	}
	return fmt.Errorf("%w\n  %s", advice, terminal.Printable(ended.Reason))
}

// Stop ends everything, services before those that they need.
func (a *Instance) Stop(ctx context.Context) error {
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

// psql returns the command that opens the database, without the password of its URL.
func psql(databaseURL string) string {
	u, err := url.Parse(databaseURL)
	if err != nil || u.Scheme == "" {
		return "as DATABASE_URL says"
	}
	return `psql "` + u.Redacted() + `"`
}
