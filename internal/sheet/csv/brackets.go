package csv

import "slices"

// joinBrackets makes one field, without the brackets, of a moment and its zone.
func (s *Scanner) joinBrackets(text []byte) {
	fields := s.rec.Fields
	for i := 0; i+1 < len(fields); i++ {
		first, zone := fields[i], fields[i+1]
		if first.End-first.Start < 2 || text[first.Start] != '[' || !IsZone(text[zone.Start:zone.End]) {
			continue
		}
		fields[i] = Field{first.Start + 1, zone.End - 1, false}
		fields = slices.Delete(fields, i+1, i+2)
		s.rec.Width--
	}
	s.rec.Fields = fields
}

// IsZone reports whether a field ends a moment in brackets: +0100].
func IsZone(field []byte) bool {
	if len(field) != len("+0000]") || field[0] != '+' && field[0] != '-' || field[len(field)-1] != ']' {
		return false
	}
	for _, c := range field[1 : len(field)-1] {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
