// Package csv splits delimited text into records and fields, at the speed of memory rather than of a state machine per
// byte. It finds the positions of fields and leaves decoding them to its caller.
//
// A record ends at CR LF, LF or CR. A field that begins with a quote ends with one; inside it a doubled or escaped
// quote stands for one quote, and delimiters and line ends are text. For example, the text
//
//	id,note
//	1,"a ""b"", c"
//
// has the records [id] [note] and [1] [a "b", c].
//
// What RFC 4180 leaves open is read as follows. A quote inside an unquoted field is text, and so is one inside a quoted
// field that neither ends it nor is doubled. If a quoted field cannot end (at the end of the text, at the record limit,
// or at a quote that obviously opens another field), the record is cut after the line of the opening quote, with a
// Fault; that quote is text, and reading continues on the next line. So a stray quote costs its line and nothing else:
//
//	1,"5 inch
//	2,"6 inch"
//
// is a record [1] ["5 inch] with the fault OpenAtQuote in column 2, followed by the record [2] [6 inch]. Where the number of columns is
// known, and no line within the record limit has as many, the field is not open but too long: it is skipped as a whole.
package csv

import (
	"bytes"
	"io"
	"slices"
)

// Field is the position of a field in its record's Raw, without its enclosing quotes.
type Field struct {
	Start, End int32
	Escaped    bool // may contain doubled quotes or escape characters
}

// Fault is the reason why a record could not be split.
type Fault uint8

// The faults. FaultColumn is the column in which the quote was opened.
const (
	NoFault     Fault = iota
	OpenAtEnd         // a quoted field does not end before the text does
	OpenAtLimit       // a quoted field does not end within the record limit
	OpenAtQuote       // another quoted field opens before a quoted field ends
	OpenAtLine        // a quoted field does not end in its line, in a text where too many did not end at all
	TooLong           // the record does not end within the record limit; Raw is its beginning
)

// Record is one record. Its memory is reused by the next one.
type Record struct {
	Raw         []byte  // without the line end
	Offset      int64   // of the first byte in the file
	Line        int64   // the first physical line, from 1
	Fields      []Field // at most the field limit
	Width       int     // the number of fields, which may exceed len(Fields)
	NUL         bool    // it contains a zero byte
	ASCII       bool    // it has nothing beyond ASCII; false says nothing
	Fault       Fault
	FaultColumn int // from 1
	// the first column, from 1, in which a field begins with a quote and holds one that neither ends it nor is doubled; 0 if there is none
	LooseColumn int
}

// Scanner reads records from a text. It is not safe for concurrent use.
type Scanner struct {
	Config
	r          io.Reader
	blocks     Blocks // r, if it has them
	buf        []byte // always pad zero bytes longer than the text in it
	pos, end   int    // the text that is not split yet is buf[pos:end]
	final      bool   // no text follows
	err        error
	lineBreaks int64  // within the record at hand
	seen       uint64 // likewise, all bits that are set in its words
	line       int64
	split      int64 // bytes of text split so far
	reread     int64 // of these, bytes scanned in vain for the ends of quoted fields
	// too much was scanned in vain: quoted fields must now end in their line, so that the time stays linear in the size
	quotesEndInLine bool
	delimiter       byte      // the first byte of Delimiter
	simple          bool      // the delimiter is one byte, and quotes are only escaped by doubling
	needsLook       [256]bool // bytes at the start of a field that need a closer look: a quote, an ignored space
	long            bool      // the record at hand has a quoted field that is longer than a record may be
	rec             Record
}

// pad lets the splitting read a whole word, and the byte after next, without checking where the text ends.
const pad = 16

// rereadFactor is how many times the record limit may be scanned in vain, whatever was split.
const rereadFactor = 16

// bufferSize is the initial size of the buffer; it grows up to the record limit plus this size.
const bufferSize = 64 << 10

// Blocks is what a reader has whose text can be split where it is, in place of a copy.
type Blocks interface {
	// NextBlock returns the block behind that of the call before, valid until the next call, with tail, the end of what that call returned,
	// in front of it. It returns nil at the end.
	NextBlock(tail []byte) ([]byte, error)
}

// NewScanner returns a Scanner of r's text, which is not copied where r has Blocks.
func NewScanner(r io.Reader, c Config) *Scanner {
	s := newScanner(c)
	s.r = r
	if s.blocks, _ = r.(Blocks); s.blocks == nil {
		s.buf = make([]byte, bufferSize+pad)
	}
	return s
}

// Text is a text in memory that many scanners may read at once.
type Text struct{ padded []byte }

