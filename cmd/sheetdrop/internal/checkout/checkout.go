// Package checkout builds what the sources of a checkout are for: the handler, and the package that is deployed to Azure.
package checkout

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Find returns the checkout that the current folder is in: the next folder upwards with host.json and go.mod. Outside of one it is the
// folder app beside this program, as a release has it: there the handler is built.
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
			if app, ok := besideProgram(); ok {
				return app, nil
			}
			return "", words.New("this is no checkout of sheetdrop: call it in the folder of host.json, or below; or install a release, which needs no checkout")
		}
		dir = filepath.Dir(dir)
	}
}

// besideProgram returns the folder of a release with what the Functions host reads.
func besideProgram() (string, bool) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program) // it may be linked to from the PATH
	}
	app := filepath.Join(filepath.Dir(program), "app")
	return app, err == nil && IsBuilt(app)
}

// IsBuilt reports whether a folder is one of a release, whose handler is built and whose sources are elsewhere.
func IsBuilt(root string) bool {
	_, noHandler := os.Stat(Handler(root))
	_, noHost := os.Stat(filepath.Join(root, "host.json"))
	_, noModule := os.Stat(filepath.Join(root, "go.mod"))
	return noHandler == nil && noHost == nil && noModule != nil
}

// Handler is the path of the handler: the program that host.json names.
func Handler(root string) string {
	handler := filepath.Join(root, "bin", "handler")
	if runtime.GOOS == "windows" {
		handler += ".exe"
	}
	return handler
}

// DataFolder returns the folder in which a checkout keeps its local data; a release keeps it in the user's home.
func DataFolder(root string) string {
	if home, err := os.UserHomeDir(); err == nil && IsBuilt(root) {
		return filepath.Join(home, ".sheetdrop")
	}
	return filepath.Join(root, ".sheetdrop")
}

// BuildHandler builds the program that host.json names and returns its path. A handler that is running keeps its own file.
func BuildHandler(ctx context.Context, root string) (string, error) {
	handler := Handler(root)
	fresh := fmt.Sprintf("%s.%d", handler, os.Getpid())
	defer os.Remove(fresh)
	_ = os.Link(handler, fresh) // where one is there and up to date, nothing is linked
	// With the flags of the tests, so that Go's cache serves both.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", fresh, "./handler")
	cmd.Dir = root
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", words.Errorf("build the handler: %w\n%s", err, output)
	}
	return handler, os.Rename(fresh, handler)
}
