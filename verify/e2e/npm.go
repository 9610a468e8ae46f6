package e2e

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NodeModules installs what the package-lock.json of a folder names into the cache, once, under a name, and returns the
// folder of the modules.
func NodeModules(t testing.TB, folder, name string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(cache, "sheetdrop", fmt.Sprintf("%s-%.13s", name, fmt.Sprintf("%x", sha256.Sum256(lock))))
	modules := filepath.Join(installed, "node_modules")
	if _, err := os.Stat(installed); err == nil {
		return modules
	}
	partial, err := os.MkdirTemp(filepath.Dir(installed), name+"-partial-") //nolint:usetesting // it is moved at the end
	if err == nil {
		err = os.CopyFS(partial, os.DirFS(folder))
	}
	if err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm",
		"ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
	install.Dir = partial
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	if err := os.Rename(partial, installed); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	return modules
}
