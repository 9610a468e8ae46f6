package parse

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/sheet"
)

// source is a blob that records how much of it has been read, for the progress, and hashes it, to verify that it still
// is what was uploaded.
type source struct {
	*azure.BlobReader
	read *coverage
	run  *run

	mu     sync.Mutex
	hash   hash.Hash
	hashed int64 // bytes from the beginning
}

// errContentChanged is returned if the blob's bytes are not those that were uploaded.
var errContentChanged = errors.New("the blob is not what was uploaded")

// storageError is an error of the blob store, so that a task's history can name it.
type storageError struct{ error }

func (e *storageError) Unwrap() error { return e.error }

// newSource returns the source of a blob that must have the size and hash of the file; it reads nothing yet.
func newSource(blob *azure.BlobReader, r *run) (*source, error) {
	if blob.Size() != r.task.SizeBytes {
		return nil, fmt.Errorf("%w: it has %d bytes and not %d", errContentChanged, blob.Size(), r.task.SizeBytes)
	}
	return &source{BlobReader: blob, read: r.read, run: r, hash: sha256.New()}, nil
}

func (s *source) ReadAt(p []byte, offset int64) (int, error) {
	n, err := s.BlobReader.ReadAt(p, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &storageError{err}
	}
	s.read.add(offset, n)
	s.mu.Lock()
	defer s.mu.Unlock()
	if end := offset + int64(n); offset <= s.hashed && s.hashed < end {
		s.hash.Write(p[s.hashed-offset : n])
		s.hashed = end
	}
	return n, err
}

// verify reads what has not been read in order, as with workbooks, and returns errContentChanged if the bytes are not
// those that were uploaded.
func (s *source) verify() error {
	piece := make([]byte, coverageBlock)
	for done := s.inOrder(); done < s.Size(); done = s.inOrder() {
		if n, err := s.ReadAt(piece, done); err != nil && (!errors.Is(err, io.EOF) || n == 0) {
			return fmt.Errorf("hash the file: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := s.hash.Sum(nil)
	if want := s.run.task.SHA256; want != nil && !bytes.Equal(sum, want) {
		return fmt.Errorf("%w: its SHA-256 is %x and not %x", errContentChanged, sum, want)
	}
	if s.run.task.Unread {
		s.run.firstHash = sum
	}
	return nil
}

// inOrder returns how many bytes have been hashed; the engine may still be reading ahead.
func (s *source) inOrder() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hashed
}

// blame decides whether a refused file is itself at fault, or was changed after its upload. If nobody has said what its
// hash must be, the rest is not read for that: every read was of the version that was uploaded.
func (s *source) blame(err error) error {
	if _, refused := errors.AsType[*sheet.Refusal](err); refused && s.run.task.SHA256 != nil {
		if changed := s.verify(); changed != nil {
			return changed
		}
	}
	return err
}

// coverageBlock is the granularity of a coverage, in bytes: what is sampled, read ahead or read again counts once per
// block.
const coverageBlock = 64 << 10

// coverage is how much of a file has been read, in whatever order and however often. It is safe for concurrent use.
type coverage struct {
	size int64

	mu     sync.Mutex
	blocks []bool // which were at least partly read
	bytes  int64  // in them
}

func newCoverage(size int64) *coverage {
	return &coverage{size: size, blocks: make([]bool, (size+coverageBlock-1)/coverageBlock)}
}

func (c *coverage) add(offset int64, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for block := offset / coverageBlock; block*coverageBlock < min(offset+int64(n), c.size); block++ {
		if !c.blocks[block] {
			c.blocks[block] = true
			c.bytes += min(coverageBlock, c.size-block*coverageBlock)
		}
	}
}

func (c *coverage) total() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
