package table

import (
	"bytes"
	"slices"

	"sheetdrop/internal/sheet/dialect"
)

// withoutBlankEnds returns the samples without the blank lines above and below everything else, which say nothing of the text, and how many
// stood above. If somebody has said how many records stand above the header, and not that none do, they count.
func withoutBlankEnds(samples []dialect.Sample, h Hints) (inner []dialect.Sample, above int) {
	first, last := samples[0], samples[len(samples)-1]
	if len(bytes.TrimSpace(first.Text)) == 0 || h.Preamble != nil && *h.Preamble > 0 {
		return samples, 0
	}
	inner = slices.Clone(samples)
	if first.Head {
		inner[0].Text, above = belowBlankLines(first.Text)
	}
	if last.Tail {
		inner[len(inner)-1].Text = aboveBlankLines(inner[len(inner)-1].Text)
	}
	return inner, above
}

// belowBlankLines returns the text below its first blank lines, and how many they are.
func belowBlankLines(text []byte) (rest []byte, n int) {
	for {
		end := bytes.TrimLeft(text, " ")
		switch {
		case bytes.HasPrefix(end, []byte("\r\n")):
			text = end[2:]
		case len(end) > 0 && (end[0] == '\n' || end[0] == '\r'):
			text = end[1:]
		default:
			return text, n
		}
		n++
	}
}

// aboveBlankLines returns the text with one line end at most behind the last line that is not blank.
func aboveBlankLines(text []byte) []byte {
	rest := bytes.TrimRight(text, "\r\n")
	switch ends := text[len(rest):]; {
	case bytes.HasPrefix(ends, []byte("\r\n")):
		return text[:len(rest)+2]
	case len(ends) > 0:
		return text[:len(rest)+1]
	}
	return text
}

// below moves what was found in a text down by so many blank lines, which stood above it; whole says that it is one sample.
func (l *Layout) below(lines int, whole bool) {
	if l.BlankLines = lines; l.Preamble > 0 {
		l.Preamble += lines
	}
	if !whole {
		return
	}
	if l.FooterLine > 0 {
		l.FooterLine += int64(lines)
	}
	if l.OtherLine > 0 {
		l.OtherLine += int64(lines)
	}
}
