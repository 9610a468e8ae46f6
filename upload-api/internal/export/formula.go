package export

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Spreadsheet programs recognise a formula by its first character, after optional white space, including full-width
// characters if the system's language is Japanese. OWASP, "CSV Injection", lists the characters, with tab and line ends
// in front. A program whose list separator is not the comma ends a cell at its own separator and at line ends even
// inside quotes, so whatever follows one of these counts as a beginning too.
var (
	formulaStart = regexp.MustCompile(`(^|[;\t\r\n])([\v\f\p{Z}\x{FEFF}]*[=+\-@＝＋－＠])`)
	signedNumber = regexp.MustCompile(`^[-+－＋][\d\x{FF10}-\x{FF19}][\d\x{FF10}-\x{FF19}.,．，]*([eE][-+]?\d+)?\s?[%％]?$`)
)

// escapeFormulas prefixes ' to what a spreadsheet program would take for a formula, so that it shows the text. Numbers
// stay as they are.
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

// mayHoldFormula quickly excludes most texts. 0xEF is the first UTF-8 byte of the full-width characters.
func mayHoldFormula(text []byte) bool {
	return bytes.ContainsAny(text, "=+-@\t\r\n") || bytes.IndexByte(text, 0xEF) >= 0
}
