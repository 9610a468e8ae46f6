package main

import (
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// A port that an orphaned handler still holds is taken as soon as it is free. If it never is, the error names it.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	address := other.Addr().String()
	if _, err := listen(t.Context(), address, time.Millisecond, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("never free: %v", err)
	}

	said := devtest.Log{}
	taken := make(chan error, 1)
	go func() {
		listener, err := listen(t.Context(), address, time.Hour, slog.New(slog.NewTextHandler(&said, nil)))
		if err == nil {
			err = listener.Close()
		}
		taken <- err
	}()
	await.Until(t, "the log says that the address is taken", func() bool { return strings.Contains(said.String(), address) })
	other.Close()
	if err := <-taken; err != nil {
		t.Error(err)
	}
}
