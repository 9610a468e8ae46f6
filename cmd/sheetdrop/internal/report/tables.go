package report

import (
	"fmt"
	"slices"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Rows returns a table of rows below the names of the columns and, where they are known, their types, in a width as Table has it. A cell
// may
// be nil.
func Rows(columns []Column, rows [][]any, width int) string {
	t := terminal.Table{Width: width}
	names, types := make([]string, len(columns)), make([]string, len(columns))
	for i, column := range columns {
		names[i], types[i] = column.Name, column.Type
	}
	t.Add(names...)
	if slices.ContainsFunc(types, func(name string) bool { return name != "" }) {
		t.Add(types...)
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cell != nil {
				cells[i] = fmt.Sprint(cell)
			}
		}
		t.Add(cells...)
	}
	return t.String()
}

// Rejects returns a table with a line for each record.
func Rejects(rejects []Reject, width int) string {
	t := terminal.Table{UncutLast: true, Width: width}
	t.Header("where", "column", "code", "message")
	for _, r := range rejects {
		message := words.Localized(r.Message, r.MessageJA)
		if r.More > 0 {
			message += words.Sprintf(" (and %d more)", r.More)
		}
		t.Add(r.Where, r.Column, r.Code, message)
	}
	return words.In("  could not be read:\n") + t.String()
}
