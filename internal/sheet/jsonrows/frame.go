package jsonrows

import (
	"bytes"
	"errors"
	"io"
)

const blockBytes = 64 << 10

// fill reads more text behind what is in the buffer, and reports whether there was any. It moves what was not used yet to the
// buffer's beginning.
func (r *Reader) fill() bool {
	if r.pos > 0 {
		r.buf = r.buf[:copy(r.buf, r.buf[r.pos:])]
		r.pos = 0
	}
	for r.srcErr == nil {
		if cap(r.buf)-len(r.buf) < blockBytes {
			r.buf = append(make([]byte, 0, 2*cap(r.buf)+blockBytes), r.buf...)
		}
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf, r.srcErr = r.buf[:len(r.buf)+n], err
		if n > 0 {
			return true
		}
	}
	return false
}

// take uses n bytes of the buffer.
func (r *Reader) take(n int) []byte {
	b := r.buf[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	r.offset += int64(n)
	r.line += int64(bytes.Count(b, []byte("\n")))
	return b
}

// peek returns the next byte; ok is false at the end.
func (r *Reader) peek() (c byte, ok bool) {
	if r.pos == len(r.buf) && !r.fill() {
		return 0, false
	}
	return r.buf[r.pos], true
}

// skip takes white space and, between the elements of an array, commas.
func (r *Reader) skip(commas bool) {
	for {
		c, ok := r.peek()
		if !ok || !isSpace(c) && (c != ',' || !commas) {
			return
		}
		r.take(1)
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// begin finds out how the records are separated: a text that begins with a bracket is an array. Of objects, the first one
// tells whether each is on a line.
func (r *Reader) begin() {
	r.started = true
	r.skip(false)
	c, _ := r.peek()
	if r.array = c == '['; r.array {
		r.take(1)
		return
	}
	end := r.find(func(c byte) bool { return c == '\n' })
	line := r.buf[r.pos : r.pos+end]
	_, r.lines = membersOf(trimmed(line))
}

// find returns how many bytes come before one of a kind, at most as many as a record may have.
func (r *Reader) find(isEnd func(byte) bool) int {
	for n := 0; ; n++ {
		if r.pos+n == len(r.buf) && (n > r.config.RecordBytes || !r.fill()) {
			return n
		}
		if isEnd(r.buf[r.pos+n]) {
			return n
		}
	}
}

// frame returns the next record's bytes, and io.EOF after the last one.
func (r *Reader) frame() (kept, error) {
	if !r.started {
		r.begin()
	}
	if r.lines {
		return r.frameLine()
	}
	r.skip(r.array)
	c, ok := r.peek()
	k := kept{line: r.line, offset: r.offset}
	switch {
	case !ok && !errors.Is(r.srcErr, io.EOF):
		return k, r.srcErr
	case !ok && r.array && !r.ended && !r.config.Cut:
		r.ended = true
		k.fault = NoEnd
		return k, nil
	case !ok:
		return k, io.EOF
	case r.array && !r.ended && c == ']':
		r.take(1)
		r.ended = true
		return r.frame()
	case r.ended:
		k.raw, k.fault = r.restOfLine(), Behind
		return k, nil
	}
	return r.frameValue(k)
}

// frameLine returns the next line.
func (r *Reader) frameLine() (kept, error) {
	if _, ok := r.peek(); !ok {
		return kept{}, r.srcErr
	}
	k := kept{line: r.line, offset: r.offset}
	n := r.find(func(c byte) bool { return c == '\n' })
	if r.pos+n == len(r.buf) && r.srcErr != nil && (r.config.Cut || !errors.Is(r.srcErr, io.EOF)) { // which may go on
		return k, r.srcErr
	}
	if n > r.config.RecordBytes {
		k.raw, k.fault = trimmed(bytes.Clone(r.buf[r.pos:r.pos+r.config.RecordBytes])), TooLong
		r.restOfLine()
		return k, nil
	}
	k.raw = trimmed(r.take(n))
	if r.array { // of which the ends of some elements were not found
		k.raw = trimmed(bytes.TrimRight(k.raw, ",] \t"))
	}
	if r.atNewline() {
		r.pos, r.offset, r.line = r.pos+1, r.offset+1, r.line+1
	}
	if len(k.raw) == 0 {
		k.fault = Blank
	}
	return k, nil
}

// atNewline reports whether a line end, which find has found, is next. It does not read, so that what was taken stays.
func (r *Reader) atNewline() bool { return r.pos < len(r.buf) && r.buf[r.pos] == '\n' }

// restOfLine takes everything up to the next line end and returns its beginning.
func (r *Reader) restOfLine() []byte {
	var kept []byte
	for {
		n := bytes.IndexByte(r.buf[r.pos:], '\n')
		if n < 0 {
			n = len(r.buf) - r.pos
		}
		if room := r.config.RecordBytes - len(kept); room > 0 {
			kept = append(kept, r.buf[r.pos:r.pos+min(n, room)]...)
		}
		r.take(n)
		if r.atNewline() || !r.fill() {
			return bytes.TrimRight(kept, "\r")
		}
	}
}

// trimmed returns the text without the white space around it that JSON has.
func trimmed(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }

// maxLost is after how many records without an end each line is taken for one: looking for the end of each would take a time
// that grows with the square of the text.
const maxLost = 8

// frameValue returns the value that begins here: up to the comma or the bracket behind it, and in a sequence of objects up to
// the brace that closes it.
func (r *Reader) frameValue(k kept) (kept, error) {
	depth, inString := 0, false
	for n := 0; ; n++ {
		if long := n > r.config.RecordBytes; long || r.pos+n == len(r.buf) && !r.fill() {
			return r.lose(k, n, depth, long)
		}
		c := r.buf[r.pos+n]
		switch {
		case inString && c == '\\' && (r.pos+n+1 < len(r.buf) || r.fill()):
			n++
		case c == '"':
			inString = !inString
		case inString && c != '\n': // which no string may have
		case c == '{' || c == '[':
			depth++
		case c == ',' && depth == 0 && r.array, c == ']' && depth == 0 && r.array:
			k.raw = trimmed(r.take(n))
			return k, nil
		case c == '}' || c == ']':
			if depth--; depth <= 0 && !r.array {
				k.raw = r.take(n + 1)
				return k, nil
			}
		case c == '\n':
			inString = false
		}
	}
}

// lose is for a value of n bytes without an end: its first line is returned, and reading goes on behind that.
func (r *Reader) lose(k kept, n, depth int, long bool) (kept, error) {
	if !long && !errors.Is(r.srcErr, io.EOF) {
		return k, r.srcErr
	}
	if !long && depth == 0 && !r.config.Cut { // the array has no end, but its last value has
		k.raw = trimmed(r.take(n))
		return k, nil
	}
	if !long && r.config.Cut {
		r.pos = len(r.buf)
		return k, io.EOF
	}
	if k.fault = Open; long {
		k.fault = TooLong
	}
	k.raw = r.restOfLine()
	if r.lost++; r.lost == maxLost {
		r.lines, r.ended = true, true
	}
	return k, nil
}
