package csv

import "bytes"

// isLongCell reports whether the quoted field that opens at an index, and does not end within the record limit, is longer than a record may
// be, rather than one whose quote is stray: none of the lines behind its first is as wide as a record of the table.
func (s *Scanner) isLongCell(w window, open int) bool {
	if s.Columns < 2 || s.escapes() {
		return false
	}
	text := w.text[open:w.bound]
	for lines := 0; ; lines++ {
		i := bytes.IndexAny(text, "\r\n")
		switch {
		case i < 0: // not a whole line
			return lines > 1
		case lines > 0 && s.isWide(text[:i]):
			return false
		}
		text = text[i+1:]
	}
}

// isWide reports whether a line has the delimiters of a record of the table.
func (s *Scanner) isWide(line []byte) bool {
	return bytes.Count(line, []byte(s.Delimiter)) >= s.Columns-1
}

// skipCell returns the record with such a field, and discards the rest of it, in bounded memory: up to the end of the line in which the
// field ends, which has an odd number of quotes, or of the line before one that is as wide as a record.
func (s *Scanner) skipCell() (*Record, error) {
	s.place(bytes.Clone(s.buf[s.pos : s.pos+s.RecordBytes]))
	first := true // the line is the record's first one
	cut := false  // so much of it was discarded that it is no record of the table
	quotes := 0   // in what was discarded
	for {
		text := s.buf[s.pos:s.end]
		i := bytes.IndexAny(text, "\r\n")
		switch {
		case i >= 0 && (text[i] == '\n' || i+1 < len(text) || s.final):
			quotes += bytes.Count(text[:i], []byte{s.Quote})
			if !first && !cut && i <= s.RecordBytes && quotes%2 == 0 && s.isWide(text[:i]) {
				return &s.rec, nil
			}
			s.advance(i + lineEndLen(text[i:]))
			s.line++
			if !first && quotes%2 == 1 {
				return &s.rec, nil
			}
			first, cut, quotes = false, false, 0
			continue
		case i < 0 && s.final:
			s.advance(len(text))
			return &s.rec, nil
		case i < 0 && len(text) > s.RecordBytes:
			quotes += bytes.Count(text, []byte{s.Quote})
			cut = true
			s.advance(len(text))
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}
