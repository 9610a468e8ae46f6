package sheet

import (
	"errors"
	"sync/atomic"
	"testing"
)

// hugeArchive is a Source of 2 GiB that begins as a zip archive does.
type hugeArchive struct{ read atomic.Int64 }

func (*hugeArchive) Size() int64 { return 2 << 30 }

func (s *hugeArchive) ReadAt(p []byte, off int64) (int, error) {
	s.read.Add(int64(len(p)))
	clear(p)
	if off == 0 {
		copy(p, "PK\x03\x04\x14\x00\x06\x00\x08\x00")
	}
	return len(p), nil
}

// P9: a workbook, or a zip archive, that is larger than can be read is refused by its size, before its bytes are fetched or anything is kept
// on disk.
func TestHugeWorkbookIsRefusedBySize(t *testing.T) {
	t.Parallel()
	src := new(hugeArchive)
	_, err := Open(t.Context(), src, Options{}, DefaultLimits())
	if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != PackageTooLarge {
		t.Errorf("%v, want %s", err, PackageTooLarge)
	}
	if read := src.read.Load(); read > 1<<20 {
		t.Errorf("%d bytes were read", read)
	}
}
