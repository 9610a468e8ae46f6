package house

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A test that docs/reliability.md names is there, so that a rename is seen: else the page would promise what nobody holds.
func TestReliabilityNamesTestsThatThereAre(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, match := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(readFile(t, path), -1) {
			there[match[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(readFile(t, "docs/reliability.md"), -1)
	if len(named) < 20 {
		t.Fatalf("the page names %d tests only", len(named))
	}
	for _, match := range named {
		if !there[match[1]] {
			t.Errorf("there is no %s", match[1])
		}
	}
}
