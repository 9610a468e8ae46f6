package csv

import "bytes"

// more tells that the text at hand ends before the record does.
const more = -1

// window is the text at hand, from the beginning of a record.
type window struct {
	text  []byte // followed by zero bytes
	size  int    // without these
	bound int    // size, or just beyond the record limit: nothing from here on belongs to a record within the limit
}

// next finds the record at the start of the text: its length and that of its line end, and in s.rec its fields and fault. The length is
// more where more text is needed: what is found never depends on how much text is at hand.
func (s *Scanner) next() (n, lineEnd int) {
	size := s.end - s.pos
	w := window{s.buf[s.pos : s.end+pad], size, min(size, s.RecordBytes+1)}
	s.rec = Record{Fields: s.rec.Fields[:0]}
	s.lineBreaks = 0
	var start, end int // of the field
	for {
		if w.text[start] == '"' && start < w.bound {
			before := s.lineBreaks
			q := s.quoted(w, start)
			if q.fault != NoFault {
				s.lineBreaks = before
				return s.cut(w, start, q)
			}
			if q.end == more {
				return more, 0
			}
			s.add(start+1, q.end, q.doubled)
			if w.text[q.end+1] != s.Delimiter {
				return s.finish(w, q.end+1)
			}
			start = q.end + 2
			continue
		}
		if start, end = s.plain(w, start); end == start && w.text[start] == '"' && start < w.bound {
			continue
		}
		switch {
		case end < w.bound || size <= s.RecordBytes && s.final:
			s.add(start, min(end, size), false)
			return s.finish(w, min(end, size))
		case size > s.RecordBytes:
			s.rec.Fault = TooLong
		}
		return more, 0
	}
}

// plain adds the fields from start on, up to the record's last one or one that begins with a quote: where that begins, and where it was
// seen to end.
func (s *Scanner) plain(w window, start int) (last, end int) {
	delimiter, delimiters := s.Delimiter, pattern(s.Delimiter)
	for at := start; ; at += 8 {
		for m := marks(w.text[at:], delimiters); m != 0; m &= m - 1 {
			i := at + firstMark(m)
			switch c := w.text[i]; {
			case i >= w.bound:
				return start, i
			case c == delimiter:
				s.add(start, i, false)
				if start = i + 1; w.text[start] == '"' {
					return start, start
				}
			case c == '\n' || c == '\r':
				return start, i
			case c == 0:
				s.rec.NUL = true
			}
		}
	}
}

func (s *Scanner) add(start, end int, doubled bool) {
	if s.rec.Width++; s.rec.Width <= s.Config.Fields {
		s.rec.Fields = append(s.rec.Fields, Field{int32(start), int32(end), doubled})
	}
}

// finish ends the record at index end, where a line end stands or the text ends.
func (s *Scanner) finish(w window, end int) (n, lineEnd int) {
	switch {
	case end > s.RecordBytes:
		s.rec.Fault = TooLong
		return more, 0
	case end == w.size && !s.final, end+1 == w.size && w.text[end] == '\r' && !s.final:
		return more, 0
	case end == w.size:
		return end, 0
	}
	return end, lineEndLen(w.text[end:w.size])
}

// cut ends the record after the line of the quote at index open, whose field has a fault.
func (s *Scanner) cut(w window, open int, q quotedField) (n, lineEnd int) {
	end := w.bound
	if i := bytes.IndexAny(w.text[open:w.bound], "\r\n"); i >= 0 {
		end = open + i
	} else if w.size > s.RecordBytes {
		s.rec.Fault = TooLong
		return more, 0
	}
	s.add(open, end, false)
	n, lineEnd = s.finish(w, end)
	if n != more {
		s.reread += int64(max(0, q.end-end))
		s.rec.Fault, s.rec.FaultColumn = q.fault, s.rec.Width
	}
	return n, lineEnd
}
