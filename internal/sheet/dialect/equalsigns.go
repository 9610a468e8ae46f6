package dialect

import (
	"bytes"
	"strings"
	"unicode"
)

// byEqualsSigns reports whether all lines of the text, three or more, are a name without a blank, which no other line has, an equals sign
// and a value:
//
//	server.port=8080
//	log.level = info
func byEqualsSigns(text []byte) bool {
	names := map[string]bool{}
	for line := range bytes.Lines(text) {
		name, value, found := bytes.Cut(line, []byte("="))
		name = bytes.TrimSpace(name)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if !found || bytes.IndexByte(value, '=') >= 0 || len(name) == 0 || bytes.ContainsFunc(name, isNoneOfName) || names[string(name)] {
			return false
		}
		names[string(name)] = true
	}
	return len(names) >= Evidence
}

func isNoneOfName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r)
}
