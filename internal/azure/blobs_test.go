package azure_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/fault"
)

// content is n bytes that differ everywhere.
func content(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

func TestUploadAndDownload(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	for name, want := range map[string][]byte{"small": content(10), "blocks": content(9<<20 + 1)} {
		if err := blobs.Upload(t.Context(), name, iotest.HalfReader(bytes.NewReader(want))); err != nil {
			t.Fatal(err)
		}
		body, size, err := blobs.Download(t.Context(), name, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(body)
		body.Close()
		if err != nil || size != int64(len(want)) || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, size %d, %v, want %d", name, len(got), size, err, len(want))
		}
		if err := blobs.Upload(t.Context(), name, strings.NewReader("other")); fault.Of(err) != fault.Service {
			t.Errorf("%s, which is there: %v, want an error that is worth another call", name, err)
		}
	}
}

// A client that goes away half-way leaves no blob, and its error comes through.
func TestBrokenUpload(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	gone := errors.New("client gone")
	for name, n := range map[string]int{"small": 10, "blocks": 9 << 20} {
		body := io.MultiReader(bytes.NewReader(content(n)), iotest.ErrReader(gone))
		if err := blobs.Upload(t.Context(), name, body); !isReadError(err, gone) {
			t.Errorf("%s: %v, want a ReadError of %v", name, err, gone)
		}
		if _, err := blobs.Open(t.Context(), name, ""); !errors.Is(err, azure.ErrBlobNotFound) {
			t.Errorf("%s: open gives %v, want %v", name, err, azure.ErrBlobNotFound)
		}
	}
}

func isReadError(err, want error) bool {
	read, ok := errors.AsType[*azure.ReadError](err)
	return ok && errors.Is(read.Err, want)
}

func TestMissingBlob(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	if _, _, err := blobs.Download(t.Context(), "none", ""); !errors.Is(err, azure.ErrBlobNotFound) {
		t.Errorf("download: %v, want %v", err, azure.ErrBlobNotFound)
	}
	if err := blobs.Delete(t.Context(), "none"); err != nil {
		t.Errorf("delete: %v", err)
	}
}

// In order or not, in pieces of any size, by several readers at once: the bytes are right.
func TestBlobReader(t *testing.T) {
	t.Parallel()
	blobs, _, _ := open(t)
	want := content(16<<20 + 7)
	if err := blobs.Upload(t.Context(), "blob", bytes.NewReader(want)); err != nil {
		t.Fatal(err)
	}
	r, err := blobs.Open(t.Context(), "blob", "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Size() != int64(len(want)) {
		t.Errorf("size %d, want %d", r.Size(), len(want))
	}
	t.Run("readers", func(t *testing.T) {
		for name, piece := range map[string]int{"small pieces": 100_000, "pieces of a block": 5 << 20, "whole": 17 << 20} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var got bytes.Buffer
				_, err := io.CopyBuffer(struct{ io.Writer }{&got}, struct{ io.Reader }{io.NewSectionReader(r, 0, r.Size())}, make([]byte, piece))
				if err != nil || !bytes.Equal(got.Bytes(), want) {
					t.Errorf("%d bytes, %v", got.Len(), err)
				}
			})
		}
		t.Run("here and there", func(t *testing.T) {
			t.Parallel()
			places := rand.New(rand.NewPCG(1, 2))
			for range 60 {
				at, n := places.IntN(len(want)), 1+places.IntN(200_000)
				p := make([]byte, n)
				got, err := r.ReadAt(p, int64(at))
				full := min(n, len(want)-at)
				if got != full || !bytes.Equal(p[:got], want[at:at+full]) || full < n != errors.Is(err, io.EOF) {
					t.Fatalf("ReadAt(%d bytes, %d) = %d, %v, want %d", n, at, got, err, full)
				}
			}
		})
	})
	if n, err := r.ReadAt(make([]byte, 1), r.Size()); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("read at the end: %d, %v", n, err)
	}
}
