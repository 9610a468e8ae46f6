//go:build unix

package functionshost

import (
	"os"
	"path/filepath"
	"testing"
)

// A host that could not be started is nil, so that nobody tries to stop it.
func TestFailedStartReturnsNoHost(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	if err := os.WriteFile(filepath.Join(bin, "func"), []byte("#!/bin/sh\necho 4.99.0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	progress := func(string, ...any) {}
	missing := filepath.Join(t.TempDir(), "missing")
	host, err := Start(t.Context(), progress, Config{Root: missing, Address: "127.0.0.1:0", OnHandlerStart: func(int) {}})
	if err == nil || host != nil {
		t.Errorf("%v, %v", host, err)
	}
}
