package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A test that the documentation names exists, so that no page promises what nothing holds any more. Names are whole: `TestX`, `FuzzX`.
func TestDocumentationNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, name := range submatches(`^func ((?:Test|Fuzz)\w+)\(`, read(t, path)) {
			exists[name] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, least := range map[string]int{"docs/reliability.md": 20, "docs/model/README.md": 5, "docs/security.md": 15, "docs/api.md": 0, "docs/cost.md": 0, "docs/deploy.md": 0, "docs/runbooks/README.md": 0, "docs/runbooks/roll-back.md": 1, "docs/runbooks/rotate-identity.md": 1, "ARCHITECTURE.md": 2} {
		named := submatches("`((?:Test|Fuzz)\\w+)`", read(t, page))
		if len(named) < least {
			t.Errorf("%s names %d tests only: the search itself is broken", page, len(named))
		}
		for _, name := range named {
			if !exists[name] {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
}

// read returns the text of a file of the checkout, by its path with slashes.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
