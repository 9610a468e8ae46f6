package devstack

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// DuckDB runs a script with Node.js in which DuckDB's module can be imported, and returns what it prints. Tests read Parquet files
// with it: a reader that is not of the library that wrote them. It is installed first, once for all.
func DuckDB(ctx context.Context, log func(string, ...any), script string, args ...string) ([]byte, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	program, err := exec.LookPath("node")
	if err != nil {
		return nil, errNode
	}
	lock := flock.New(filepath.Join(cache, "install.lock"))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, fmt.Errorf("wait for another installation: %w", err)
	}
	module, err := node(program).installPackage(ctx, cache, duckdbPackage, log, nil)
	lock.Unlock()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, append([]string{"--input-type=commonjs", "-e", script, "--"}, args...)...)
	cmd.Dir = filepath.Dir(filepath.Dir(filepath.Dir(module))) // with node_modules in it
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	return out, err
}
