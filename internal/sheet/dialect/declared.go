package dialect

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// declared returns the delimiter that the text's first line names, as spreadsheet programs write and read it: sep=;
// alone on its line.
func declared(head []byte) (delimiter string, ok bool) {
	line := bytes.Trim(firstLine(bytes.TrimPrefix(head, []byte("\ufeff"))), `"`)
	if len(line) < 5 || !bytes.EqualFold(line[:4], []byte("sep=")) {
		return "", false
	}
	r, n := utf8.DecodeRune(line[4:])
	return string(line[4:]), n == len(line)-4 && r != utf8.RuneError && r > 0
}

// W3CFields begins the line of the names in logs of web servers (https://www.w3.org/TR/WD-logfile.html), and zeekFields in those of Zeek,
// where the separator follows (https://docs.zeek.org/en/master/log-formats.html).
const (
	W3CFields  = "#Fields:"
	ZeekFields = "#fields"
)

// IsLogMark reports whether a cell stands before the names of a log's columns.
func IsLogMark(cell string) bool { return cell == W3CFields || cell == ZeekFields }

// logNames returns the names, with what stands before the first one, if a log's line has them.
func logNames(line []byte) (names []byte, ok bool) {
	between := " \t"
	names, ok = bytes.CutPrefix(line, []byte(W3CFields))
	if !ok {
		between = "\t,"
		names, ok = bytes.CutPrefix(line, []byte(ZeekFields))
	}
	return names, ok && len(names) > 0 && strings.IndexByte(between, names[0]) >= 0
}

// Log is how a log is written: its first lines begin with #, and one of them has the names.
type Log struct {
	Delimiter string
	Above     int // lines above the names
}

// DetectLog returns the format of a log; ok is false if the text is none. Between names stand blanks, commas, or what is between values.
func DetectLog(head []byte) (f Log, ok bool) {
	var names []byte
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for range maxDirectives {
		line := firstLine(head)
		if len(line) == 0 || line[0] != '#' && names == nil || line[0] != head[0] { // a blank line
			return f, false
		}
		if line[0] != '#' {
			break
		}
		if list, found := logNames(line); found && names == nil {
			names = list
		}
		if names == nil {
			f.Above++
		}
		head = afterLineEnd(head[len(line):])
	}
	if names == nil {
		return f, false
	}
	switch record := firstLine(head); {
	case bytes.IndexByte(record, '\t') >= 0 || names[0] == '\t':
		f.Delimiter = "\t"
	case bytes.IndexByte(names, ',') >= 0:
		f.Delimiter = ","
	default:
		f.Delimiter = " "
	}
	return f, true
}

// afterLineEnd returns the text behind the line end with which it begins.
func afterLineEnd(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("\r\n")) {
		return text[2:]
	}
	return text[min(1, len(text)):]
}

// maxDirectives is how many lines above the names are looked at.
const maxDirectives = 10