// NewText returns a Text with a copy of b.
func NewText(b []byte) Text {
	padded := make([]byte, len(b)+pad)
	copy(padded, b)
	return Text{padded}
}

// NewTextScanner returns a Scanner of a text in memory.
func NewTextScanner(t Text, c Config) *Scanner {
	s := newScanner(c)
	s.Use(t)
	return s
}

// Use restarts the scanner at the beginning of another text in memory.
func (s *Scanner) Use(t Text) {
	s.buf, s.pos, s.end, s.final = t.padded, 0, len(t.padded)-pad, true
	s.line, s.split, s.reread, s.quotesEndInLine = 1, 0, 0, false
}

// Work is how much text a scanner has split, and how much it scanned in vain for the ends of quoted fields, by which it decides whether
// these must end in their line.
type Work struct{ split, reread int64 }

// Work returns what the scanner has done.
func (s *Scanner) Work() Work { return Work{s.split, s.reread} }

// Plus returns the work of two scanners together.
func (w Work) Plus(other Work) Work { return Work{w.split + other.split, w.reread + other.reread} }

// IsUsual reports whether no order of the work can have made quoted fields end in their line.
func (w Work) IsUsual(c Config) bool { return w.reread <= rereadFactor*int64(c.RecordBytes) }

// Resume makes a scanner that has read nothing go on where others stopped, in this line.
func (s *Scanner) Resume(line int64, w Work) {
	s.line, s.split, s.reread = line, w.split, w.reread
	s.weighWork()
}

func (s *Scanner) weighWork() {
	s.quotesEndInLine = s.reread > rereadFactor*int64(s.RecordBytes)+4*s.split
}

func newScanner(c Config) *Scanner {
	s := &Scanner{Config: c, line: 1, delimiter: c.Delimiter[0], simple: len(c.Delimiter) == 1 && !c.escapes()}
	s.needsLook[c.Quote] = c.Quote != 0
	if c.SkipSpace {
		s.needsLook[' '] = true
	}
	return s
}

// Next returns the next record, which is valid until the next call, io.EOF at the end, or r's error.
func (s *Scanner) Next() (*Record, error) {
	for {
		if s.final && s.pos == s.end {
			return nil, io.EOF
		}
		if s.pos < s.end {
			n, lineEnd := s.scanRecord()
			if s.rec.Fault == TooLong {
				if s.long {
					s.long = false
					return s.skipCell()
				}
				return s.skipLine()
			}
			if s.Cut && s.final && n != needMore && (lineEnd == 0 || s.rec.Fault == OpenAtEnd) {
				s.pos = s.end
				return nil, io.EOF
			}
			if n != needMore {
				return s.take(n, lineEnd), nil
			}
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// take returns the record of the next n bytes of text and skips it and its line end.
func (s *Scanner) take(n, lineEnd int) *Record {
	s.place(s.buf[s.pos : s.pos+n])
	s.advance(n + lineEnd)
	s.line += s.lineBreaks
	if lineEnd > 0 {
		s.line++
	}
	return &s.rec
}

// place sets the record's bytes and position. Its memory must not move until the record is done with.
func (s *Scanner) place(raw []byte) {
	s.rec.Raw, s.rec.Offset, s.rec.Line, s.rec.ASCII = raw, s.Offset, s.line, s.seen&high == 0 && s.rec.Fault == NoFault
	if s.rec.Fault == TooLong { // more was scanned than became part of the record
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
	s.weighWork()
}

// skipLine returns the record that exceeds the limit and discards the rest of its line, in bounded memory.
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

// lineEndLen returns the length of the line end at the start of b.
func lineEndLen(b []byte) int {
	if b[0] == '\r' && len(b) > 1 && b[1] == '\n' {
		return 2
	}
	return 1
}

// fill reads more text after the text that is not split yet.
func (s *Scanner) fill() error {
	if s.err != nil {
		return s.err
	}
	if s.blocks != nil {
		return s.turn()
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
	if err == io.EOF { // not errors.Is: a network's error may wrap io.EOF
		s.final = true
		err = nil
	}
	s.err = err
	return err
}

// turn takes the next block, behind the text that is not split yet.
func (s *Scanner) turn() error {
	block, err := s.blocks.NextBlock(s.buf[s.pos:s.end])
	if err != nil {
		s.err = err
		return err
	}
	if block == nil {
		s.final = true
		return nil
	}
	s.pos, s.end = 0, len(block)
	s.buf = slices.Grow(block, pad)[:len(block)+pad]
	clear(s.buf[s.end:])
	return nil
}
