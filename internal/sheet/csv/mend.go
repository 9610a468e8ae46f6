package csv

import "bytes"

// others are the delimiters of records that somebody else added to a file.
var others = []string{",", ";", "\t", "|"}

// Mend splits the record at hand, of a table of so many columns, another way if nothing but that makes sense: where it has few fields and
// another usual delimiter makes as many as there are columns, or where single quotes enclose all of its fields. It must be called before
// the record is used. A record of a narrow table is left as it is, for texts hold a delimiter or two.
func (s *Scanner) Mend(columns int) {
	r := &s.rec
	if columns < 3 || r.Fault != NoFault || s.Quote != '"' {
		return
	}
	if n := len(r.Raw); n > 1 && r.Raw[0] == '\'' && r.Raw[n-1] == '\'' {
		s.resplit(s.Delimiter, '\'', columns)
		return
	}
	if r.Width > 1 && r.Width*2 >= columns {
		return
	}
	for _, d := range others {
		if bytes.Count(r.Raw, []byte(d)) >= columns-1 && s.resplit(d, s.Quote, columns) {
			return
		}
	}
}

// resplit takes the fields that the delimiter and the quote make of the record if they are as many as there are columns and, where the
// quote is another one, all quoted.
func (s *Scanner) resplit(delimiter string, quote byte, columns int) bool {
	c := s.Config
	c.Delimiter, c.Quote, c.Escape, c.Mark = delimiter, quote, quote, ""
	other := NewTextScanner(NewText(s.rec.Raw), c)
	r, err := other.Next()
	if err != nil || r.Fault != NoFault || r.Width != columns || len(r.Fields) != columns || len(r.Raw) != len(s.rec.Raw) {
		return false
	}
	for _, f := range r.Fields {
		if quote != s.Quote && (f.Escaped || f.Start == 0 || r.Raw[f.Start-1] != quote) {
			return false
		}
	}
	s.rec.Fields, s.rec.Width = append(s.rec.Fields[:0], r.Fields...), columns
	return true
}
