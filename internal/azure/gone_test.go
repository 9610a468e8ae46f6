package azure_test

import (
	"errors"
	"strings"
	"testing"

	"sheetdrop/internal/azure"
)

// A blob that went, or was put there anew, after it was opened is gone: its run is not tried for ever.
func TestBlobThatGoesWhileItIsRead(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	for name, anew := range map[string]bool{"deleted": false, "another one in its place": true} {
		if err := blobs.Upload(t.Context(), name, strings.NewReader("before")); err != nil {
			t.Fatal(err)
		}
		reader, err := blobs.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(reader.Close)
		if err := blobs.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if anew {
			if err := blobs.Upload(t.Context(), name, strings.NewReader("after!")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := reader.ReadAt(make([]byte, 6), 0); !errors.Is(err, azure.ErrBlobNotFound) {
			t.Errorf("%s: %v, want that it is not found", name, err)
		}
	}
}
