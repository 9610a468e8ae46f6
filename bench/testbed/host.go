package testbed

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"

	"sheetdrop/internal/funchost"
)

// HostArgument makes the program a Functions host, see RunHost. A host in the process that measures would take its time and memory.
const HostArgument = "host"

type hostOrder struct {
	Root, Executable string
	Settings         map[string]string
}

type hostReady struct {
	URL        string
	HandlerPID int
}

// RunHost serves an app, as the first line of its input says, until that input ends.
func RunHost() error {
	ctx := context.Background()
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var order hostOrder
	if err := json.Unmarshal(line, &order); err != nil {
		return err
	}
	host, err := funchost.Start(ctx, funchost.Config{
		Root: order.Root, Executable: order.Executable, Settings: order.Settings,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(hostReady{host.URL(), host.HandlerPID()}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	return host.Stop(ctx)
}
