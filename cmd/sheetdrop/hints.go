package main

import (
	"fmt"
	"strings"

	"sheetdrop/internal/sheet"
)

// hints are lines about what a sheet's values may mean besides. All commands that show a sheet print them behind its rows and rejects.
func hints(columns []sheet.Column, warnings []sheet.Warning) string {
	return doubts(columns) + warningLines(warnings)
}

// doubts says what kept columns from a narrower type, and which could be read in another way.
func doubts(columns []sheet.Column) string {
	var b strings.Builder
	for _, c := range columns {
		if n := c.Nearly; n != nil {
			fmt.Fprintf(&b, "  %s is not %s for %d %s:", printable(c.Name), n.Type, n.Count, plural(int(n.Count), "value"))
			for _, m := range n.Misfits {
				fmt.Fprintf(&b, " row %d %s;", m.Row, printable(m.Value))
			}
			b.WriteString("\n")
		}
		if len(c.Ambiguous) > 0 {
			fmt.Fprintf(&b, "  %s could also be %s; declare the column to say which\n", printable(c.Name), strings.Join(c.Ambiguous, " or "))
		}
	}
	return b.String()
}

// warningLines says which cells were read and may mean something else.
func warningLines(warnings []sheet.Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		more := ""
		if w.Count > int64(len(w.Refs)) {
			more = ", …"
		}
		fmt.Fprintf(&b, "  %s in %d %s: %s%s\n", w.Code, w.Count, plural(int(w.Count), "cell"), strings.Join(w.Refs, ", "), more)
	}
	return b.String()
}
