package container

import (
	"errors"
	"fmt"
	"io"

	"sheetdrop/internal/sheet/grid"
)

// source is the file. It remembers the first error of the underlying reader, so that a broken disk or network can be
// told from a broken file, however a library wraps or hides the error. It reads in blocks, because each read may cost a
// network request, and reads one block ahead if the file is read sequentially.
type source struct {
	r     io.ReaderAt
	size  int64
	err   error
	block []byte
	at    int64  // position of block in the file
	spare []byte // memory for another block
	ahead *request
}

// request is a block that was requested.
type request struct {
	at    int64
	block []byte
	done  chan error
}

const sourceBlock = 1 << 20

func (s *source) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= s.size {
		return 0, io.EOF
	}
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if at >= s.size {
			return done, io.EOF
		}
		if s.block == nil || at < s.at || at >= s.at+int64(len(s.block)) {
			if err := s.turn(at - at%sourceBlock); err != nil {
				return done, err
			}
		}
		done += copy(p[done:], s.block[at-s.at:])
	}
	return done, nil
}

// turn makes the block at that position the current one.
func (s *source) turn(at int64) error {
	onward := s.block != nil && at == s.at+sourceBlock
	if s.ahead != nil && s.ahead.at != at {
		s.wait()
	}
	if s.ahead == nil {
		s.ask(at)
	}
	got := s.ahead
	s.ahead = nil
	if err := <-got.done; err != nil {
		if s.err == nil {
			s.err = err
		}
		return err
	}
	s.spare, s.block, s.at = s.block, got.block, at
	if next := at + sourceBlock; onward && next < s.size {
		s.ask(next)
	}
	return nil
}

// ask starts reading the block at that position.
func (s *source) ask(at int64) {
	if s.spare == nil {
		s.spare = make([]byte, min(sourceBlock, s.size))
	}
	s.ahead = &request{at, s.spare[:min(int64(cap(s.spare)), s.size-at)], make(chan error, 1)}
	s.spare = nil
	go func(r *request) { r.done <- readFull(s.r, r.block, r.at) }(s.ahead)
}

// wait waits for the block read ahead. A block that was never needed cannot fail.
func (s *source) wait() {
	if s.ahead != nil {
		<-s.ahead.done //nolint:errcheck // see above
		s.spare, s.ahead = s.ahead.block, nil
	}
}

// readFull fills p. A reader that ends before the file's size is at fault.
func readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read the workbook at byte %d: %w", off+int64(n), err)
}

// blame returns the source's error if it has one, otherwise the file's fault.
func (s *source) blame(fault *grid.Error) error {
	if s.err != nil {
		return s.err
	}
	return fault
}
