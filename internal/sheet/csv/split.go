package csv

import "bytes"

// needMore is returned in place of an index or a length if the record does not end in the buffered text.
const needMore = -1

// needLook is returned in place of an index if the field begins with something that plain does not handle.
const needLook = -2

// window is the text in the buffer, from the beginning of a record.
type window struct {
	text  []byte // followed by zero bytes
	size  int    // without these zero bytes
	bound int    // size, or just beyond the record limit: nothing from here on belongs to a record within the limit
}

// scanRecord finds the record at the start of the text: its length and that of its line end, and in s.rec its fields
// and fault. The length is needMore if more text is needed: the result never depends on how much text is buffered.
func (s *Scanner) scanRecord() (n, lineEnd int) {
	size := s.end - s.pos
	w := window{s.buf[s.pos : s.end+pad], size, min(size, s.RecordBytes+1)}
	s.rec = Record{Fields: s.rec.Fields[:0]}
	s.lineBreaks = 0
	start := s.skipMark(w) // of the field
	if start == needMore {
		return needMore, 0
	}
	if s.seen = 0; !s.simple || start > 0 {
		s.seen = high // not all of it is searched in words
	}
	for {
		if s.SkipSpace {
			start = skipSpaces(w, start)
		}
		if s.Quote != 0 && w.text[start] == s.Quote && start < w.bound {
			before := s.lineBreaks
			q := s.quoted(w, start)
			if q.fault != NoFault {
				s.lineBreaks = before
				if q.fault == OpenAtLimit && s.isLongCell(w, start) {
					s.rec.Fault, s.rec.FaultColumn, s.long = TooLong, s.rec.Width+1, true
					return needMore, 0
				}
				return s.cut(w, start, q)
			}
			if q.end == needMore {
				return needMore, 0
			}
			s.add(start+1, q.end, q.escaped)
			end := s.skipBlanks(w, q.end+1)
			if w.text[end] != s.delimiter {
				return s.finish(w, end)
			}
			start = end + len(s.Delimiter)
			continue
		}
		var end int
		if s.simple {
			start, end = s.plain(w, start)
		} else {
			start, end = s.plainBytewise(w, start)
		}
		switch {
		case end == needLook:
			continue
		case end == needMore:
			return needMore, 0
		case end < w.bound || size <= s.RecordBytes && s.final:
			s.add(start, min(end, size), !s.simple && s.escapes())
			return s.finish(w, min(end, size))
		case size > s.RecordBytes:
			s.rec.Fault = TooLong
		}
		return needMore, 0
	}
}

// skipMark returns the index after a byte order mark.
func (s *Scanner) skipMark(w window) int {
	switch {
	case s.Mark == "" || w.text[0] != s.Mark[0]:
		return 0
	case w.size < len(s.Mark) && !s.final:
		return needMore
	case w.bound >= len(s.Mark) && bytes.HasPrefix(w.text, []byte(s.Mark)):
		return len(s.Mark)
	}
	return 0
}

func skipSpaces(w window, i int) int {
	for i < w.bound && w.text[i] == ' ' {
		i++
	}
	return i
}

// skipBlanks returns the index after what may stand behind a closing quote: tabs, with which programs keep Excel from rounding numbers, and
// spaces.
func (s *Scanner) skipBlanks(w window, i int) int {
	if s.Delimiter[0] != '\t' {
		for i < w.bound && w.text[i] == '\t' {
			i++
		}
	}
	if s.SkipSpace {
		i = skipSpaces(w, i)
	}
	return i
}

// plain adds the fields from start on, up to the last one of the record or one that needs a closer look. It returns
// where that field begins and where it was seen to end.
func (s *Scanner) plain(w window, start int) (last, end int) {
	delimiter, delimiters := s.delimiter, pattern(s.delimiter)
	for at := start; ; at += 8 {
		x := word(w.text[at:])
		s.seen |= x
		for m := marks(x, delimiters); m != 0; m &= m - 1 {
			i := at + firstMark(m)
			switch c := w.text[i]; {
			case i >= w.bound:
				return start, i
			case c == delimiter:
				s.add(start, i, false)
				if start = i + 1; start < w.bound && s.needsLook[w.text[start]] {
					return start, needLook
				}
			case c == '\n' || c == '\r':
				return start, i
			case c == 0:
				s.rec.NUL = true
			}
		}
	}
}

// plainBytewise is plain for delimiters of several bytes and for escape characters.
func (s *Scanner) plainBytewise(w window, start int) (last, end int) {
	escapes := s.escapes()
	for i := start; ; i++ {
		c := w.text[i]
		switch {
		case i >= w.bound:
			return start, i
		case escapes && c == s.Escape:
			if i+1 >= w.size && !s.final {
				return start, needMore
			}
			if i+1 < w.bound && s.escapable(w.text[i+1]) {
				i++
				if w.text[i] == '\n' {
					s.lineBreaks++
				}
			}
		case c == s.delimiter:
			ends, known := s.delimiterAt(w, i)
			if !known {
				return start, needMore
			}
			if ends {
				s.add(start, i, escapes)
				start = i + len(s.Delimiter)
				if start < w.bound && s.needsLook[w.text[start]] {
					return start, needLook
				}
				i = start - 1
			}
		case isLineEnd(c):
			return start, i
		case c == 0:
			s.rec.NUL = true
		}
	}
}

// delimiterAt reports whether there is a delimiter at index i, and whether there is enough text to know.
func (s *Scanner) delimiterAt(w window, i int) (is, known bool) {
	n := len(s.Delimiter)
	switch {
	case w.text[i] != s.delimiter || i >= w.size:
		return false, true
	case n == 1:
		return true, true
	case i+n > w.size:
		return false, s.final || !bytes.HasPrefix([]byte(s.Delimiter), w.text[i:w.size])
	}
	return string(w.text[i:i+n]) == s.Delimiter, true
}

func (s *Scanner) add(start, end int, escaped bool) {
	if s.rec.Width++; s.rec.Width <= s.Config.Fields {
		s.rec.Fields = append(s.rec.Fields, Field{int32(start), int32(end), escaped})
	}
}

// finish ends the record at index end, the position of a line end or the end of the text.
func (s *Scanner) finish(w window, end int) (n, lineEnd int) {
	if s.Brackets {
		s.joinBrackets(w.text)
	}
	switch {
	case end > s.RecordBytes:
		s.rec.Fault = TooLong
		return needMore, 0
	case end == w.size && !s.final, end+1 == w.size && w.text[end] == '\r' && !s.final:
		return needMore, 0
	case end == w.size:
		return end, 0
	}
	return end, lineEndLen(w.text[end:w.size])
}
