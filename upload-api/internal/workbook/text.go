package workbook

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// appendText appends a text as XML. Characters that XML does not have, and a carriage return, which its readers change, are written as
// _xHHHH_, and so is the underscore of what would be taken for that (ECMA-376 part 1, 22.9.2.19).
func appendText(dst []byte, text string) []byte {
	start := 0
	for i := 0; i < len(text); i++ {
		var escape string
		switch c := text[i]; {
		case c == '&':
			escape = "&amp;"
		case c == '<':
			escape = "&lt;"
		case c == '>':
			escape = "&gt;"
		case c == '"':
			escape = "&quot;"
		case c < ' ' && c != '\t' && c != '\n':
			escape = fmt.Sprintf("_x%04X_", c)
		case c == '_' && isEscape(text[i:]):
			escape = "_x005F_"
		case c == 0xEF && (strings.HasPrefix(text[i:], "\uFFFE") || strings.HasPrefix(text[i:], "\uFFFF")):
			r, size := utf8.DecodeRuneInString(text[i:])
			dst = fmt.Appendf(append(dst, text[start:i]...), "_x%04X_", r)
			i += size - 1
			start = i + 1
			continue
		default:
			continue
		}
		dst = append(append(dst, text[start:i]...), escape...)
		start = i + 1
	}
	return append(dst, text[start:]...)
}

// isEscape reports whether a text begins with _xHHHH_.
func isEscape(text string) bool {
	const length = len("_xHHHH_")
	if len(text) < length || text[1] != 'x' || text[length-1] != '_' {
		return false
	}
	return strings.Trim(text[2:length-1], "0123456789abcdefABCDEF") == ""
}

// attribute returns a text as the value of an attribute.
func attribute(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;").Replace(text)
}
