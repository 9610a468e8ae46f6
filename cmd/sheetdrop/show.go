package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"sheetdrop/internal/task"
)

// How much of each sheet is shown: rows, records that could not be read, and how many reasons are read to find those.
const (
	previewRows    = 5
	previewRejects = 5
	rejectsPage    = 500
)

// show prints what became of a file: its sheets' first rows and rejects, and last one line with the counts or the reason.
func show(ctx context.Context, c *console, a api, d delivery) error {
	name := printable(d.name)
	if d.refusal != nil {
		c.printf("%s: not taken: %v\n\n", name, printable(d.refusal.Error()))
		return nil //nolint:nilerr // it has been shown
	}
	if d.task.Status == task.Cancelled {
		c.printf("%s: CANCELLED\n\n", name)
		return nil
	}
	sheets, err := a.sheets(ctx, d.task.ID)
	if err != nil {
		return err
	}
	for _, s := range sheets {
		if err := showSheet(ctx, c, a, d, s); err != nil {
			return err
		}
	}
	switch {
	case d.task.Status != task.Completed && d.task.Error != nil:
		why := localized(d.task.Error.Message, d.task.Error.MessageJA)
		c.printf("%s: %s: %s (%s)\n\n", name, d.task.Status, printable(why), d.task.Error.Code)
	case d.task.Summary != nil:
		c.printf("%s: %d %s loaded, %d rejected\n\n", name, d.task.Summary.Loaded, plural(int(d.task.Summary.Loaded), "row"), d.task.Summary.Rejected)
	default:
		c.printf("%s: %s\n\n", name, d.task.Status)
	}
	return nil
}

func showSheet(ctx context.Context, c *console, a api, d delivery, s sheetFacts) error {
	title := printable(d.name)
	if s.Name != "" {
		title += ", sheet " + printable(s.Name)
	}
	if !s.Visible && s.Read == 0 {
		c.printf("%s: hidden, not read\n\n", title)
		return nil
	}
	c.printf("%s\n", title)
	if s.Loaded > 0 && d.task.Status == task.Completed {
		page, err := a.rows(ctx, d.task.ID, s.Number, previewRows)
		if err != nil {
			return err
		}
		c.printf("%s", rowTable(page))
		if more := s.Loaded - int64(len(page.Rows)); more > 0 {
			c.printf("  … %d more\n", more)
		}
	}
	if s.Rejected > 0 {
		if err := showRejects(ctx, c, a, d, s); err != nil {
			return err
		}
	}
	c.printf("%s\n", hints(s.Columns, s.Warnings))
	return nil
}

func showRejects(ctx context.Context, c *console, a api, d delivery, s sheetFacts) error {
	rejects, err := a.rejects(ctx, d.task.ID, s.Number, rejectsPage)
	if err != nil {
		return err
	}
	records := byRecord(rejects)
	records = records[:min(len(records), previewRejects)]
	c.printf("  could not be read:\n%s", rejectTable(records))
	if more := s.Rejected - int64(len(records)); more > 0 {
		c.printf("  … %d more: %s/tasks/%s/sheets/%d/rejects\n", more, a.url, d.task.ID, s.Number)
	}
	return nil
}

// byRecord puts together what is wrong with the same record. Rejects come in order.
func byRecord(rejects []reject) (records [][]reject) {
	for i, r := range rejects {
		if i == 0 || r.RowNo != rejects[i-1].RowNo {
			records = append(records, nil)
		}
		last := len(records) - 1
		records[last] = append(records[last], r)
	}
	return records
}

// rowTable shows rows below the names of the columns and, where they are known, their types.
func rowTable(page rowPage) string {
	var t table
	names, types := make([]string, len(page.Columns)), make([]string, len(page.Columns))
	for i, column := range page.Columns {
		names[i], types[i] = column.Name, column.Type
	}
	t.add(names...)
	if slices.ContainsFunc(types, func(name string) bool { return name != "" }) {
		t.add(types...)
	}
	for _, row := range page.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if cell != nil {
				cells[i] = fmt.Sprint(cell)
			}
		}
		t.add(cells...)
	}
	return t.String()
}

// rejectTable shows a record in a line, with the first thing that is wrong with it.
func rejectTable(records [][]reject) string {
	t := table{wholeLast: true}
	t.add("where", "column", "code", "message")
	for _, reasons := range records {
		r := reasons[0]
		message := localized(r.Message, r.MessageJA)
		if more := max(len(reasons), len(r.Errors)) - 1; more > 0 {
			message += localized(fmt.Sprintf(" (and %d more)", more), fmt.Sprintf("（ほか%d件）", more))
		}
		t.add(r.where(), *cmp.Or(r.ColumnName, new("")), r.Code, message)
	}
	return t.String()
}

func (r reject) where() string {
	switch {
	case r.Line != nil:
		return fmt.Sprint("line ", *r.Line)
	case r.CellRef != nil:
		return "cell " + *r.CellRef
	}
	return fmt.Sprint("row ", r.RowNo)
}

// localized chooses the language of a message as POSIX has it, by the first of these variables that is set. There may be no Japanese.
func localized(english, japanese string) string {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if japanese != "" && strings.HasPrefix(locale, "ja") {
		return japanese
	}
	return english
}
