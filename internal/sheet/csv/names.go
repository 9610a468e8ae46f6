package csv

import (
	"bytes"
	"strings"
)

// CommentMarks begin lines that are comments, as programs write them into data; the last of them may name the columns.
var CommentMarks = []string{"#", "//", "%", "!", ";", "--", "*", "'", "REM ", "rem "}

// repeatedMarks are those that programs write several times: ## time.
const repeatedMarks = "#%!/"

// Names returns where the names stand that a line lists with a delimiter of its own, with runs of blanks between them, or behind the mark
// of a comment that no blank follows with single ones: as many as wanted. Quotes around the line, and the mark, belong to none. A comma
// also stands in prose, and so do blanks.
//
//	# time; temperature; humidity
//	"  Freq (Hz)    Ampl     Bias"
func Names(line []byte, quote byte, wanted int) []Field {
	start, end := 0, len(line)
	if end > 1 && quote != 0 && line[0] == quote && line[end-1] == quote {
		start, end = 1, end-1
	}
	whole := bytes.TrimRight(line[start:end], " \t")
	text, attached := behindMark(whole)
	start += len(whole) - len(text)
	for _, d := range otherDelimiters {
		if bytes.Count(text, []byte(d)) == wanted-1 {
			return between(text, start, []byte(d))
		}
	}
	runs := []string{"  ", "\t"}
	if attached && !bytes.ContainsAny(text, ",;|\t") {
		runs = append(runs, " ")
	}
	for _, run := range runs {
		if names := between(text, start, []byte(run)); len(names) == wanted {
			return names
		}
	}
	return nil
}

// CutMark returns a line without blanks and the mark of a comment that it begins with, and the mark; "" if it has none, or a single quote
// that another one closes.
func CutMark(line []byte) (text []byte, mark string) {
	text = bytes.TrimLeft(line, " \t")
	for _, mark := range CommentMarks {
		rest, found := bytes.CutPrefix(text, []byte(mark))
		if found && (mark != "'" || !bytes.Contains(rest, []byte(mark))) {
			return rest, mark
		}
	}
	return text, ""
}

// WithoutMark returns a name of a column without the mark of a comment that programs write before the first one, once or several times.
func WithoutMark(name string) string {
	text, _ := CutMark([]byte(name))
	return strings.TrimSpace(strings.TrimLeft(string(text), repeatedMarks))
}

// behindMark returns a line without blanks and the mark of a comment that it begins with, and reports whether no blank follows the mark.
func behindMark(line []byte) (text []byte, attached bool) {
	text, mark := CutMark(line)
	text = bytes.TrimLeft(text, repeatedMarks)
	attached = mark != "" && len(text) > 0 && text[0] != ' ' && text[0] != '\t' && mark[len(mark)-1] != ' '
	return bytes.TrimLeft(text, repeatedMarks+" \t"), attached
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
