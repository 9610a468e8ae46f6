package upload

import (
	"context"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
)

// Views say which views of the loaded sheets are made, for SQL.
type Views struct {
	None    bool   // make none
	Name    string // of the view; "" for one that is made of the file's name
	Replace bool   // have a view of the same name show the new file, if it shows another one
	Command string // that opens the database; "" where it need not be told

	made bool
}

// showSQL makes a view of each loaded sheet, and prints the statement that reads it. Without a view the rows are there all the same.
func (u *Uploader) showSQL(ctx context.Context, d *delivery) {
	if u.Views.None || d.task.Summary == nil {
		return
	}
	for _, s := range d.task.Summary.Sheets {
		if s.RowsLoaded == 0 {
			continue
		}
		view, err := u.server.MakeView(ctx, d.task.ID, s.Number, u.Views.Name, u.Views.Replace)
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
