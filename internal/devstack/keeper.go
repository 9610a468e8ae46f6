package devstack

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

//go:embed keeper.js
var keeperScript string

// runPrefix is the prefix of every run folder's name.
const runPrefix = "sheetdrop-"

// startKeeper starts a keeper in its own session and returns when it listens. It inherits none of our files: a child
// that held the output of a test binary would keep `go test` waiting.
func (h *home) startKeeper(ctx context.Context, node node) (*state, error) {
	run, err := h.runFolder()
	if err != nil {
		return nil, err
	}
	settings, err := json.Marshal(map[string]any{
		"run": run, "state": h.stateFile(), "token": rand.Text(), "graceMs": h.grace.Milliseconds(),
	})
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(run, "keeper.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(string(node), "-e", keeperScript, run) // the folder's name distinguishes this process from others
	cmd.Dir = os.TempDir()
	cmd.Stdin = bytes.NewReader(settings)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		os.RemoveAll(run)
		return nil, fmt.Errorf("start the keeper: %w", err)
	}
	ended := make(chan struct{})
	go func() { // also reaps it if it ends before us
		_ = cmd.Wait()
		close(ended)
	}()
	s, err := h.awaitKeeper(ctx, cmd.Process.Pid, ended)
	if err != nil {
		text, _ := os.ReadFile(log.Name())
		cmd.Process.Kill()
		<-ended
		os.RemoveAll(run)
		return nil, fmt.Errorf("start the keeper: %w: %s", err, bytes.TrimSpace(text))
	}
	return s, nil
}

// awaitKeeper waits for the state of the keeper with this process id.
func (h *home) awaitKeeper(ctx context.Context, pid int, ended <-chan struct{}) (*state, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if s, err := h.readState(); err != nil || s != nil && s.PID == pid {
			return s, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ended:
			return nil, errors.New("it ended at once")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// makeRunFolder creates a folder for one keeper, in a place that every user can reach: PostgreSQL may have to run as
// another one.
func makeRunFolder() (string, error) {
	parent := os.TempDir()
	if needsOtherUser() && !passable(parent) {
		parent = "/tmp"
	}
	run, err := os.MkdirTemp(parent, runPrefix)
	if err != nil {
		return "", err
	}
	return run, os.Chmod(run, 0o755)
}
