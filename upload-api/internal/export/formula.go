package export

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Spreadsheet programs recognise a formula by its first character, after optional white space, including full-width
// characters if the system's language is Japanese. OWASP, "CSV Injection", lists the characters, with tab and line ends
// in front. A program whose list separator is not the comma ends a cell at its own separator and at line ends even
// inside quotes, so whatever follows one of these counts as a beginning too.
const formulaStarts = "=+-@＝＋－＠"

func endsCell(c byte) bool { return c == ';' || c == '\t' || c == '\r' || c == '\n' }

var signedNumber = regexp.MustCompile(`^[-+－＋][\d\x{FF10}-\x{FF19}][\d\x{FF10}-\x{FF19}.,．，]*([eE][-+]?\d+)?\s?[%％]?$`)

// escapeFormulas prefixes ' to what a spreadsheet program would take for a formula, so that it shows the text. Numbers
// stay as they are.
func escapeFormulas(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	var escaped []byte
	copied := 0
	if strings.IndexByte("\t\r\n", text[0]) >= 0 {
		escaped = append(escaped, '\'')
	}
	for at := 0; ; {
		if startsFormula(text[at:]) {
			if at == 0 && signedNumber.Match(text) {
				return text
			}
			escaped = append(append(escaped, text[copied:at]...), '\'')
			copied = at
		}
		end := slices.IndexFunc(text[at:], endsCell)
		if end < 0 {
			break
		}
		at += end + 1
	}
	if escaped == nil {
		return text
	}
	return append(escaped, text[copied:]...)
}

// startsFormula reports whether a cell that begins here would be a formula.
func startsFormula(text []byte) bool {
	for len(text) > 0 {
		if c := text[0]; c > ' ' && c < utf8.RuneSelf { // most texts
			return strings.IndexByte(formulaStarts, c) >= 0
		}
		r, size := utf8.DecodeRune(text)
		if strings.ContainsRune(formulaStarts, r) {
			return true
		}
		if !unicode.Is(unicode.Z, r) && r != '\v' && r != '\f' && r != '\ufeff' {
			return false
		}
		text = text[size:]
	}
	return false
}
