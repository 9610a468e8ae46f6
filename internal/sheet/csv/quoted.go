package csv

// quotedField is what is known about a field that begins with a quote.
type quotedField struct {
	end     int // of the closing quote, or a later index; with a fault, how far the search went
	escaped bool
	fault   Fault
}

// quoted searches for the end of the field whose opening quote is at index open, and counts the line breaks in it.
func (s *Scanner) quoted(w window, open int) (q quotedField) {
	quotes, escapes := pattern(s.Quote), pattern(s.Quote)
	if s.escapes() {
		escapes = pattern(s.Escape)
	}
	for at := open + 1; ; {
		x := word(w.text[at:])
		s.seen |= x
		m := marks(x, quotes)
		if escapes != quotes {
			m |= marks(x, escapes)
		}
		first := at
		at += 8
		for ; m != 0; m &= m - 1 {
			i := first + firstMark(m)
			if i >= w.bound {
				q.end, q.fault = s.unfinished(w)
				return q
			}
			switch c := w.text[i]; c {
			case s.Quote, s.Escape:
				switch s.role(w, i) {
				case undecided:
					q.end = needMore
					return q
				case closes:
					q.end = i
					return q
				case opens:
					q.end, q.fault = i, OpenAtQuote
					return q
				case escaping:
					q.escaped = true
					at, m = i+2, 0
				case literal:
					if c == s.Quote && s.rec.LooseColumn == 0 {
						s.rec.LooseColumn = s.rec.Width + 1
					}
				}
			case '\r', '\n':
				if s.quotesEndInLine {
					q.end, q.fault = i, OpenAtLine
					return q
				}
				if c == '\n' || w.text[i+1] != '\n' {
					s.lineBreaks++
				}
			case 0:
				s.rec.NUL = true
			}
		}
	}
}

// unfinished returns what it means that the field continues beyond the bound.
func (s *Scanner) unfinished(w window) (end int, fault Fault) {
	switch {
	case w.size > s.RecordBytes:
		return s.RecordBytes, OpenAtLimit
	case s.final:
		return w.size, OpenAtEnd
	}
	return needMore, NoFault
}

// role is what a quote or an escape character inside a quoted field does.
type role uint8

const (
	literal   role = iota // it is text: `5" pipe`
	closes                // it ends the field
	escaping              // it and the next character stand for the latter
	opens                 // it begins another field, so the field's own quote was stray
	undecided             // what follows is not in the buffer yet
)

func (s *Scanner) role(w window, i int) role {
	if s.simple && !s.SkipSpace && w.text[i] == s.Quote && i+1 < w.size { // as most are
		switch w.text[i+1] {
		case s.Quote:
			return s.doubled(w, i)
		case s.delimiter, '\n':
			return closes
		}
	}
	if i+1 >= w.size && !s.final {
		return undecided
	}
	after := w.text[i+1]
	if c := w.text[i]; c != s.Quote {
		if i+1 < w.size && (after == s.Quote || after == c) {
			return escaping
		}
		return literal
	}
	switch ends, known := s.fieldEnds(w, i+1); {
	case i+1 < w.size && after == s.Quote && !s.escapes():
		return s.doubled(w, i)
	case !known:
		return undecided
	case ends:
		return closes
	case s.fieldBegins(w, i):
		return opens
	}
	return literal
}

// doubled returns what the first of two quotes does. They stand for one, but where a field begins with three, of which the last ends none:
// then the first opens it, as in `2,"open` above `3,"""quoted"" text"`.
func (s *Scanner) doubled(w window, i int) role {
	if !s.fieldBegins(w, i) {
		return escaping
	}
	if i+3 >= w.size && !s.final {
		return undecided
	}
	if i+2 >= w.size || w.text[i+2] != s.Quote || i+3 < w.size && w.text[i+3] == s.Quote {
		return escaping
	}
	switch ends, known := s.fieldEnds(w, i+3); {
	case !known:
		return undecided
	case ends:
		return escaping
	}
	return opens
}

// fieldEnds reports whether a closed field may end at index i, and whether there is enough text to know.
func (s *Scanner) fieldEnds(w window, i int) (ends, known bool) {
	i = s.skipBlanks(w, i)
	switch {
	case i >= w.size:
		return s.final, s.final
	case isLineEnd(w.text[i]):
		return true, true
	}
	return s.delimiterAt(w, i)
}

// fieldBegins reports whether a field may begin at index i.
func (s *Scanner) fieldBegins(w window, i int) bool {
	if s.SkipSpace {
		for i > 0 && w.text[i-1] == ' ' {
			i--
		}
	}
	n := len(s.Delimiter)
	return isLineEnd(w.text[i-1]) || i >= n && string(w.text[i-n:i]) == s.Delimiter
}
