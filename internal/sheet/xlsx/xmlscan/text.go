package xmlscan

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// longestEntity is the maximum distance from an entity's & to its semicolon.
const longestEntity = 32

// AppendText appends the text of the current Text to dst, with entities replaced and line ends as LF, as XML specifies.
// Invalid content is preserved: U+0000 as a zero byte, a surrogate as the three bytes of UTF-8's pattern, invalid UTF-8
// as it is. An unknown entity is an error of the next call of Next.
func (s *Scanner) AppendText(dst []byte) []byte {
	switch {
	case bytes.IndexByte(s.text, '&') < 0 && bytes.IndexByte(s.text, '\r') < 0:
		return append(dst, s.text...)
	case s.verbatim:
		return appendLines(dst, s.text)
	}
	dst, ok := appendDecoded(dst, s.text)
	if !ok {
		s.fail("a text holds an unknown entity")
	}
	return dst
}

// Content returns the text of the element that has just started and goes to the element's end. It is the fast path for
// an element that contains only plain text: in any other case it reads nothing, and ok is false.
func (s *Scanner) Content() (text []byte, ok bool) {
	rest, name := s.buf[s.pos:s.end], s.open.top()
	n := bytes.IndexByte(rest, '<')
	if n < 0 || s.empty || s.err != nil || bytes.IndexByte(rest[:n], '&') >= 0 || bytes.IndexByte(rest[:n], '\r') >= 0 {
		return nil, false
	}
	end := n + 2 + len(name)
	if end >= len(rest) || rest[n+1] != '/' || rest[end] != '>' || !bytes.Equal(rest[n+2:end], name) {
		return nil, false
	}
	s.pos += end + 1
	s.open.pop()
	return rest[:n], true
}

// readText reads text up to the next tag, or as much of it as the buffer holds. It returns false if there is nothing to
// return: outside of the root element only white space is allowed.
func (s *Scanner) readText() bool {
	i := s.find('<', 0)
	if i < 0 {
		i = s.end
		if !s.ended {
			i -= undecided(s.buf[s.pos:s.end])
		}
	}
	s.text, s.verbatim = s.buf[s.pos:i], false
	s.pos = i
	if len(s.open.starts) > 0 {
		return true
	}
	if !s.open.closed && len(bytes.Trim(s.text, space)) > 0 {
		s.fail("text stands before the root element")
	}
	return false
}

// undecided returns how much at the end of a piece of text depends on what follows: an entity, a line end, a character.
func undecided(text []byte) int {
	tail := text[max(0, len(text)-longestEntity):]
	if i := bytes.LastIndexByte(tail, '&'); i >= 0 && bytes.IndexByte(tail[i:], ';') < 0 {
		return len(tail) - i
	}
	if text[len(text)-1] == '\r' {
		return 1
	}
	return 0
}

// readCDATA reads verbatim text up to its end, or as much of it as the buffer holds.
func (s *Scanner) readCDATA() bool {
	const mark = "]]>"
	i := s.findMark(mark)
	switch {
	case i >= 0:
		s.text = s.buf[s.pos:i]
		s.pos = i + len(mark)
		s.inCDATA = false
	case s.ended:
		s.fail("the text ends within CDATA")
		return false
	default:
		i = s.end - len(mark)
		s.text = s.buf[s.pos:i]
		s.pos = i
	}
	s.verbatim = true
	return true
}

// appendLines appends text with CR LF and CR as LF.
func appendLines(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\r')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i]...), '\n')
		if text = text[i+1:]; len(text) > 0 && text[0] == '\n' {
			text = text[1:]
		}
	}
}

// appendDecoded appends text with its entities replaced; ok is false if one is unknown to XML.
func appendDecoded(dst, text []byte) (decoded []byte, ok bool) {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return appendLines(dst, text), true
		}
		dst = appendLines(dst, text[:i])
		text = text[i+1:]
		n := bytes.IndexByte(text[:min(len(text), longestEntity)], ';')
		if n < 0 {
			return dst, false
		}
		if dst, ok = appendEntity(dst, text[:n]); !ok {
			return dst, false
		}
		text = text[n+1:]
	}
}

func appendEntity(dst, entity []byte) ([]byte, bool) {
	switch string(entity) {
	case "amp":
		return append(dst, '&'), true
	case "lt":
		return append(dst, '<'), true
	case "gt":
		return append(dst, '>'), true
	case "quot":
		return append(dst, '"'), true
	case "apos":
		return append(dst, '\''), true
	}
	digits, ok := bytes.CutPrefix(entity, []byte("#"))
	if !ok {
		return dst, false
	}
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	r, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || r > utf8.MaxRune {
		return dst, false
	}
	return AppendUnit(dst, rune(r)), true
}

// AppendUnit appends a character, or a UTF-16 unit: a low surrogate forms one character with the high surrogate at the
// end of dst, and a lone one becomes the three bytes of UTF-8's pattern, which are not valid UTF-8.
func AppendUnit(dst []byte, r rune) []byte {
	if r < 0xD800 || r > 0xDFFF {
		return utf8.AppendRune(dst, r)
	}
	if n := len(dst) - 3; r >= 0xDC00 && n >= 0 && dst[n] == 0xED && dst[n+1] >= 0xA0 && dst[n+1] < 0xB0 {
		high := rune(dst[n+1]&0x3F)<<6 | rune(dst[n+2]&0x3F) // the lower 12 bits of D800–DBFF
		return utf8.AppendRune(dst[:n], 0x10000+(high&0x3FF)<<10+(r-0xDC00))
	}
	return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}
