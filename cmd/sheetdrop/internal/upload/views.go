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

// makeViews makes a view of each loaded sheet, and returns the statements that read them, or the target. Without a view the rows are there
// all the same. A file of corrections gets none.
func (u *Uploader) makeViews(ctx context.Context, d *delivery) (statements []string) {
	if d.task.Summary == nil {
		return nil
	}
	if into := d.task.Summary.Target; into != nil {
		if into.SQL != nil {
			statements = append(statements, *into.SQL)
		}
		return statements
	}
	if u.Views.None || u.server.Corrects != "" { // whose rows are in the sheet that they correct
		return nil
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
		statements = append(statements, view.SQL)
	}
	return statements
}

// tellHow says once how the statements can be run.
func (u *Uploader) tellHow() {
	if u.Views.made && u.Views.Command != "" {
		u.console.Step("To run SQL: %s", u.Views.Command)
	}
}
