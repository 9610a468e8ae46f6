// Package csv splits delimited text into records and fields, at the speed of memory rather than of a state machine per byte. It finds
// where fields stand and leaves decoding them to its caller.
//
// A record ends at CR LF, LF or CR. A field that begins with a quote ends with one; within it a doubled or escaped quote stands for one,
// and delimiters and line ends are text. What RFC 4180 leaves open is read thus: a quote within an unquoted field is text, and so is one
// within a quoted field that neither ends it nor is doubled. Where a quoted field cannot end (at the end of the text, at the record
// limit, or at a quote that plainly opens another field), the record is cut after the line of the opening quote, with a Fault, that
// quote is text, and reading goes on below that line: a stray quote costs its line and nothing else.
package csv

import (
	"bytes"
	"io"
)

// Field is a field's place in its record's Raw, without the quotes around it.
type Field struct {
	Start, End int32
	Escaped    bool // may hold doubled quotes or escape characters
}

// Fault says why a record could not be split.
type Fault uint8

// The faults. FaultColumn tells where a quote was opened.
const (
	NoFault     Fault = iota
	OpenAtEnd         // a quoted field does not end before the text does
	OpenAtLimit       // a quoted field does not end within the record limit
	OpenAtQuote       // another quoted field opens before a quoted field ends
	OpenAtLine        // a quoted field does not end in its line, in a text where too many did not end at all
	TooLong           // the record does not end within the record limit; Raw is its beginning
)

// Record is one record. Its memory is used again by the next one.
type Record struct {
	Raw         []byte  // without its line end
	Offset      int64   // of its first byte in the file
	Line        int64   // its first physical line, from 1
	Fields      []Field // at most the field limit
	Width       int     // how many fields there are
	NUL         bool    // holds a zero byte
	Fault       Fault
	FaultColumn int // from 1
}

// Scanner reads records from a text.
type Scanner struct {
	Config
	r          io.Reader
	buf        []byte // always pad zero bytes longer than the text in it
	pos, end   int    // the text not yet split is buf[pos:end]
	final      bool   // nothing comes after it
	err        error
	lineBreaks int64 // within the record at hand
	line       int64
	split      int64     // how much text is split
	reread     int64     // how much of it was looked at in vain, for quotes that did not end
	impatient  bool      // for so much in vain that quotes have to end within their line: time stays linear in the text's size
	delimiter  byte      // the first byte of Delimiter
	simple     bool      // the delimiter is one byte, and there is no escape but doubling
	looks      [256]bool // what at the start of a field needs a look: a quote, a space that is no text
	rec        Record
}

// pad lets the splitting look at a whole word, and at the byte after next, without asking where the text ends.
const pad = 16

// bufferSize is what the buffer begins with; it grows to the record limit and this much again.
const bufferSize = 64 << 10

// NewScanner makes a scanner of r's text.
func NewScanner(r io.Reader, c Config) *Scanner {
	s := newScanner(c)
	s.r, s.buf = r, make([]byte, bufferSize+pad)
	return s
}

// Text is a text in memory that many scanners may read.
type Text struct{ padded []byte }

// NewText copies b.
func NewText(b []byte) Text { return Text{append(bytes.Clone(b), make([]byte, pad)...)} }

// NewTextScanner makes a scanner of a text in memory.
func NewTextScanner(t Text, c Config) *Scanner {
	s := newScanner(c)
	s.Use(t)
	return s
}

// Use goes on with the beginning of another text in memory.
func (s *Scanner) Use(t Text) {
	s.buf, s.pos, s.end, s.final = t.padded, 0, len(t.padded)-pad, true
	s.line, s.split, s.reread, s.impatient = 1, 0, 0, false
}

func newScanner(c Config) *Scanner {
	s := &Scanner{Config: c, line: 1, delimiter: c.Delimiter[0], simple: len(c.Delimiter) == 1 && !c.escapes()}
	s.looks[c.Quote] = c.Quote != 0
	if c.SkipSpace {
		s.looks[' '] = true
	}
	return s
}

// Next returns the next record, valid until the call after; io.EOF at the end; r's error where that fails.
func (s *Scanner) Next() (*Record, error) {
	for {
		if s.final && s.pos == s.end {
			return nil, io.EOF
		}
		if s.pos < s.end {
			n, lineEnd := s.next()
			if s.rec.Fault == TooLong {
				return s.skipLine()
			}
			if n != more {
				return s.take(n, lineEnd), nil
			}
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// take makes the record of the next n bytes of text and steps over it and its line end.
func (s *Scanner) take(n, lineEnd int) *Record {
	s.place(s.buf[s.pos : s.pos+n])
	s.advance(n + lineEnd)
	s.line += s.lineBreaks
	if lineEnd > 0 {
		s.line++
	}
	return &s.rec
}

// place sets the record's bytes and place. Its memory must not move until the record is done with.
func (s *Scanner) place(raw []byte) {
	s.rec.Raw, s.rec.Offset, s.rec.Line = raw, s.Offset, s.line
	if s.rec.Fault == TooLong { // more was looked at than became the record
		s.rec.NUL = bytes.IndexByte(raw, 0) >= 0
	}
}

func (s *Scanner) advance(n int) {
	if s.Measure == nil {
		s.Offset += int64(n)
	} else {
		s.Offset += s.Measure(s.buf[s.pos : s.pos+n])
	}
	s.pos += n
	s.split += int64(n)
	s.impatient = s.reread > 16*int64(s.RecordBytes)+4*s.split
}

// skipLine returns the record that is over the limit and drops the rest of its line, in bounded memory.
func (s *Scanner) skipLine() (*Record, error) {
	n := s.RecordBytes
	s.place(bytes.Clone(s.buf[s.pos : s.pos+n]))
	for {
		if i := bytes.IndexAny(s.buf[s.pos+n:s.end], "\r\n"); i >= 0 {
			end := s.pos + n + i
			if s.buf[end] == '\n' || end+1 < s.end || s.final {
				s.advance(n + i + lineEndLen(s.buf[end:s.end]))
				s.line += s.lineBreaks + 1
				return &s.rec, nil
			}
			n += i
		} else {
			n = s.end - s.pos
			if s.final {
				s.advance(n)
				return &s.rec, nil
			}
		}
		s.advance(n)
		n = 0
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// lineEndLen is the length of the line end at the start of b.
func lineEndLen(b []byte) int {
	if b[0] == '\r' && len(b) > 1 && b[1] == '\n' {
		return 2
	}
	return 1
}

// fill reads more text behind what is not yet split.
func (s *Scanner) fill() error {
	if s.err != nil {
		return s.err
	}
	copy(s.buf, s.buf[s.pos:s.end])
	s.end -= s.pos
	s.pos = 0
	if room := len(s.buf) - pad; s.end == room {
		s.buf = append(s.buf, make([]byte, room)...)
	}
	n, err := s.r.Read(s.buf[s.end : len(s.buf)-pad])
	s.end += n
	clear(s.buf[s.end : s.end+pad])
	if err == io.EOF { // and not an error that wraps it, as those of a network may
		s.final = true
		err = nil
	}
	s.err = err
	return err
}
