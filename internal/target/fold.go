package target

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a header without what people write now one way and now another: case, white space, invisible characters,
// full-width and half-width forms (NFKC), and _ - . / ( ) ・ 「」. Folding a folded header changes nothing.
func Fold(header string) string {
	folded := strings.ToLower(norm.NFKC.String(header))
	return norm.NFKC.String(strings.Map(keep, folded))
}

// keep drops the characters that Fold ignores.
func keep(r rune) rune {
	if unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) || strings.ContainsRune("_-./()・「」", r) {
		return -1
	}
	return r
}
