package export

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Spreadsheet programs take text for a formula by its first character, white space left aside, full-width ones where the system's language
// is Japanese. OWASP, "CSV Injection", lists the characters, with tab and line ends in front. A program whose list separator is another one
// than the comma ends a cell at it, and at line ends, though they are quoted: so what stands behind these counts as a beginning too.
var (
	formulaStart = regexp.MustCompile(`(^|[;\t\r\n])([\v\f\p{Z}\x{FEFF}]*[=+\-@＝＋－＠])`)
	signedNumber = regexp.MustCompile(`^[-+－＋][\d\x{FF10}-\x{FF19}][\d\x{FF10}-\x{FF19}.,．，]*([eE][-+]?\d+)?\s?[%％]?$`)
)

// escapeFormulas puts ' in front of what a spreadsheet program would take for a formula, so that it shows the text. A number stays as it
// is.
func escapeFormulas(text []byte) []byte {
	if !mayHoldFormula(text) || signedNumber.Match(text) {
		return text
	}
	text = formulaStart.ReplaceAll(text, []byte("${1}'${2}"))
	if strings.IndexByte("\t\r\n", text[0]) >= 0 {
		text = slices.Concat([]byte("'"), text)
	}
	return text
}

// mayHoldFormula tells quickly that most texts hold none. 0xEF begins the full-width characters in UTF-8.
func mayHoldFormula(text []byte) bool {
	return bytes.ContainsAny(text, "=+-@\t\r\n") || bytes.IndexByte(text, 0xEF) >= 0
}
