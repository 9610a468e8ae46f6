// Package checkout builds what the sources of a checkout are for: the handler, and the package that is deployed to Azure.
package checkout

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Find returns the checkout that the current folder is in: the next folder upwards with host.json and go.mod.
func Find() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, noHost := os.Stat(filepath.Join(dir, "host.json"))
		_, noModule := os.Stat(filepath.Join(dir, "go.mod"))
		if noHost == nil && noModule == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("this is no checkout of sheetdrop: call it in the folder of host.json, or below")
		}
		dir = filepath.Dir(dir)
	}
}

// DataFolder returns the folder in which a checkout keeps its local data.
func DataFolder(root string) string { return filepath.Join(root, ".sheetdrop") }

// BuildHandler builds the program that host.json names and returns its path. A handler that is running keeps its own file.
func BuildHandler(ctx context.Context, root string) (string, error) {
	handler := filepath.Join(root, "bin", "handler")
	if runtime.GOOS == "windows" {
		handler += ".exe"
	}
	fresh := fmt.Sprintf("%s.%d", handler, os.Getpid())
	defer os.Remove(fresh) // not there any more if all went well
	// With the flags of the tests, so that Go's cache serves both.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", fresh, "./handler")
	cmd.Dir = root
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the handler: %w\n%s", err, output)
	}
	return handler, os.Rename(fresh, handler)
}
