package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// What a terminal has room for, in its cells: a Latin letter takes one, a Japanese character two.
const (
	maxTableWidth  = 120
	maxColumnWidth = 32
)

// table aligns rows of cells; the first row is the header.
type table struct {
	rows      [][]string
	wholeLast bool // the last column is shown as long as it is
}

func (t *table) add(cells ...string) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		row[i] = printable(cell)
	}
	t.rows = append(t.rows, row)
}

// String is the table in lines that are indented by two. Long cells are cut; columns that find no room are left out and
// counted.
func (t *table) String() string {
	widths, left := t.widths()
	var b strings.Builder
	for n, row := range t.rows {
		var line strings.Builder
		for i, width := range widths {
			line.WriteString("  ")
			cell := ""
			if i < len(row) {
				cell = shorten(row[i], width)
			}
			line.WriteString(cell + strings.Repeat(" ", width-uniseg.StringWidth(cell)))
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		if n == 0 && left > 0 {
			fmt.Fprintf(&b, "  … %d more %s", left, plural(left, "column"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// widths returns the widths of the columns that have room, and how many have not.
func (t *table) widths() (widths []int, left int) {
	var natural []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(natural) {
				natural = append(natural, 0)
			}
			natural[i] = max(natural[i], uniseg.StringWidth(cell))
		}
	}
	used := 0
	for i, width := range natural {
		if last := i == len(natural)-1; !last || !t.wholeLast {
			width = min(width, maxColumnWidth)
			if used += 2 + width; used > maxTableWidth {
				return widths, len(natural) - i
			}
		}
		widths = append(widths, width)
	}
	return widths, 0
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// shorten cuts a text to a width and says so by its last character.
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

// printable shows line ends as a sign and takes out what would command the terminal: the text is a stranger's.
func printable(text string) string {
	text = strings.NewReplacer("\r\n", "↵", "\n", "↵", "\r", "↵", "\t", " ").Replace(text)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.C, r) { // controls, and marks that turn the direction of writing
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}
