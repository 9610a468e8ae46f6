package sheet

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What commonly stands around a table is none of it, however it is written: no line above it is the header, none below it a row, and no
// row is lost to them. Tables of a few rows or two columns can be anything, and are left out, as are those with a row of less than three
// values.
func TestOrdinaryTablesAmongOtherLines(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(18, 7))
	for range 4000 {
		text, names, rows := ordinaryTable(random)
		if rows < 5 || len(names) < 3 || hasHollowRow(text) {
			continue
		}
		wantTable(t, withOtherLines(random, text, len(names)), names, rows)
	}
}

func hasHollowRow(text string) bool {
	for line := range strings.Lines(text) {
		if len(strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(",;\t|\n", c) })) < 3 {
			return true
		}
	}
	return false
}

// withOtherLines returns the text of a table of so many columns as a spreadsheet or a report may write it.
func withOtherLines(r *rand.Rand, text string, columns int) string {
	delimiter := text[strings.IndexAny(text, ",;\t|"):][:1]
	padding := strings.Repeat(delimiter, columns-1)
	switch r.IntN(4) {
	case 0:
		text = strings.ReplaceAll(text, "\n", delimiter+"\n")
	case 1:
		header, body, _ := strings.Cut(text, "\n")
		text = header + "\n" + strings.ReplaceAll(body, "\n", delimiter+"\n")
	}
	above := anyOf(r, []string{
		"", "Orders of the spring\n", "Orders of the spring\n\n", "List of members\nas of 31 March\n\n", "Report 2024" + padding + "\n",
		"Report 2024" + padding + "\n" + padding + "\n", "Printed" + delimiter + "2024-03-31\n\n", "# made by the stock program\n",
		"sep=" + delimiter + "\n",
	})
	below := anyOf(r, []string{"", "\n", "Source: the books of the harbour\n", "\n* as far as known\n", "\n12 rows\n", padding + "\n"})
	text = above + text + below
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(3) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	return anyOf(r, []string{"", "\ufeff"}) + text
}
