package instance

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/functionshost"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/postgres/migrate"
)

// readyTimeout is for host and handler to become ready. `func` may have to download its extensions first.
const readyTimeout = 2 * time.Minute

// Options say where an instance is; the zero value is the usual one.
type Options struct {
	Data         string // the folder of the data; "" is that of the checkout
	Port         int    // where the API is served; 0 is where it was the last time, or the usual one, or any
	DatabasePort int    // where PostgreSQL listens; 0 is where it did the last time, or any
}

// Start starts PostgreSQL and Azurite, brings the schema up to date, starts host and handler, and returns when the service is ready. After
// an error nothing runs.
func Start(ctx context.Context, c *terminal.Console, o Options) (*Instance, error) {
	root, err := checkout.Find()
	if err != nil {
		return nil, err
	}
	if err := requireTools(root); err != nil {
		return nil, err
	}
	if o.Data == "" {
		o.Data = checkout.DataFolder(root)
	}
	if err := os.MkdirAll(o.Data, 0o755); err != nil {
		return nil, err
	}
	a := &Instance{publication: &publication{path: addressFile(o.Data)}}
	if err := a.claim(ctx, o.Data); err != nil {
		return nil, err
	}
	if err := a.start(ctx, c, root, o); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), StopTimeout)
		defer cancel()
		return nil, errors.Join(err, a.Stop(stopCtx))
	}
	return a, nil
}

// start starts everything on data that was claimed. After an error some of it may be running.
func (a *Instance) start(ctx context.Context, c *terminal.Console, root string, o Options) (err error) {
	if a.log, err = os.Create(filepath.Join(o.Data, "local.log")); err != nil {
		return err
	}
	handler, err := a.prepare(ctx, c, root, o)
	if err != nil {
		return err
	}
	if a.host, err = a.startHost(ctx, c, root, handler, o); err != nil {
		return a.withLog(err)
	}
	if err := a.allowPages(ctx); err != nil {
		return err
	}
	if a.Server, err = server.At(a.host.URL()+"/api", nil); err != nil {
		return err
	}
	if err := a.awaitReady(ctx); err != nil {
		return a.withLog(err)
	}
	return a.publish()
}

// startHost starts the Functions host. Another program, such as a second instance, may take the usual port after it was found free: then
// the host is started once more, with another one.
func (a *Instance) startHost(ctx context.Context, c *terminal.Console, root, handler string, o Options) (functionshost.Host, error) {
	for try := 1; ; try++ {
		address, err := functionshost.Address(c.Step, o.Port, keptPort(o.Data))
		if err != nil {
			return nil, err
		}
		host, err := functionshost.Start(ctx, c.Step, functionshost.Config{
			Root: root, Handler: handler, Settings: a.settings(), Address: address, Log: a.log, OnHandlerStart: a.handlerStarted,
		})
		if err == nil {
			return host, keepPort(o, address)
		}
		if o.Port != 0 || try == maxHostStarts || !errors.Is(err, syscall.EADDRINUSE) {
			return host, err
		}
	}
}

const maxHostStarts = 3

// claim makes sure that no other instance runs on this data, and removes the addresses of a killed one. The lock ends with the process that
// holds it. Asking the address that a killed one has left would prove nothing: an instance with other data may answer.
func (a *Instance) claim(ctx context.Context, data string) error {
	a.lock = flock.New(lockFile(data))
	ctx, cancel := context.WithTimeout(ctx, 10*lookAgain)
	defer cancel()
	locked, err := a.lock.TryLockContext(ctx, lookAgain)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if !locked {
		other, _ := ReadAddresses(data) // not there until the other one is ready
		at := cmp.Or(other.APIURL, "an address that it does not know yet")
		return words.Errorf("sheetdrop runs here already, at %s: use `sheetdrop upload`, or end it first", at)
	}
	return a.publication.withdraw()
}

