package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// goRunFolder is where `go run` keeps programs: in its cache, by hash, or in a folder that it removes afterwards.
var goRunFolder = regexp.MustCompile(`[0-9a-f]{64}-d$|go-build\d+[/\\]b001[/\\]exe$`)

// endWithGoRun ends the context when the `go run` that started us is gone: who stops that one means us, but it hands
// no signal on.
func endWithGoRun(ctx context.Context) context.Context {
	program, err := os.Executable()
	if err != nil || !goRunFolder.MatchString(filepath.Dir(program)) {
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
