package report

import (
	"cmp"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Hints returns lines about what kept columns from a narrower type, which could be read in another way, and which cells may not mean what
// they seem to. All commands that show a sheet print them after its rows and rejects.
func Hints(columns []Column, warnings []Warning) string {
	return typeHints(columns) + warningLines(warnings)
}

func typeHints(columns []Column) string {
	var b strings.Builder
	for _, c := range columns {
		if n := c.Nearly; n != nil {
			b.WriteString(words.Sprintf("  %s is not %s for %d %s:", terminal.Printable(c.Name), n.Type, n.Count, terminal.Plural(n.Count, "value")))
			for _, m := range n.Misfits {
				b.WriteString(words.Sprintf(" row %d %s;", m.Row, terminal.Printable(m.Value)))
			}
			b.WriteString(misfitOption(c) + "\n")
		}
		if len(c.Ambiguous) > 0 {
			ways := strings.Join(c.Ambiguous, words.In(" or "))
			b.WriteString(words.Sprintf("  %s could also be %s; declare the column to say which", terminal.Printable(c.Name), ways))
			b.WriteString(ambiguousOption(c) + "\n")
		}
	}
	return b.String()
}

// NextStep returns a line for below an error, with what somebody can do about it; "" if that is not known.
func NextStep(advice, japanese string) string {
	if advice == "" {
		return ""
	}
	return words.Sprintf("\n  next: %s", words.Localized(advice, japanese))
}

// warningTexts are what the page says of each code, too.
var warningTexts = map[string]string{
	"no_cached_value":    "Formulas without a stored result, read as empty",
	"no_date":            "Numbers formatted as dates that are none",
	"label_cut":          "Header labels that were cut",
	"text_formula":       "Formulas that are nothing but a text, read as that text",
	"error_value":        "Formulas that end in an error, read as empty",
	"uncertain_encoding": "Text whose encoding is a guess",
	"text_apostrophe":    "Text marked by an apostrophe, read without it",
	"beside_table":       "Cells beside the table, not read",
	"short_record":       "Short records, filled up",
	"mended_record":      "Records split otherwise, or stray quotes",
	"quoted_line":        "Lines that were quoted as a whole",
	"no_table":           "A file of the archive that is no table, not read",
}

// WarningText returns what a warning says, in English; its code if that is of a newer server.
func WarningText(code string) string { return cmp.Or(warningTexts[code], code) }

func warningLines(warnings []Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		more := ""
		if w.Count > int64(len(w.Refs)) {
			more = ", …"
		}
		b.WriteString(words.Sprintf("  %s (%s): %d", words.In(WarningText(w.Code)), w.Code, w.Count))
		if len(w.Refs) > 0 {
			b.WriteString(words.In(": ") + strings.Join(w.Refs, ", ") + more)
		}
		if len(w.Encodings) > 0 {
			b.WriteString(" (" + strings.Join(w.Encodings, words.In(" or ")) + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}
