package xlsx

import (
	"errors"
	"fmt"
	"io"
)

// source is the file. It remembers the first error of the reader below, so that however a library wraps or hides it, a broken disk or
// network can be told from a broken file; and it answers small reads from one block, for each may cost a request over the network.
type source struct {
	r     io.ReaderAt
	size  int64
	err   error
	block []byte
	at    int64 // block's place in the file
}

const sourceBlock = 64 << 10

func (s *source) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= s.size {
		return 0, io.EOF
	}
	if len(p) >= sourceBlock {
		return s.read(p, off)
	}
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if at < s.at || at >= s.at+int64(len(s.block)) {
			if at >= s.size {
				return done, io.EOF
			}
			if err := s.load(at - at%sourceBlock); err != nil {
				return done, err
			}
		}
		done += copy(p[done:], s.block[at-s.at:])
	}
	return done, nil
}

// load reads the block at off.
func (s *source) load(off int64) error {
	if s.block == nil {
		s.block = make([]byte, 0, sourceBlock)
	}
	s.at, s.block = off, s.block[:min(sourceBlock, s.size-off)]
	_, err := s.read(s.block, off)
	if err != nil {
		s.block = s.block[:0]
	}
	return err
}

// read fills p as far as the file goes. A reader that ends before the file's size is at fault.
func (s *source) read(p []byte, off int64) (int, error) {
	want := min(int64(len(p)), s.size-off)
	n, err := s.r.ReadAt(p[:want], off)
	if int64(n) == want {
		if n < len(p) {
			return n, io.EOF
		}
		return n, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if s.err == nil {
		s.err = fmt.Errorf("read the workbook at byte %d: %w", off+int64(n), err)
	}
	return n, s.err
}

// blame gives the source's error where it has one, else the file's fault.
func (s *source) blame(fault *Error) error {
	if s.err != nil {
		return s.err
	}
	return fault
}
