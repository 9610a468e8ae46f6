package page_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// tools installs what npm/package-lock.json names into the cache, once, and returns the folder of the modules.
func tools(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile("npm/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "sheetdrop", fmt.Sprintf("page-tests-%x", sha256.Sum256(lock))[:24])
	modules := filepath.Join(folder, "node_modules")
	if _, err := os.Stat(folder); err == nil {
		return modules
	}
	partial, err := os.MkdirTemp(filepath.Dir(folder), "page-tests-partial-") //nolint:usetesting // it is moved at the end
	if err == nil {
		err = os.CopyFS(partial, os.DirFS("npm"))
	}
	if err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
	install.Dir = partial
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	if err := os.Rename(partial, folder); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	return modules
}

const sources = "../../web-page"

// What the comments say about types is true, and the files look alike whoever wrote them.
func TestPageTypesAndFormat(t *testing.T) {
	t.Parallel()
	modules := tools(t)
	for name, arguments := range map[string][]string{
		"TypeScript": {"typescript/bin/tsc", "--project", sources},
		"Prettier":   {"prettier/bin/prettier.cjs", "--print-width", "140", "--check", sources + "/assets", sources + "/shapes.d.ts", sources + "/tsconfig.json"},
	} {
		arguments[0] = filepath.Join(modules, arguments[0])
		if out, err := exec.CommandContext(t.Context(), "node", arguments...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
