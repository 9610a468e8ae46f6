package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// spool keeps the texts of a row group's values in a temporary file, column by column: the file has them so, and rows are wanted.
//
// An entry is the value's levels, a byte each, if it is a part of a JSON text, and then 0 if it is not there and otherwise the length of
// its text plus one, and the text.
type spool struct {
	file   *os.File
	remove string // the file's name, on systems that cannot remove an open file
	out    *bufio.Writer
	size   int64
}

// newSpool makes the file. Its name is removed at once, so that nothing is left behind however the process ends.
func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "sheetdrop-parquet-*")
	if err != nil {
		return nil, fmt.Errorf("keep the values: %w", err)
	}
	s := &spool{file: file, out: bufio.NewWriterSize(file, 256<<10)}
	if os.Remove(file.Name()) != nil {
		s.remove = file.Name()
	}
	return s, nil
}

// reset forgets what is in the file.
func (s *spool) reset() error {
	s.size = 0
	s.out.Reset(s.file)
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	return nil
}

// add writes an entry.
func (s *spool) add(nested bool, at level, text []byte, there bool) error {
	b := s.out.AvailableBuffer()
	if nested {
		b = append(b, byte(at.repetition), byte(at.definition))
	}
	size := uint64(0)
	if there {
		size = uint64(len(text)) + 1
	}
	b = binary.AppendUvarint(b, size)
	s.size += int64(len(b) + len(text))
	if _, err := s.out.Write(b); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	if _, err := s.out.Write(text); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	return nil
}

func (s *spool) flush() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("keep the values: %w", err)
	}
	return nil
}

func (s *spool) close() error {
	err := s.file.Close()
	if s.remove != "" {
		err = errors.Join(err, os.Remove(s.remove))
	}
	return err
}

// cursor reads the entries of a column.
type cursor struct {
	in     *bufio.Reader
	nested bool
	at     level
	there  bool
	text   []byte // if there
	cut    bool   // it is only the beginning of the text
	ended  bool
}

// next reads the next entry, of whose text at most as many bytes as most are kept.
func (c *cursor) next(most int) error {
	if c.ended {
		return damaged("a column has fewer values than others")
	}
	if c.nested {
		rep, err := c.in.ReadByte()
		if errors.Is(err, io.EOF) {
			c.ended, c.at = true, level{}
			return nil
		}
		def, err2 := c.in.ReadByte()
		if err := errors.Join(err, err2); err != nil {
			return fmt.Errorf("read the values that were kept: %w", err)
		}
		c.at = level{int(rep), int(def)}
	}
	size, err := binary.ReadUvarint(c.in)
	if errors.Is(err, io.EOF) && !c.nested {
		c.ended = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the values that were kept: %w", err)
	}
	c.there, c.cut, c.text = size > 0, false, c.text[:0]
	if size < 2 {
		return nil
	}
	n := int(min(size-1, uint64(most)))
	c.cut = uint64(n) < size-1
	c.text = resized(c.text, n)
	_, err = io.ReadFull(c.in, c.text)
	if err == nil && c.cut {
		_, err = c.in.Discard(int(size-1) - n)
	}
	if err != nil {
		return fmt.Errorf("read the values that were kept: %w", err)
	}
	return nil
}
