package csv

import "bytes"

// otherDelimiters are the delimiters of records that somebody else appended to a file.
var otherDelimiters = []string{",", ";", "\t", "|"}

// Repair splits the current record of a table with this many columns differently if only that makes sense: if the
// record has few fields and another common delimiter results in as many as there are columns, if single quotes
// enclose all of its fields, or if a quote before the closing one stands for inches. It reports whether it did, and must
// be called before the record is used. Records of narrow tables are left alone, because texts often contain one or two
// delimiters.
//
// For example, in a table of four columns with the delimiter ",", the record a;b;c;d becomes four fields, and so does
// 1,"Bike, 24"","steel, red",120.
func (s *Scanner) Repair(columns int) bool {
	r := &s.rec
	if columns < 3 || s.Quote != '"' {
		return false
	}
	if r.Fault != NoFault {
		return r.Fault == OpenAtQuote && s.closeAtDelimiters(columns)
	}
	if n := len(r.Raw); n > 1 && r.Raw[0] == '\'' && r.Raw[n-1] == '\'' {
		return s.resplit(s.Delimiter, '\'', columns)
	}
	if r.Width > columns {
		return s.splitBetweenQuotes(columns)
	}
	if r.Width > 1 && r.Width*2 >= columns {
		return false
	}
	for _, d := range otherDelimiters {
		if bytes.Count(r.Raw, []byte(d)) >= columns-1 && s.resplit(d, s.Quote, columns) {
			return true
		}
	}
	return false
}

// splitBetweenQuotes splits a record that begins and ends with a quote and has too many fields anew, only where a delimiter stands right
// between two quotes: quotes that are text were not doubled. It reports whether there are as many fields then as columns.
//
//	"4","He said "no", twice","Ann"
func (s *Scanner) splitBetweenQuotes(columns int) bool {
	r, n := &s.rec, len(s.rec.Raw)
	if n < 2 || r.Raw[0] != s.Quote || r.Raw[n-1] != s.Quote {
		return false
	}
	between := append(append([]byte{s.Quote}, s.Delimiter...), s.Quote)
	if bytes.Count(r.Raw, between) != columns-1 {
		return false
	}
	fields := r.Fields[:0]
	for at := 1; at < n; {
		end := bytes.Index(r.Raw[at:], between)
		if end < 0 {
			end = n - 1 - at
		}
		doubled := bytes.Contains(r.Raw[at:at+end], []byte{s.Quote, s.Quote})
		fields = append(fields, Field{Start: int32(at), End: int32(at + end), Escaped: doubled})
		at += end + len(between)
	}
	r.Fields, r.Width = fields, columns
	return true
}

// closeAtDelimiters splits a record that has a fault anew: a quoted field ends at the first quote before a delimiter, and a
// quote before that one is text. It reports whether there are as many fields then as columns.
func (s *Scanner) closeAtDelimiters(columns int) bool {
	r, quote := &s.rec, s.Quote
	var fields []Field
	closing := append([]byte{quote}, s.Delimiter...)
	for at := 0; len(fields) <= columns; {
		rest := r.Raw[at:]
		if len(rest) == 0 || rest[0] != quote {
			n := bytes.Index(rest, []byte(s.Delimiter))
			if n < 0 {
				fields = append(fields, Field{Start: int32(at), End: int32(len(r.Raw))})
				break
			}
			fields = append(fields, Field{Start: int32(at), End: int32(at + n)})
			at += n + len(s.Delimiter)
			continue
		}
		n := bytes.Index(rest[1:], closing)
		if n < 0 {
			if len(rest) < 2 || rest[len(rest)-1] != quote {
				return false
			}
			fields = append(fields, Field{Start: int32(at + 1), End: int32(len(r.Raw) - 1)})
			break
		}
		fields = append(fields, Field{Start: int32(at + 1), End: int32(at + 1 + n)})
		at += 1 + n + len(closing)
	}
	if len(fields) != columns {
		return false
	}
	r.Fields, r.Width, r.Fault, r.FaultColumn = append(r.Fields[:0], fields...), columns, NoFault, 0
	return true
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
