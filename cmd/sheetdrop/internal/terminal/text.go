package terminal

import (
	"strings"
	"time"
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

// When returns a time for people: without the date if it is today.
func When(t time.Time) string {
	t = t.Local()
	if now := time.Now(); t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// CellsOf returns the width of a text, in terminal cells.
func CellsOf(text string) int { return uniseg.StringWidth(text) }

// Padded returns a text with spaces behind it up to a width, in terminal cells.
func Padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
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

// Wrap breaks a text into lines of a width, in terminal cells: at spaces, and beside characters of two cells, which Japanese has no spaces
// between. A line does not begin with a closing mark. A word that is longer than a line is left whole.
func Wrap(text string, width int) (lines []string) {
	line, used := "", 0
	for _, part := range breakable(text) {
		cells := uniseg.StringWidth(strings.TrimRight(part, " "))
		if used > 0 && used+cells > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line, used = "", 0
		}
		line += part
		used += uniseg.StringWidth(part)
	}
	return append(lines, strings.TrimRight(line, " "))
}

// closing are marks that do not begin a line.
const closing = "、。，．）」』】・：；？！ー…ぁぃぅぇぉっゃゅょァィゥェォッャュョ"

// breakable returns the parts of a text between which a line may end.
func breakable(text string) (parts []string) {
	part, wide := "", false
	for graphemes := uniseg.NewGraphemes(text); graphemes.Next(); {
		next := graphemes.Str()
		nextWide := graphemes.Width() > 1
		closes := strings.Contains(closing, next)
		opens := part != "" && strings.HasSuffix(part, "（") || strings.HasSuffix(part, "「")
		if part != "" && next != " " && !closes && !opens && (strings.HasSuffix(part, " ") || wide || nextWide) {
			parts = append(parts, part)
			part = ""
		}
		part, wide = part+next, nextWide
	}
	return append(parts, part)
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
