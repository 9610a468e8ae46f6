package csv

import "bytes"

// cut ends the record after the line of the quote at index open. The field gets a fault unless it is text with paired
// quotes.
func (s *Scanner) cut(w window, open int, q quotedField) (n, lineEnd int) {
	s.seen = high // not all of the line was searched
	end := w.bound
	if i := bytes.IndexAny(w.text[open:w.bound], "\r\n"); i >= 0 {
		end = open + i
	} else if w.size > s.RecordBytes {
		s.rec.Fault = TooLong
		return needMore, 0
	}
	column := s.rec.Width + 1
	s.splitLine(w.text[:end], open)
	n, lineEnd = s.finish(w, end)
	if n != needMore {
		s.reread += int64(max(0, q.end-end))
		s.rec.NUL = bytes.IndexByte(w.text[:end], 0) >= 0 // bytes beyond the cut belong to a later record
		if !s.isText(w.text[open:end]) {
			s.rec.Fault, s.rec.FaultColumn = q.fault, column
		} else if s.rec.LooseColumn == 0 {
			s.rec.LooseColumn = column
		}
	}
	return n, lineEnd
}

// isText reports whether the rest of a line, which begins with a quote that does not end a field, has all its quotes in
// pairs, including those of its first field: `"Meyer" GmbH` is text, and nothing of it is missing.
func (s *Scanner) isText(rest []byte) bool {
	first, others, _ := bytes.Cut(rest, []byte(s.Delimiter))
	n := bytes.Count(first, []byte{s.Quote})
	return n > 0 && n%2 == 0 && bytes.Count(others, []byte{s.Quote})%2 == 0
}

// splitLine adds the fields from start to the end of the line. The first one begins with a quote that is text; others
// are quoted if they end within the line.
func (s *Scanner) splitLine(line []byte, start int) {
	delimiter := []byte(s.Delimiter)
	closings := true // there may be more closing quotes
	for first := true; ; first = false {
		if !first && closings && start < len(line) && line[start] == s.Quote {
			end, doubled := s.closing(line, start+1)
			if closings = end >= 0; closings {
				s.add(start+1, end, doubled)
				if start = end + 1 + len(delimiter); start > len(line) {
					return
				}
				continue
			}
		}
		i := bytes.Index(line[start:], delimiter)
		if i < 0 {
			s.add(start, len(line), false)
			return
		}
		s.add(start, start+i, false)
		start += i + len(delimiter)
	}
}

// closing returns the index of the quote, from index i on, that ends its field, or -1.
func (s *Scanner) closing(line []byte, i int) (end int, escaped bool) {
	for ; i < len(line); i++ {
		switch {
		case s.escapes() && line[i] == s.Escape:
			escaped = true
			i++
		case line[i] != s.Quote:
		case i+1 == len(line), bytes.HasPrefix(line[i+1:], []byte(s.Delimiter)):
			return i, escaped
		case line[i+1] == s.Quote:
			escaped = true
			i++
		}
	}
	return -1, false
}
