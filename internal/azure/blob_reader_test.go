package azure

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"sheetdrop/internal/devstack/devtest"
)

// P9: however large the blob and whoever reads where, a reader keeps 16 MiB of it at the most.
func TestBlobReaderKeepsLittle(t *testing.T) {
	t.Parallel()
	p := devtest.Storage(t)
	blobs, _, err := Open(Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue})
	if err != nil {
		t.Fatal(err)
	}
	const size = 40 << 20
	if err := blobs.Upload(t.Context(), "blob", bytes.NewReader(make([]byte, size))); err != nil {
		t.Fatal(err)
	}
	r, err := blobs.Open(t.Context(), "blob", "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	most := 0
	for at := int64(0); at < size; at += 1 << 20 {
		if _, err := r.ReadAt(make([]byte, 1<<20), at); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		r.mu.Lock()
		kept := 0
		for _, b := range r.blocks {
			kept += min(readBlock, int(size-b.number*readBlock))
		}
		r.mu.Unlock()
		most = max(most, kept)
	}
	if most > 16<<20 || most == 0 {
		t.Errorf("it kept %d bytes", most)
	}
}
