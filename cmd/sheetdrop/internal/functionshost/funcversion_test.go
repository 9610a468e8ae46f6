//go:build unix

package functionshost

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A `func` that cannot serve the app is not used, and people learn why: it would answer every call of the API with 500, or never start.
func TestUnusableFuncIsNotUsed(t *testing.T) {
	for name, c := range map[string]struct {
		script string // of what is called func; "" is none
		limit  time.Duration
		reason string // "" where it is used
	}{
		"missing":          {"", time.Hour, "not on the PATH"},
		"the oldest":       {"echo 4.2.1", time.Hour, ""},
		"newer":            {"echo 4.14.0", time.Hour, ""},
		"a major one":      {"echo 10.0.0-preview1", time.Hour, ""},
		"with other words": {"echo 'A new version can be had.'; echo 4.5.0", time.Hour, ""},
		"too old":          {"echo 4.2.0", time.Hour, "it is 4.2.0"},
		"of long ago":      {"echo 4.0.5455", time.Hour, "it is 4.0.5455"},
		"no version":       {"echo 'fun with C'", time.Hour, "fun with C"},
		"says nothing":     {"exit 0", time.Hour, `prints ""`},
		"fails":            {"echo 4.2.1; exit 3", time.Hour, "exit status 3"},
		"hangs":            {"/bin/sleep 1000 & wait", 100 * time.Millisecond, "no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			t.Setenv("PATH", bin)
			path := filepath.Join(bin, "func")
			if c.script != "" {
				script := "#!/bin/sh\n[ \"$*\" = --version ] || exit 9\n" + c.script + "\n"
				if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			found, reason := findFunc(t.Context(), c.limit)
			if c.reason == "" && (found != path || reason != "") || c.reason != "" && (found != "" || !strings.Contains(reason, c.reason)) {
				t.Errorf("found %q, because %q", found, reason)
			}
		})
	}
}
