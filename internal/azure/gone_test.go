package azure_test

import (
	"bytes"
	"errors"
	"testing"

	"sheetdrop/internal/azure"
)

// A blob that goes while it is read, or that another one replaces, is an error of its own, never a mixture of both, and not tried for ever.
func TestBlobThatGoesWhileItIsRead(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	const size = 20 << 20
	for name, c := range map[string]struct {
		anew bool
		want error
	}{"deleted": {false, azure.ErrBlobNotFound}, "replaced": {true, azure.ErrBlobChanged}} {
		if err := blobs.Upload(t.Context(), name, bytes.NewReader(content(size))); err != nil {
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
			if err := blobs.Upload(t.Context(), name, bytes.NewReader(make([]byte, size))); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := reader.ReadAt(make([]byte, 1<<20), 16<<20); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A blob that is not the one that was uploaded is not read at all.
func TestBlobWithAnotherETagIsNotOpened(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	if err := blobs.Upload(t.Context(), "blob", bytes.NewReader(content(10))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"blob": azure.ErrBlobChanged, "none": azure.ErrBlobNotFound} {
		if _, err := blobs.Open(t.Context(), name, `"0x8D0000000000000"`); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
