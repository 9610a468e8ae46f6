package dialect

import (
	"bytes"
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
