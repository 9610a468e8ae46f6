package upload

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// rejectsPage is how many reasons are requested to find the first rejected records: a record may have several.
const rejectsPage = 500

// show prints what became of a file: its sheets' first rows and rejects, and last a line with the counts or the reason.
func (u *Uploader) show(ctx context.Context, d *delivery) error {
	name := terminal.Printable(d.name)
	if u.console.JSON && d.err == nil { // report prints it
		d.sql = u.makeViews(ctx, d)
		return nil
	}
	if d.err != nil && d.task.ID != uuid.Nil {
		u.console.Printf("%s: the server has it, and what becomes of it is not known here: %v\n  `sheetdrop status %s` says it\n\n", name,
			terminal.Printable(d.err.Error()), d.task.ID)
		return nil
	}
	if d.err != nil {
		u.console.Printf("%s: not taken: %v\n\n", name, terminal.Printable(d.err.Error()))
		return nil //nolint:nilerr // it has been shown
	}
	if u.NoWait && d.same != nil {
		u.console.Printf("%s: %s\n\n", name, notAgain(d.same))
		return nil
	}
	if !ended(d.task) {
		u.console.Printf("%s: accepted; `sheetdrop status %s` says what becomes of it\n\n", name, d.task.ID)
		return nil
	}
	if d.task.Status == client.TaskStatusCANCELLED {
		u.console.Printf("%s: %s\n", name, u.console.Status("CANCELLED"))
		if d.same != nil {
			u.console.Printf("%s: %s\n", name, notAgain(d.same))
		}
		u.console.Printf("\n")
		return nil
	}
	var sheets []client.Sheet
	if d.task.RowsDeletedAt == nil {
		var err error
		if sheets, err = u.server.Sheets(ctx, d.task.ID); err != nil {
			return err
		}
	}
	for _, s := range sheets {
		if err := u.showSheet(ctx, d, s); err != nil {
			return err
		}
	}
	u.console.Printf("%s: %s\n", name, u.outcome(d.task))
	if d.same != nil {
		u.console.Printf("%s: %s\n", name, notAgain(d.same))
	}
	for _, statement := range u.makeViews(ctx, d) {
		u.console.Printf("  next: %s;\n", terminal.Printable(statement))
	}
	u.console.Printf("\n")
	return nil
}

// outcome says how a task has ended.
func (u *Uploader) outcome(t client.Task) string {
	switch {
	case t.Status != client.TaskStatusCOMPLETED && t.Error != nil:
		why := words.Localized(t.Error.Message, valueOf(t.Error.MessageJA))
		said := words.Sprintf("%s: %s (%s)", u.console.Status(string(t.Status)), terminal.Printable(why), t.Error.Code)
		if t.Mapping != nil && len(t.Mapping.Missing) > 0 {
			next := nameHeader(t.Mapping.Missing[0])
			return said + report.NextStep(next, next)
		}
		return said + report.NextStep(valueOf(t.Error.Advice), valueOf(t.Error.AdviceJA))
	case t.Summary != nil:
		loaded := t.Summary.RowsLoaded
		if valid := valueOf(t.Summary.RowsValid); valid > 0 && loaded == 0 {
			return words.Sprintf("dry run: %d %s could be loaded, %d rejected", valid, terminal.Plural(valid, "row"), t.Summary.RowsRejected)
		}
		if into := t.Summary.Target; into != nil {
			counts := words.Sprintf("%d new, %d changed, %d as they were, %d deleted; %d rejected",
				into.Inserted, into.Updated, into.Unchanged, into.Deleted, t.Summary.RowsRejected)
			return words.Sprintf("%d %s into %s: %s%s", loaded, terminal.Plural(loaded, "row"), terminal.Printable(into.Name), counts, replaced(into.Replaced))
		}
		return words.Sprintf("%d %s loaded, %d rejected", loaded, terminal.Plural(loaded, "row"), t.Summary.RowsRejected) +
			report.Skipped(t.Summary.RowsSkipped)
	}
	return string(t.Status)
}

