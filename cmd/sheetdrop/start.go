package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/postgres/migrate"
)

// readyTime is how long host and handler get to become ready. `func` may have to download its extensions first.
const readyTime = 2 * time.Minute

// startApp starts the parts, the schema, the handler and the host, and returns when the service says that it is ready.
// What it has started has ended when it fails.
func startApp(ctx context.Context, c *console, data string, port int) (a *app, err error) {
	root, err := findCheckout()
	if err != nil {
		return nil, err
	}
	if data == "" {
		data = dataFolder(root)
	}
	if err := os.MkdirAll(data, 0o755); err != nil {
		return nil, err
	}
	a = &app{publication: &publication{path: addressFile(data)}}
	if err := a.claim(data); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
			defer cancel()
			err = errors.Join(err, a.stop(stopCtx))
			a = nil
		}
	}()
	if a.log, err = os.Create(filepath.Join(data, "local.log")); err != nil {
		return a, err
	}
	handler, err := a.prepare(ctx, c, root, data)
	if err != nil {
		return a, err
	}
	addr, err := hostAddress(c, port)
	if err != nil {
		return a, err
	}
	config := hostConfig{root: root, handler: handler, settings: a.settings(), addr: addr, log: a.log, onHandler: a.handlerStarted}
	if a.host, err = startHost(ctx, c, config); err != nil {
		return a, a.withLog(err)
	}
	a.api = api{url: a.host.URL() + "/api"}
	if err := a.awaitReady(ctx); err != nil {
		return a, a.withLog(err)
	}
	return a, a.publish()
}

// claim makes sure that no other one runs on this data, and removes what a killed one has left. The lock ends with the process that
// holds it; that somebody answers at the address which a killed one has left says nothing, for it may be one with other data.
func (a *app) claim(data string) error {
	a.lock = flock.New(filepath.Join(data, "local.lock"))
	locked, err := a.lock.TryLock()
	if err != nil {
		return err
	}
	if !locked {
		other, _ := readAddresses(a.publication.path) // not there until the other one is ready
		return fmt.Errorf("sheetdrop runs here already, at %s: use `sheetdrop upload`, or end it first", cmp.Or(other.APIURL, "an address that it does not know yet"))
	}
	return a.publication.withdraw()
}

// prepare brings PostgreSQL and the storage to what the handler needs, builds it meanwhile, and returns its path.
func (a *app) prepare(ctx context.Context, c *console, root, data string) (handler string, err error) {
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		c.step("building the handler")
		handler, err = buildHandler(ctx, root)
		return err
	})
	both.Go(func() (err error) {
		if a.stack, err = devstack.Open(ctx, devstack.Options{Dir: data, Log: c.step}); err != nil {
			return err
		}
		if _, err := migrate.Up(ctx, a.stack.DatabaseURL); err != nil {
			return err
		}
		return azure.Provision(ctx, azure.Settings{Connection: a.stack.ConnectionString, Container: container, Queue: queue})
	})
	return handler, both.Wait()
}

const (
	container = "files"
	queue     = "parse-tasks"
)

// settings are the handler's and the host's.
func (a *app) settings() map[string]string {
	return map[string]string{
		"DATABASE_URL":             a.stack.DatabaseURL,
		"DATA_STORAGE":             a.stack.ConnectionString,
		"BLOB_CONTAINER":           container,
		"PARSE_QUEUE":              queue,
		"AUTH":                     "local",
		"AZURE_CLIENT_ID":          "", // whoever works here may have one of their own
		"CONTAINER_NAME":           "", // and work in a container that has a name
		"RELAY_SCHEDULE":           "*/10 * * * * *",
		"AzureWebJobsStorage":      a.stack.ConnectionString,
		"FUNCTIONS_WORKER_RUNTIME": "custom",
		// The data is this program's alone, so nobody else can have the timer: a former host that was killed keeps the lock on it for a minute.
		"AzureFunctionsWebHost__hostid": fmt.Sprint("local-", os.Getpid()),
	}
}

func (a *app) handlerStarted(pid int) {
	if err := a.publication.handlerStarted(pid); err != nil {
		fmt.Fprintf(a.log, "%s cannot be written: %v\n", a.publication.path, err)
	}
}

// awaitReady asks until the service answers that it has all that it needs.
func (a *app) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for {
		err := a.api.ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the service does not become ready: %w", err)
		case <-a.host.Ended():
			return errors.New("the Functions host has ended by itself")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (a *app) publish() error {
	host, handler := a.host.PIDs()
	return a.publication.publish(addresses{
		APIURL: a.api.url, HostPID: host, HandlerPID: handler, DatabaseURL: a.stack.DatabaseURL,
		BlobURL: a.stack.BlobURL, QueueURL: a.stack.QueueURL, ConnectionString: a.stack.ConnectionString,
	})
}

// withLog adds the last lines of the log to an error.
func (a *app) withLog(err error) error {
	text, readErr := os.ReadFile(a.log.Name())
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	const last = 10
	if readErr != nil || len(text) == 0 {
		return err
	}
	return fmt.Errorf("%w\nthe end of %s:\n%s", err, a.log.Name(), bytes.Join(lines[max(0, len(lines)-last):], []byte("\n")))
}
