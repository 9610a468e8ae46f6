// Package xmlscan reads XML as a stream of tokens, in one buffer and without an allocation per token. It supports what
// the parts of office documents need: elements, attributes, text, CDATA, the five predefined entities and character
// references, in UTF-8, in UTF-16 and in any other encoding that the declaration names. Documents must be well-formed:
// tags must be closed in order, and a truncated text is an error. Names are returned without their prefixes, and
// namespaces are not resolved.
//
// For example, <a><x:b c="1"/>2</a> results in the tokens Start a, Start b with the attribute c, End, Text 2, End.
//
// Document type declarations, and so a document's own entities, are not supported: such a document is refused.
package xmlscan

import (
	"bytes"
	"cmp"
	"io"
)

const (
	bufferBytes = 64 << 10 // a tag must fit; longer text is returned in pieces
	maxDepth    = 256
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. An empty element results in a Start and an End.
const (
	Start Kind = iota + 1
	End
	Text
)

// SyntaxError says why a document is not well-formed.
type SyntaxError struct {
	Message string
}

func (e *SyntaxError) Error() string { return e.Message }

// Scanner reads tokens. What it returns is valid until the next call of Next or Skip. It is not safe for concurrent
// use.
type Scanner struct {
	src        io.Reader
	buf        []byte
	pos, end   int   // the unread text is buf[pos:end]
	ended      bool  // src has ended
	srcErr     error // because it failed
	err        error // with which reading ended, or what is wrong with the current token
	name       []byte
	attributes []byte // of the current Start, those not returned yet
	text       []byte // of the current Text, as in the document
	verbatim   bool   // text holds no entities: it is CDATA
	inCDATA    bool
	empty      bool // the current Start is its own End
	started    bool
	open       elements
	values     []byte // memory for attribute values with entities
}

// New returns a Scanner of a document. Errors of r are returned unchanged.
func New(r io.Reader) *Scanner {
	return &Scanner{src: r, buf: make([]byte, bufferBytes)}
}

// Name returns the local name of the current Start.
func (s *Scanner) Name() []byte { return s.name }

// Next goes to the next token. It returns io.EOF after the root element's end, once the rest has been read and ignored;
// a *SyntaxError if the document is not well-formed; otherwise the reader's error.
func (s *Scanner) Next() (Kind, error) {
	if s.empty && s.err == nil {
		s.empty = false
		s.open.pop()
		return End, nil
	}
	for s.err == nil {
		switch {
		case s.inCDATA:
			if s.readCDATA() {
				return Text, nil
			}
		case s.pos == s.end:
			s.more()
		case s.buf[s.pos] != '<':
			if s.readText() {
				return Text, nil
			}
		default:
			if kind := s.readTag(); kind != 0 {
				return kind, nil
			}
		}
	}
	return 0, s.err
}

// Skip goes to the end of the element that has just started.
func (s *Scanner) Skip() error {
	for depth := 1; depth > 0; {
		kind, err := s.Next()
		if err != nil {
			return err
		}
		switch kind {
		case Start:
			depth++
		case End:
			depth--
		}
	}
	return nil
}

// Unread returns the text behind the current token as far as it is in memory, which may be not at all. It is for callers that know how most
// elements are written: of what they read in it themselves, they give the length to Take.
func (s *Scanner) Unread() []byte {
	if s.empty || s.inCDATA || s.err != nil {
		return nil
	}
	return s.buf[s.pos:s.end]
}

// Take skips so many bytes of what Unread returned: whole elements.
func (s *Scanner) Take(n int) { s.pos += n }

// fill reads more text and moves the unread text to the beginning of the buffer. It returns false if there is no more,
// or no room for it.
func (s *Scanner) fill() bool {
	if s.pos > 0 {
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	}
	for !s.ended && s.end < len(s.buf) {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		s.ended = err != nil
		if err != io.EOF {
			s.srcErr = err
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// more reads more text once everything in the buffer has been used.
func (s *Scanner) more() {
	switch {
	case !s.started:
		s.started = true
		s.err = s.decode()
	case s.fill():
	case !s.open.closed:
		s.fail("the text ends before its root element does")
	default:
		s.err = cmp.Or(s.srcErr, io.EOF)
	}
}

// find returns the index in buf of the next c, from skip bytes after pos on; -1 if it is not within the buffer's size.
func (s *Scanner) find(c byte, skip int) int {
	for {
		if from := s.pos + skip; from < s.end {
			if i := bytes.IndexByte(s.buf[from:s.end], c); i >= 0 {
				return from + i
			}
			skip = s.end - s.pos
		}
		if !s.fill() {
			return -1
		}
	}
}

// findMark is find for several bytes.
func (s *Scanner) findMark(mark string) int {
	for done := 0; ; {
		if i := bytes.Index(s.buf[s.pos+done:s.end], []byte(mark)); i >= 0 {
			return s.pos + done + i
		}
		done = max(0, s.end-s.pos-len(mark)+1)
		if !s.fill() {
			return -1
		}
	}
}

// fail ends reading: because of the source if that failed, otherwise because of the document.
func (s *Scanner) fail(message string) {
	s.err = cmp.Or[error](s.srcErr, &SyntaxError{message})
}
