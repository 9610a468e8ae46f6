package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// findCheckout returns the folder with host.json and go.mod in which we are.
func findCheckout() (string, error) {
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

// dataFolder is where a checkout keeps its local data.
func dataFolder(root string) string { return filepath.Join(root, ".sheetdrop") }

// buildHandler builds the program that host.json names and returns its path. A handler that is running keeps its file.
func buildHandler(ctx context.Context, root string) (string, error) {
	handler := filepath.Join(root, "bin", "handler")
	if runtime.GOOS == "windows" {
		handler += ".exe"
	}
	fresh := fmt.Sprintf("%s.%d", handler, os.Getpid())
	defer os.Remove(fresh) // which is gone by then if all went well
	cmd := exec.CommandContext(
		ctx,
		"go",
		"build",
		"-buildvcs=false",
		"-o",
		fresh,
		"./handler",
	) // as the tests do, so that Go has it in its cache
	cmd.Dir = root
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the handler: %w\n%s", err, output)
	}
	return handler, os.Rename(fresh, handler)
}
