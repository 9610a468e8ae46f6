package csv

import "bytes"

// otherDelimiters are the delimiters of records that somebody else appended to a file.
var otherDelimiters = []string{",", ";", "\t", "|"}

// Repair splits the current record of a table with this many columns differently if only that makes sense: if the
// record has few fields and another common delimiter results in as many as there are columns, or if single quotes
// enclose all of its fields. It must be called before the record is used. Records of narrow tables are left alone,
// because texts often contain one or two delimiters.
//
// For example, in a table of four columns with the delimiter ",", the record a;b;c;d becomes four fields.
func (s *Scanner) Repair(columns int) {
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
	for _, d := range otherDelimiters {
		if bytes.Count(r.Raw, []byte(d)) >= columns-1 && s.resplit(d, s.Quote, columns) {
			return
		}
	}
}

// resplit uses the fields that result from the delimiter and the quote if there are as many as columns and, if the
// quote differs from the file's, all are quoted.
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
