package testbed

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
)

// programs are those that have been built.
type programs struct {
	mu    sync.Mutex
	built map[string]string // package → path
}

// Handler returns the path of the handler, built of the checkout.
func (s *Testbed) Handler(ctx context.Context) (string, error) { return s.build(ctx, "handler") }

// Command returns the path of the command line, built of the checkout.
func (s *Testbed) Command(ctx context.Context) (string, error) { return s.build(ctx, "cmd/sheetdrop") }

func (s *Testbed) build(ctx context.Context, pkg string) (string, error) {
	s.programs.mu.Lock()
	defer s.programs.mu.Unlock()
	if path := s.programs.built[pkg]; path != "" {
		return path, nil
	}
	path := filepath.Join(s.Dir, filepath.Base(pkg))
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "./"+pkg)
	cmd.Dir = s.Root
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, output)
	}
	if s.programs.built == nil {
		s.programs.built = map[string]string{}
	}
	s.programs.built[pkg] = path
	return path, nil
}
