package devstack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// endLeftovers waits for a keeper that is about to end. If it was killed instead, it ends the services that the keeper
// recorded in its state, after checking that their process ids still belong to them, and removes its run folder.
func endLeftovers(ctx context.Context, s *state) error {
	if err := awaitEnd(ctx, s.PID, s.Run, 40*time.Second); err != nil {
		return err
	}
	for _, part := range s.Parts {
		if !isRunning(part.PID, part.Mark) {
			continue
		}
		if err := endInOrder(part.PID, part.Signal); err != nil {
			return fmt.Errorf("end process %d, left over by a killed keeper: %w", part.PID, err)
		}
	}
	for _, part := range s.Parts {
		if err := awaitEnd(ctx, part.PID, part.Mark, 20*time.Second); err != nil {
			return err
		}
	}
	if strings.HasPrefix(filepath.Base(s.Run), runPrefix) {
		return os.RemoveAll(s.Run)
	}
	return nil
}

// awaitEnd waits until a program has ended, and kills it after a timeout.
func awaitEnd(ctx context.Context, pid int, mark string, timeout time.Duration) error {
	for deadline := time.Now().Add(timeout); isRunning(pid, mark); {
		if time.Now().After(deadline) {
			if process, err := os.FindProcess(pid); err == nil {
				process.Kill()
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// isRunning reports whether the process runs and has the mark among its arguments.
func isRunning(pid int, mark string) bool {
	return slices.ContainsFunc(arguments(pid), func(argument string) bool { return strings.Contains(argument, mark) })
}