// prepare starts PostgreSQL and Azurite with all that the handler needs, builds it meanwhile, and returns its path.
func (a *Instance) prepare(ctx context.Context, c *terminal.Console, root string, o Options) (handler string, err error) {
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		if checkout.IsBuilt(root) {
			handler = checkout.Handler(root)
			return nil
		}
		c.Step("building the handler")
		defer c.While("building the handler")()
		handler, err = checkout.BuildHandler(ctx, root)
		return err
	})
	both.Go(func() (err error) {
		if a.stack, err = devstack.Open(ctx, devstack.Options{Dir: o.Data, DatabasePort: o.DatabasePort, Log: c.Step}); err != nil {
			return err
		}
		if _, err := migrate.Up(ctx, a.stack.DatabaseURL); err != nil {
			return err
		}
		return azure.Provision(ctx, a.storage())
	})
	return handler, both.Wait()
}

const (
	container = "files"
	queue     = "parse-tasks"
)

func (a *Instance) storage() azure.Settings { return Storage(a.stack.ConnectionString) }

// Storage returns where an instance keeps files and messages.
func Storage(connection string) azure.Settings {
	return azure.Settings{Connection: connection, Container: container, Queue: queue}
}

// allowPages lets pages of the API's own origin, and of those that may embed the drop zone, put blocks into the store. The rules of an
// account that the environment names are its
// owner's.
func (a *Instance) allowPages(ctx context.Context) error {
	if !a.stack.OwnStorage {
		return nil
	}
	origins := strings.FieldsFunc(os.Getenv("CORS_ORIGINS"), func(r rune) bool { return r == ',' }) // as the handler reads it
	return azure.AllowPages(ctx, a.storage(), append([]string{a.host.URL()}, origins...)...)
}

// settings returns the environment of handler and host.
func (a *Instance) settings() map[string]string {
	return Settings(a.stack.DatabaseURL, a.stack.ConnectionString)
}

// Settings returns what handler and host of an instance have in their environment, whatever the user's has.
func Settings(databaseURL, storage string) map[string]string {
	return map[string]string{
		"DATABASE_URL":                databaseURL,
		"DATA_STORAGE":                storage,
		"BLOB_CONTAINER":              container,
		"PARSE_QUEUE":                 queue,
		"AUTH":                        "local",
		"AZURE_CLIENT_ID":             "", // this machine's user may have one
		"CONTAINER_NAME":              "", // and work in a container with a name
		"RELAY_SCHEDULE":              "*/10 * * * * *",
		"AzureWebJobsStorage":         storage,
		"AzureWebJobsDisableHomepage": "true", // ours is there
		"FUNCTIONS_WORKER_RUNTIME":    "custom",
		// An id of its own: with that of a host which was killed, the timer would wait up to a minute for the dead host's lock.
		"AzureFunctionsWebHost__hostid": fmt.Sprint("local-", os.Getpid()),
	}
}

func (a *Instance) handlerStarted(pid int) {
	if err := a.publication.handlerStarted(pid); err != nil {
		fmt.Fprintf(a.log, "%s cannot be written: %v\n", a.publication.path, err)
	}
}

// awaitReady polls until the service is ready.
func (a *Instance) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		err := a.Server.Ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return words.Errorf("the service does not become ready: %w", err)
		case <-a.host.Ended():
			return words.New("the Functions host has ended by itself")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (a *Instance) publish() error {
	host, handler := a.host.PIDs()
	return a.publication.publish(Addresses{
		APIURL: a.Server.URL, HostPID: host, HandlerPID: handler, DatabaseURL: a.stack.DatabaseURL,
		BlobURL: a.stack.BlobURL, QueueURL: a.stack.QueueURL, ConnectionString: a.stack.ConnectionString,
	})
}

// withLog adds the last lines of the log to an error.
func (a *Instance) withLog(err error) error {
	text, readErr := os.ReadFile(a.log.Name())
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	const last = 10
	if readErr != nil || len(text) == 0 {
		return err
	}
	return words.Errorf("%w\nthe end of %s:\n%s", err, a.log.Name(), bytes.Join(lines[max(0, len(lines)-last):], []byte("\n")))
}
