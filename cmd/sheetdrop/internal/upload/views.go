package upload

import (
	"context"
	"fmt"
	"slices"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/client"
)

// Views say which views of the loaded sheets are made, for SQL.
type Views struct {
	None    bool   // make none
	Name    string // of the view, with the sheet's number where a file has several; "" for one that is made of the file's name
	Replace bool   // have a view of the same name show the new file, if it shows another one
	Command string // that opens the database; "" where it need not be told

	made bool
}

// showSQL makes a view of each loaded sheet, and prints the statement that reads it. Without a view the rows are there all the same.
func (u *Uploader) showSQL(ctx context.Context, d *delivery) {
	if d.task.Summary == nil {
		return
	}
	if into := d.task.Summary.Target; into != nil {
		if into.SQL != nil {
			u.console.Printf("  next: %s;\n", terminal.Printable(*into.SQL))
		}
		return
	}
	if u.Views.None {
		return
	}
	loaded := slices.DeleteFunc(slices.Clone(d.task.Summary.Sheets), func(s client.SheetSummary) bool { return s.RowsLoaded == 0 })
	for _, s := range loaded {
		name := u.Views.Name
		if name != "" && len(loaded) > 1 {
			name = fmt.Sprintf("%s_%d", name, s.Number)
		}
		view, err := u.server.MakeView(ctx, d.task.ID, s.Number, name, u.Views.Replace)
		if err != nil {
			u.console.Step("no view was made of %s: %s", terminal.Printable(d.name), terminal.Printable(err.Error()))
			continue
		}
		u.Views.made = true
		u.console.Printf("  next: %s;\n", terminal.Printable(view.SQL))
	}
}

// tellHow says once how the statements can be run.
func (u *Uploader) tellHow() {
	if u.Views.made && u.Views.Command != "" {
		u.console.Step("To run SQL: %s", u.Views.Command)
	}
}