// nameHeader says how to tell which header a target's column has.
func nameHeader(column string) string {
	return words.Sprintf("name its header by --map %s; `sheetdrop target match` shows what matches", terminal.ShellQuoted("HEADER="+column))
}

// replaced says of which loads a load has taken the place.
func replaced(r *client.ReplacedSummary) string {
	if r == nil {
		return ""
	}
	loads := make([]string, len(r.Loads))
	for i, load := range r.Loads {
		loads[i] = strconv.FormatInt(load, 10)
	}
	text := words.Sprintf("; in place of load %s, of which %d %s taken out",
		strings.Join(loads, ", "), r.Removed, terminal.Plural(r.Removed, "row"))
	if r.Kept > 0 {
		text += words.Sprintf(" and %d left because somebody has edited them", r.Kept)
	}
	return text
}

func (u *Uploader) showSheet(ctx context.Context, d *delivery, s client.Sheet) (err error) {
	title := terminal.Printable(d.name)
	if s.Name != "" {
		title = words.Sprintf("%s, sheet %s", title, terminal.Printable(s.Name))
	}
	if !s.Visible && s.RowsRead == 0 {
		u.console.Printf("%s: hidden, not read\n\n", title)
		return nil
	}
	if slices.ContainsFunc(s.Warnings, func(w client.Warning) bool { return w.Code == "no_table" }) {
		u.console.Printf("%s: no table, not read\n\n", title)
		return nil
	}
	intoTarget := d.task.Summary != nil && d.task.Summary.Target != nil // whose rows are no sheet's
	var rows, rejects string
	if s.RowsLoaded > 0 && d.task.Status == client.TaskStatusCOMPLETED && !intoTarget {
		if rows, err = u.rowsOf(ctx, d, s); err != nil {
			return err
		}
	}
	if s.RowsLoaded == 0 && s.RowsRejected == 0 && len(s.Columns) > 0 {
		rows = report.Rows(columnsOf(s.Columns), nil, u.console.Width())
	}
	if s.RowsRejected > 0 {
		if rejects, err = u.rejectsOf(ctx, d, s); err != nil {
			return err
		}
	}
	hints := report.Hints(columnsOf(s.Columns), warningsOf(s.Warnings))
	if intoTarget && rows+rejects+hints == "" { // the line with the counts says it all
		return nil
	}
	u.console.Printf("%s\n%s%s%s\n", title, rows, rejects, hints)
	return nil
}

func (u *Uploader) rowsOf(ctx context.Context, d *delivery, s client.Sheet) (string, error) {
	page, err := u.server.Rows(ctx, d.task.ID, s.Number, report.FirstRows)
	if err != nil {
		return "", err
	}
	columns := make([]report.Column, len(page.Columns))
	for i, c := range page.Columns {
		columns[i] = report.Column{Name: c.Name, Type: c.Type}
	}
	rows := make([][]any, len(page.Rows))
	for i, row := range page.Rows {
		if rows[i], err = client.CellsOf(row); err != nil { // the API writes objects only if asked for
			return "", err
		}
	}
	text := report.Rows(columns, rows, u.console.Width())
	if more := s.RowsLoaded - int64(len(rows)); more > 0 {
		text += words.Sprintf("  … %d more\n", more)
	}
	return text, nil
}

func (u *Uploader) rejectsOf(ctx context.Context, d *delivery, s client.Sheet) (string, error) {
	rejects, err := u.server.Rejects(ctx, d.task.ID, s.Number, rejectsPage)
	if err != nil {
		return "", err
	}
	records := byRecord(rejects)
	records = records[:min(len(records), report.FirstRejects)]
	text := report.Rejects(records, u.console.Width())
	if more := s.RowsRejected - int64(len(records)); more > 0 {
		text += words.Sprintf("  … %d more: sheetdrop rejects %s --sheet=%d\n", more, d.task.ID, s.Number)
	}
	return text, nil
}
