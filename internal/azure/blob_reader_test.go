package azure_test

import (
	"io"
	"runtime"
	"testing"
)

// P9: however large the blob, its reader has 15 MiB, which it uses again and again.
func TestBlobReaderKeepsLittle(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	blobs, _, _ := open(t)
	const size = 64 << 20
	if err := blobs.Upload(t.Context(), "blob", io.LimitReader(zeros{}, size)); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := blobs.Open(t.Context(), "blob", "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	piece := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(piece)) {
		if _, err := r.ReadAt(piece, at); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	const most = 15<<20 + 1<<20 + 8<<20 // the reader's buffers, ours, and what the requests take
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > most {
		t.Errorf("it has allocated %d bytes, want %d at the most", allocated, most)
	}
}

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
