package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// goRunFolder matches the folders of programs that `go run` starts: in its cache, by hash, or a temporary one.
var goRunFolder = regexp.MustCompile(`[0-9a-f]{64}-d$|go-build\d+[/\\]b001[/\\]exe$`)

// endWithGoRun ends the context when the `go run` that started this program is gone: it does not pass signals on.
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
