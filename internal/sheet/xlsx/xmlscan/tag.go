package xmlscan

import "bytes"

// readTag reads a token that begins with <. It returns 0 for what is not returned to the caller: comments, processing
// instructions, the beginning of CDATA, and everything after the root element.
func (s *Scanner) readTag() Kind {
	if s.open.closed {
		s.pos = s.end
		return 0
	}
	for s.end-s.pos < len("<![CDATA[") && s.fill() { // a tag such as </a> may be shorter
		continue
	}
	rest := s.buf[s.pos:s.end]
	switch {
	case len(rest) < 2:
		s.fail("the text ends within a tag")
	case rest[1] == '/':
		return s.readEnd()
	case rest[1] == '?':
		s.skipPast("?>", 2)
	case rest[1] != '!':
		return s.readStart()
	case bytes.HasPrefix(rest, []byte("<!--")):
		s.skipPast("-->", 4)
	case bytes.HasPrefix(rest, []byte("<![CDATA[")) && len(s.open.starts) > 0:
		s.inCDATA = true
		s.pos += len("<![CDATA[")
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		s.fail("it declares a document type, which no part of a workbook may")
	default:
		s.fail("a tag begins with <!")
	}
	return 0
}

// skipPast skips the text up to and including the mark, however far away it is.
func (s *Scanner) skipPast(mark string, skip int) {
	s.pos += skip
	for {
		if i := s.findMark(mark); i >= 0 {
			s.pos = i + len(mark)
			return
		}
		if s.ended {
			s.fail("the text ends within a comment or an instruction")
			return
		}
		s.pos = s.end - len(mark) + 1 // the buffer is full
	}
}

func (s *Scanner) readEnd() Kind {
	top := s.open.top()
	end := s.pos + 2 + len(top)
	if end >= s.end || s.buf[end] != '>' { // usually all of </name> is in the buffer
		if end = s.find('>', 2); end < 0 {
			s.fail("a tag does not end")
			return 0
		}
	}
	if name := trimRight(s.buf[s.pos+2 : end]); len(top) == 0 || !bytes.Equal(name, top) {
		s.fail("the element " + string(top) + " ends as " + string(name))
		return 0
	}
	s.pos = end + 1
	s.open.pop()
	return End
}

func (s *Scanner) readStart() Kind {
	n := s.nameEnd()
	end := s.tagEnd(1 + n)
	if end < 0 {
		s.fail("a tag does not end, or is too long")
		return 0
	}
	tag := s.buf[s.pos+1 : end]
	s.pos = end + 1
	if n == 0 || len(s.open.starts) == maxDepth {
		s.fail("a tag has no name, or stands too deep")
		return 0
	}
	s.empty = tag[len(tag)-1] == '/'
	s.open.push(tag[:n])
	s.name = tag[:n]
	if i := bytes.IndexByte(s.name, ':'); i >= 0 {
		s.name = s.name[i+1:]
	}
	s.attributes, s.values = tag[n:], s.values[:0]
	if s.empty {
		s.attributes = s.attributes[:len(s.attributes)-1]
	}
	return Start
}

// nameEnd returns the length of the name of the tag at pos.
func (s *Scanner) nameEnd() int {
	for n := 0; ; n++ {
		if s.pos+1+n == s.end && !s.fill() {
			return n
		}
		if c := s.buf[s.pos+1+n]; c <= ' ' || c == '>' || c == '/' {
			return n
		}
	}
}

// tagEnd returns the index of the > that ends the tag, from skip bytes after pos on. One inside a quoted value does not
// end it.
func (s *Scanner) tagEnd(skip int) int {
	i := s.find('>', skip)
	if i <= s.pos+skip {
		return i
	}
	tag := s.buf[s.pos+skip : i]
	if bytes.Count(tag, []byte{'"'})%2 == 0 && bytes.IndexByte(tag, '\'') < 0 {
		return i
	}
	for quote := byte(0); ; skip++ {
		if s.pos+skip == s.end && !s.fill() {
			return -1
		}
		switch c := s.buf[s.pos+skip]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '>':
			return s.pos + skip
		case c == '"' || c == '\'':
			quote = c
		}
	}
}

// Attribute returns the next attribute of the current Start: its name including its prefix, and its value with entities
// replaced. If the attributes of a tag are not well-formed, ok is false, and the next call of Next returns the error.
func (s *Scanner) Attribute() (name, value []byte, ok bool) {
	rest := s.attributes
	i := 0
	for i < len(rest) && isSpace(rest[i]) {
		i++
	}
	if i == len(rest) {
		return nil, nil, false
	}
	start := i
	for i < len(rest) && rest[i] != '=' {
		i++
	}
	name = trimRight(rest[start:i])
	i++
	for i < len(rest) && isSpace(rest[i]) {
		i++
	}
	if start == 0 || i >= len(rest) || rest[i] != '"' && rest[i] != '\'' {
		s.fail("the attributes of " + string(s.name) + " are broken")
		return nil, nil, false
	}
	n := bytes.IndexByte(rest[i+1:], rest[i])
	if n < 0 {
		s.fail("the attributes of " + string(s.name) + " are broken")
		return nil, nil, false
	}
	value = rest[i+1 : i+1+n]
	s.attributes = rest[i+n+2:]
	if bytes.IndexByte(value, '&') >= 0 {
		value = s.decodeValue(value)
	}
	return name, value, s.err == nil
}

func (s *Scanner) decodeValue(value []byte) []byte {
	start := len(s.values)
	values, ok := appendDecoded(s.values, value)
	if !ok {
		s.fail("an attribute of " + string(s.name) + " holds an unknown entity")
	}
	s.values = values
	return values[start:len(values):len(values)]
}

const space = " \t\r\n"

func trimRight(text []byte) []byte {
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }
