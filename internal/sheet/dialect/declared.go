package dialect

import (
	"bytes"
	"unicode/utf8"
)

// declared is the delimiter that the text's first line names, as spreadsheet programs write and read it: sep=; alone in its line.
func declared(head []byte) (delimiter string, ok bool) {
	line := bytes.Trim(firstLine(bytes.TrimPrefix(head, []byte("\ufeff"))), `"`)
	if len(line) < 5 || !bytes.EqualFold(line[:4], []byte("sep=")) {
		return "", false
	}
	r, n := utf8.DecodeRune(line[4:])
	return string(line[4:]), n == len(line)-4 && r != utf8.RuneError && r > 0
}

// areObjects reports whether each line of the text is an object in JSON, which has delimiters but none between cells.
func areObjects(text []byte) bool {
	lines := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if line[0] != '{' || line[len(line)-1] != '}' || !bytes.Contains(line, []byte(`":`)) {
			return false
		}
		lines++
	}
	return lines > 1
}
