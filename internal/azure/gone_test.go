package azure_test

import (
	"errors"
	"strings"
	"testing"

	"sheetdrop/internal/azure"
)

// A blob that goes while it is read, or that another one replaces, is an error of its own: its run is not tried for ever.
func TestBlobThatGoesWhileItIsRead(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	for name, c := range map[string]struct {
		anew bool
		want error
	}{"deleted": {false, azure.ErrBlobNotFound}, "replaced": {true, azure.ErrBlobChanged}} {
		if err := blobs.Upload(t.Context(), name, strings.NewReader("before")); err != nil {
			t.Fatal(err)
		}
		reader, err := blobs.Open(t.Context(), name, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(reader.Close)
		if err := blobs.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if c.anew {
			if err := blobs.Upload(t.Context(), name, strings.NewReader("after!")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := reader.ReadAt(make([]byte, 6), 0); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
