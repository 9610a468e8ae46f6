//go:build linux

package soak

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/funchost"
	"sheetdrop/verify/e2e"
)

// applicationOf is how the connections of an instance's handlers are told from others.
func applicationOf(instance string) string { return "sheetdrop-" + instance }

// timeScale shortens the host's times: a message that nobody acknowledged comes again after 30 s, a call that failed is repeated after 2 s.
const timeScale = 0.05

// throughProxy puts a proxy in front of a database.
func throughProxy(t *testing.T, database string) (string, *faultproxy.Proxy) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	proxy := faultproxy.New(t, u.Host)
	u.Host = proxy.Address
	return u.String(), proxy
}

// withParameter adds a parameter of its connections to a database's URL.
func withParameter(t *testing.T, database, name, value string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}

// instance is a host with its handler, as the platform runs any number of them.
type instance struct {
	name   string
	config funchost.Config
	shift  string // the file that shifts its clock
	output *output

	mu   sync.Mutex
	host *funchost.Host // nil while it is down
}

func (s *soak) startInstances(t *testing.T) {
	t.Helper()
	s.instances = map[string]*instance{}
	for _, name := range []string{"a", "b", "relay"} {
		var functions []string
		if name == "relay" {
			functions = []string{"outbox-relay"}
		}
		i := &instance{name: name, shift: s.path(name, "shift"), output: &output{log: s.log}}
		database := withParameter(t, s.proxied, "application_name", applicationOf(name))
		i.config = s.HostConfig(t, e2e.Options{
			Tags: "crashpoints", TimeScale: timeScale, Functions: functions, Output: i.output,
			Settings: map[string]string{"SHEETDROP_CLOCK_SHIFT": i.shift, "DATABASE_URL": database},
		})
		i.config.Logger = slog.New(slog.NewTextHandler(s.log, nil)).With("instance", name)
		s.instances[name] = i
		if err := i.start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(i.kill)
	}
}

func (i *instance) start(ctx context.Context) error {
	host, err := funchost.Start(ctx, i.config)
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.host = host
	return nil
}

// take gives the host to its end: nobody calls it any more.
func (i *instance) take() *funchost.Host {
	i.mu.Lock()
	defer i.mu.Unlock()
	host := i.host
	i.host = nil
	return host
}

// stop ends the host in order.
func (i *instance) stop(ctx context.Context) {
	if host := i.take(); host != nil {
		_ = host.Stop(ctx) // calls that were cut off are what leases are for
	}
}

// kill ends the host at once, with all that it was at.
func (i *instance) kill() {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	i.stop(ended)
}

// url is where the instance answers; "" while it is down.
func (i *instance) url() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.host == nil {
		return ""
	}
	return i.host.URL()
}

// handler is the process of the instance's handler.
func (i *instance) handler() (*os.Process, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.host == nil || i.host.HandlerPID() == 0 {
		return nil, errDown
	}
	return os.FindProcess(i.host.HandlerPID())
}

var errDown = errors.New("it is down")

// comeBack starts the host again, however often it takes.
func (i *instance) comeBack(ctx context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		err := i.start(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}
