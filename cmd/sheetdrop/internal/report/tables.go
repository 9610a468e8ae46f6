package report

import (
	"fmt"
	"slices"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
)

// Rows returns a table of rows below the names of the columns and, where they are known, their types. A cell may be nil.
func Rows(columns []Column, rows [][]any) string {
	var t terminal.Table
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
func Rejects(rejects []Reject) string {
	t := terminal.Table{UncutLast: true}
	t.Add("where", "column", "code", "message")
	for _, r := range rejects {
		message := terminal.Localized(r.Message, r.MessageJA)
		if r.More > 0 {
			message += terminal.Localized(fmt.Sprintf(" (and %d more)", r.More), fmt.Sprintf("（ほか%d件）", r.More))
		}
		t.Add(r.Where, r.Column, r.Code, message)
	}
	return "  could not be read:\n" + t.String()
}
