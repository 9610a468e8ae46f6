package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is served is what the repository's Markdown and OpenAPI document say now.
func TestPagesAreUpToDate(t *testing.T) {
	t.Parallel()
	const folder = "../../docs/pages"
	files, err := Render(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not up to date (%v): run go generate ./web-page", name, err)
		}
	}
	served, err := os.ReadDir(folder)
	if err != nil || len(served) != len(files) {
		t.Errorf("%d files are served, want %d (%v): run go generate ./web-page", len(served), len(files), err)
	}
}
