package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// endWithGoRun ends the context when the `go run` that started us is gone: it hands no signal on but those of the
// terminal, and who stops it means us.
func endWithGoRun(ctx context.Context) context.Context {
	program, err := os.Executable()
	if err != nil || filepath.Base(filepath.Dir(program)) != "exe" || !strings.Contains(program, "go-build") {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		defer cancel()
		for os.Getppid() == parent {
			select {
			case <-ctx.Done():
				return
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	return ctx
}
