package compound

import (
	"errors"
	"io"
	"strings"
)

// Stream is the content of a stream, for random access.
type Stream struct {
	file    *File
	size    int64
	sectors []uint32
	short   []byte // all of a stream that is in the mini stream
}

// Stream returns a stream; ok is false if there is none with that name, or the file is truncated or malformed. It keeps four
// bytes for each sector.
func (c *File) Stream(name string) (s *Stream, ok bool) {
	place, ok := c.entries[strings.ToLower(name)]
	if !ok {
		return nil, false
	}
	if place.size >= miniCutoff {
		return c.open(place)
	}
	mini, ok := c.open(c.root)
	if !ok {
		return nil, false
	}
	short, ok := c.readShort(place, mini)
	return &Stream{file: c, size: place.size, short: short}, ok
}

// open lists a stream's sectors. A chain that goes round in a circle ends with the stream's size, which is at most the file's.
func (c *File) open(place stream) (*Stream, bool) {
	if place.size > c.size {
		return nil, false
	}
	s := &Stream{file: c, size: place.size}
	for at, n := place.start, int64(0); n < place.size; n += c.sector {
		if at >= endOfChain || c.offset(at) >= c.size {
			return nil, false
		}
		s.sectors = append(s.sectors, at)
		var ok bool
		if at, ok = c.next(at); !ok {
			return nil, false
		}
	}
	return s, true
}

// readShort reads a stream that is in the mini stream, in a chain of small sectors.
func (c *File) readShort(place stream, mini *Stream) ([]byte, bool) {
	table, ok := c.miniTable()
	if !ok {
		return nil, false
	}
	b := make([]byte, place.size)
	for at, n := place.start, int64(0); n < place.size; n += miniSector {
		end := min(n+miniSector, place.size)
		if _, err := mini.ReadAt(b[n:end], int64(at)*miniSector); err != nil {
			return nil, false
		}
		if at, ok = table(at); !ok && end < place.size {
			return nil, false
		}
	}
	return b, true
}

// miniTable returns a function that looks up the successor of a small sector.
func (c *File) miniTable() (func(uint32) (uint32, bool), bool) {
	size := int64(c.field(64)) * c.sector
	s, ok := c.open(stream{c.field(60), size})
	if !ok {
		return nil, false
	}
	return func(at uint32) (uint32, bool) {
		perSector := uint32(c.sector / 4)
		if int(at/perSector) >= len(s.sectors) {
			return 0, false
		}
		return c.entry(s.sectors[at/perSector], at%perSector)
	}, true
}

// Size returns the stream's size in bytes.
func (s *Stream) Size() int64 { return s.size }

// ReadAt reads from the stream; it returns the file's errors.
func (s *Stream) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if at < 0 || at >= s.size {
			return done, io.EOF
		}
		want := p[done:min(int64(len(p)), s.size-off)]
		if s.short != nil {
			done += copy(want, s.short[at:])
			continue
		}
		within := at % s.file.sector
		want = want[:min(int64(len(want)), s.run(at/s.file.sector)*s.file.sector-within)]
		n, err := s.file.src.ReadAt(want, s.file.offset(s.sectors[at/s.file.sector])+within)
		if done += n; n < len(want) {
			if err == nil || errors.Is(err, io.EOF) { // the last sector of a file may be short
				err = io.ErrUnexpectedEOF
			}
			return done, err
		}
	}
	return done, nil
}

// run returns how many sectors from that one on follow one another in the file.
func (s *Stream) run(first int64) int64 {
	n := int64(1)
	for first+n < int64(len(s.sectors)) && s.sectors[first+n] == s.sectors[first]+uint32(n) {
		n++
	}
	return n
}
