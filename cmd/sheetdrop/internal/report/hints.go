package report

import (
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
			b.WriteString("\n")
		}
		if len(c.Ambiguous) > 0 {
			ways := strings.Join(c.Ambiguous, words.In(" or "))
			b.WriteString(words.Sprintf("  %s could also be %s; declare the column to say which\n", terminal.Printable(c.Name), ways))
		}
	}
	return b.String()
}

func warningLines(warnings []Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		more := ""
		if w.Count > int64(len(w.Refs)) {
			more = ", …"
		}
		b.WriteString(words.Sprintf("  %s in %d %s: %s%s", w.Code, w.Count, terminal.Plural(w.Count, "cell"), strings.Join(w.Refs, ", "), more))
		if len(w.Encodings) > 0 {
			b.WriteString(" (" + strings.Join(w.Encodings, words.In(" or ")) + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}
