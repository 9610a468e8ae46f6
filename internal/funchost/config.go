package funchost

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/proxy"
	"sheetdrop/internal/funchost/internal/timing"
	"sheetdrop/internal/funchost/internal/trigger"
	"sheetdrop/internal/funchost/internal/worker"
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
type Faults = trigger.Faults

// Memory is what the real host's process would hold.
type Memory = proxy.Memory

// Stats counts what has happened since Start.
type Stats struct {
	HandlerStarts int // processes started, the first one included
	Restarts      int // times the host has ended and started again
}

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
		c.HandlerOutput = worker.Share(c.HandlerOutput)
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

// source says where to read the app from.
func (c Config) source() app.Source {
	return app.Source{
		Root: c.Root, Executable: c.Executable, Functions: c.Functions, Settings: c.Settings, Scale: timing.Scale(c.TimeScale),
	}
}
