package csv

import "bytes"

// commentMarks begin comments, which may name the columns.
const commentMarks = "#%!/"

// Names returns where the names stand that a line lists with a delimiter of its own, or with runs of blanks between them: as many as wanted.
// Quotes around the line, and the mark of a comment, belong to none. A comma also stands in prose, and so do blanks.
//
//	# time; temperature; humidity
//	"  Freq (Hz)    Ampl     Bias"
func Names(line []byte, quote byte, wanted int) []Field {
	start, end := 0, len(line)
	if end > 1 && quote != 0 && line[0] == quote && line[end-1] == quote {
		start, end = 1, end-1
	}
	text := bytes.TrimRight(line[start:end], " \t")
	start, end = start+len(text)-len(bytes.TrimLeft(text, commentMarks+" \t")), start+len(text)
	text = line[start:max(start, end)]
	for _, d := range otherDelimiters {
		if bytes.Count(text, []byte(d)) == wanted-1 {
			return between(text, start, []byte(d))
		}
	}
	for _, run := range []string{"  ", "\t"} {
		if names := between(text, start, []byte(run)); len(names) == wanted {
			return names
		}
	}
	return nil
}

// between returns where the texts between the delimiters stand, without the white space around them. Of blanks and tabs any number is
// one delimiter.
func between(text []byte, start int, delimiter []byte) (fields []Field) {
	for {
		name, rest, more := bytes.Cut(text, delimiter)
		from := start + len(name) - len(bytes.TrimLeft(name, " \t"))
		fields = append(fields, Field{Start: int32(from), End: int32(from + len(bytes.TrimSpace(name)))})
		if !more {
			return fields
		}
		start += len(name) + len(delimiter)
		if text = rest; delimiter[0] == ' ' || delimiter[0] == '\t' {
			text = bytes.TrimLeft(text, " \t")
			start += len(rest) - len(text)
		}
	}
}

// SplitNames splits the current record as Names does, and leaves it as it is if it lists another number of names.
func (s *Scanner) SplitNames(wanted int) {
	if names := Names(s.rec.Raw, s.Quote, wanted); names != nil {
		s.rec.Fields, s.rec.Width, s.rec.Fault, s.rec.FaultColumn = append(s.rec.Fields[:0], names...), wanted, NoFault, 0
	}
}
