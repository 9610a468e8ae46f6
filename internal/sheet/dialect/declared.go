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

// fields begins the line of the names in logs of web servers (https://www.w3.org/TR/WD-logfile.html).
var fields = []byte("#Fields:")

// ofLog returns the delimiter of a web server's log: its first lines begin with #, and one of them has the names.
func ofLog(head []byte) (delimiter string, ok bool) {
	for range maxDirectives {
		line := firstLine(head)
		if len(line) == 0 || line[0] != '#' {
			return "", false
		}
		if names, found := bytes.CutPrefix(line, fields); found && len(names) > 0 && (names[0] == ' ' || names[0] == '\t') {
			return string(names[:1]), true
		}
		head = bytes.TrimLeft(head[len(line):], "\r\n")
	}
	return "", false
}

// maxDirectives is how many lines above the names are looked at.
const maxDirectives = 10
