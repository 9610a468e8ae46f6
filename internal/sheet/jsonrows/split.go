package jsonrows

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// split finds the record's cells.
func (r *Reader) split(rec *Record) {
	if at := invalidUTF8(rec.Raw); at >= 0 {
		rec.Fault, rec.At = Encoding, at
		return
	}
	m, ok := membersOf(rec.Raw)
	if !ok {
		if rec.Fault = Invalid; json.Valid(rec.Raw) {
			rec.Fault = NoObject
		}
		return
	}
	rec.Cells = append(rec.Cells[:0], make([][]byte, len(r.names))...)
	r.scratch = r.scratch[:0]
	for m.next() {
		i, known := r.columns[string(m.name)]
		switch {
		case !known || i >= len(rec.Cells):
			rec.fail(Unknown, string(m.name))
			continue
		case rec.Cells[i] != nil:
			rec.fail(Twice, string(m.name))
			continue
		}
		var half bool
		if rec.Cells[i], half = r.text(m.value); half {
			rec.Fault, rec.At = Encoding, m.at
		}
	}
}

func (rec *Record) fail(f Fault, name string) {
	if rec.Fault == NoFault {
		rec.Fault, rec.Name = f, name
	}
}

// invalidUTF8 returns where the first byte is that is no UTF-8, -1 if there is none.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	at := 0
	for at < len(b) {
		c, n := utf8.DecodeRune(b[at:])
		if c == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// text returns the text of a value: of a string what it says, of null nothing, of anything else its JSON; half reports whether
// a string has half of a UTF-16 pair.
func (r *Reader) text(value []byte) (cell []byte, half bool) {
	switch value[0] {
	case 'n':
		return nil, false
	case '"':
		inner := value[1 : len(value)-1]
		if bytes.IndexByte(inner, '\\') < 0 {
			return slices.Clip(inner), false
		}
		start := len(r.scratch)
		r.scratch, half = appendString(r.scratch, inner)
		return r.scratch[start:len(r.scratch):len(r.scratch)], half
	case '{', '[':
		var b bytes.Buffer
		if json.Compact(&b, value) == nil {
			return b.Bytes(), false
		}
	}
	return value, false
}

// appendString appends a string's text, its escapes replaced.
func appendString(dst, s []byte) (text []byte, half bool) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			unit := unitOf(s[i+1:])
			i += 4
			if utf16.IsSurrogate(unit) {
				second := rune(-1)
				if i+2 < len(s) && s[i+1] == '\\' && s[i+2] == 'u' {
					second = unitOf(s[i+3:])
				}
				if unit = utf16.DecodeRune(unit, second); unit == utf8.RuneError {
					half = true
				} else {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, unit)
		default:
			dst = append(dst, c)
		}
	}
	return dst, half
}

// unitOf reads four hexadecimal digits, which valid JSON has behind \u; -1 if there are none.
func unitOf(s []byte) rune {
	if len(s) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// members iterates over an object's members.
type members struct {
	raw         []byte
	pos         int
	name, value []byte
	at          int // of value
}

// membersOf returns the members of an object; ok is false if the text is not one object in valid JSON.
func membersOf(raw []byte) (m *members, ok bool) {
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil, false
	}
	return &members{raw: raw, pos: 1}, true
}

// next goes to the next member.
func (m *members) next() bool {
	m.skip()
	if m.raw[m.pos] == '}' {
		return false
	}
	start := m.pos
	m.pos = endOfString(m.raw, start)
	m.name = m.raw[start+1 : m.pos-1]
	if bytes.IndexByte(m.name, '\\') >= 0 {
		m.name, _ = appendString(nil, m.name)
	}
	m.skip()
	m.at = m.pos
	m.pos = endOfValue(m.raw, m.pos)
	m.value = m.raw[m.at:m.pos]
	return true
}

// skip goes past white space, commas and colons, which valid JSON has in the right places.
func (m *members) skip() {
	for c := m.raw[m.pos]; isSpace(c) || c == ',' || c == ':'; c = m.raw[m.pos] {
		m.pos++
	}
}

// endOfString returns the position behind the string that begins at i.
func endOfString(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// endOfValue returns the position behind the value that begins at i.
func endOfValue(raw []byte, i int) int {
	depth := 0
	for {
		switch c := raw[i]; {
		case c == '"':
			i = endOfString(raw, i)
			if depth == 0 {
				return i
			}
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || isSpace(c)):
			return i
		}
		i++
	}
}
