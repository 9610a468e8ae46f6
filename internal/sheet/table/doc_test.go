package table

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The documentation of the package says what each file is for.
func TestDocNamesEachFile(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, file := range files {
		there[file] = true
		if !strings.HasSuffix(file, "_test.go") && file != "doc.go" && !strings.Contains(string(doc), " "+file) {
			t.Errorf("doc.go does not say what %s is for", file)
		}
	}
	for _, file := range regexp.MustCompile(`\w+\.go`).FindAllString(string(doc), -1) {
		if !there[file] {
			t.Errorf("doc.go names %s, which is no file", file)
		}
	}
}
