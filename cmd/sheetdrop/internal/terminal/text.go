package terminal

import (
	"cmp"
	"os"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Plural returns the word as it stands behind the number n.
func Plural(n int64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// shorten cuts a text off at a width; its last character is then an ellipsis.
func shorten(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var b strings.Builder
	used := 0
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		if used += graphemes.Width(); used > width-1 {
			break
		}
		b.WriteString(graphemes.Str())
	}
	return b.String() + "…"
}

// Printable returns a text that cannot control the terminal: line ends become a sign, control characters are removed. Whatever comes out of
// a file, or from a server, is printed this way.
func Printable(text string) string {
	text = strings.NewReplacer("\r\n", "↵", "\n", "↵", "\r", "↵", "\t", " ").Replace(text)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.C, r) { // controls, and marks that change the direction of writing
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}

// Localized returns the Japanese text if the locale is Japanese and there is one, else the English text. The locale is that of POSIX: the
// first of these variables that is set.
func Localized(english, japanese string) string {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if japanese != "" && strings.HasPrefix(locale, "ja") {
		return japanese
	}
	return english
}

// ShellQuoted returns a word for a POSIX shell.
func ShellQuoted(word string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-+,:=@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
