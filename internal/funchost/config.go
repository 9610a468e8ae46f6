package funchost

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Config says which app to serve and how.
type Config struct {
	// Root is the app root: the folder of host.json and */function.json.
	Root string
	// Executable replaces host.json's defaultExecutablePath; empty means host.json's.
	Executable string
	// Settings are the app settings. They resolve %NAME% and `connection`, and the handler inherits them on top of
	// this process's environment.
	Settings map[string]string
	// Functions names the functions (folders) to serve; nil means all.
	Functions []string
	// Addr is where HTTP is served, "127.0.0.1:0" when empty. Only loopback addresses are accepted.
	Addr string
	// TimeScale multiplies the host's durations: leases, back-off, visibility, time-outs, the restart window, TimeSpan
	// schedules. 0 means 1. Cron schedules follow the clock. What waits for a process to start is not scaled, because
	// it starts no faster for it: initializationTimeout, readiness polls; delays before a request is sent again are only
	// lengthened. Storage keeps visibility in whole seconds, so those are rounded up.
	TimeScale float64
	// Logger receives the host's log and, unless HandlerOutput is set, the handler's output. nil means slog.Default().
	Logger *slog.Logger
	// HandlerOutput receives the handler's stdout and stderr lines unchanged instead of Logger, a line a Write, never
	// two at once.
	HandlerOutput io.Writer
	// OnHandlerStart is called with the process id after each start of the handler process.
	OnHandlerStart func(pid int)
	// Faults injects what rarely happens; nil injects nothing.
	Faults *Faults
}

// Faults makes the queue trigger do what a real one does only when something breaks.
type Faults struct {
	// DeliverTimes above 1 invokes each received message that many times at once. The message is settled when all
	// of them have ended, as a success only if all succeeded.
	DeliverTimes int
	// LoseDelete is asked after each success; true leaves the message in the queue, to come again after its lease.
	LoseDelete func() bool
}

// Stats counts what has happened since Start.
type Stats struct {
	HandlerStarts int // processes started, the first one included
	Restarts      int // times the host has ended and started again
}

// timeScale is Config.TimeScale.
type timeScale float64

func (s timeScale) of(d time.Duration) time.Duration { return time.Duration(float64(d) * float64(s)) }

// withDefaults returns the configuration with its zero values filled in, or says what cannot be.
func (c Config) withDefaults() (Config, error) {
	root, err := filepath.Abs(c.Root)
	if err != nil {
		return c, fmt.Errorf("app root: %w", err)
	}
	c.Root = root
	c.Addr = cmp.Or(c.Addr, "127.0.0.1:0")
	c.TimeScale = cmp.Or(c.TimeScale, 1)
	if c.TimeScale < 0 {
		return c, fmt.Errorf("time scale %v is negative", c.TimeScale)
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.HandlerOutput != nil {
		c.HandlerOutput = &lineWriter{w: c.HandlerOutput}
	}
	if c.Faults == nil {
		c.Faults = &Faults{}
	}
	return c, requireLoopback(c.Addr)
}

func requireLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("address: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("address %s is not a loopback address: this host checks no keys", addr)
	}
	return nil
}

// setting looks an app setting up, first in Settings, then in the environment.
func (c Config) setting(name string) (string, bool) {
	if v, ok := c.Settings[name]; ok {
		return v, true
	}
	return os.LookupEnv(name)
}

// environ is what the handler inherits: this process's environment and the app settings.
func (c Config) environ() []string {
	env := os.Environ()
	for name, value := range c.Settings {
		env = append(env, name+"="+value)
	}
	return env
}
