package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A file that somebody has written to since it was uploaded stays for another try.
func TestMoveLeavesAChangedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("a\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	file := Seen{path, info.Size(), info.ModTime()}
	older := Seen{path, info.Size(), info.ModTime().Add(-time.Second)}
	if moved, err := Move(older, Done); moved != "" || err != nil || !file.Unchanged() {
		t.Errorf("it was moved to %q, %v", moved, err)
	}
	moved, err := Move(file, Done)
	if err != nil || moved != filepath.Join(filepath.Dir(path), Done, "a.csv") || file.Unchanged() {
		t.Errorf("it was moved to %q, %v", moved, err)
	}
}
