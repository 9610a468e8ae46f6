package csv

// quotedField is what was found of a field that begins with a quote.
type quotedField struct {
	end     int // of the closing quote, or more; with a fault, how far was looked
	doubled bool
	fault   Fault
}

var quotes = pattern('"')

// quoted looks for the end of the field whose opening quote is at index open, and counts the line breaks within.
func (s *Scanner) quoted(w window, open int) (q quotedField) {
	for at := open + 1; ; {
		m := marks(w.text[at:], quotes)
		word := at
		at += 8
		for ; m != 0; m &= m - 1 {
			i := word + firstMark(m)
			if i >= w.bound {
				q.end, q.fault = s.unfinished(w)
				return q
			}
			switch c := w.text[i]; c {
			case '"':
				switch s.role(w, i) {
				case undecided:
					q.end = more
					return q
				case closes:
					q.end = i
					return q
				case opens:
					q.end, q.fault = i, OpenAtQuote
					return q
				case doubles:
					q.doubled = true
					at, m = i+2, 0
				}
			case '\r', '\n':
				if s.impatient {
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

// unfinished tells what it means that the field goes on beyond the bound.
func (s *Scanner) unfinished(w window) (end int, fault Fault) {
	switch {
	case w.size > s.RecordBytes:
		return s.RecordBytes, OpenAtLimit
	case s.final:
		return w.size, OpenAtEnd
	}
	return more, NoFault
}

// role is what a quote within a quoted field does.
type role uint8

const (
	literal   role = iota // it is text: `5" pipe`
	closes                // it ends the field
	doubles               // it and the next one stand for one
	opens                 // it begins another field, so the field's own quote was a stray one
	undecided             // the next byte is not at hand
)

func (s *Scanner) role(w window, i int) role {
	if i+1 >= w.size {
		if s.final {
			return closes
		}
		return undecided
	}
	switch after := w.text[i+1]; {
	case after == '"':
		return doubles
	case s.endsField(after):
		return closes
	case s.endsField(w.text[i-1]):
		return opens
	}
	return literal
}

func (s *Scanner) endsField(c byte) bool { return c == s.Delimiter || c == '\n' || c == '\r' }
