package reading

import (
	"context"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// Columns reads the file and returns the columns of its only sheet, or of the one that was chosen.
func (f *File) Columns(ctx context.Context) ([]sheet.Column, error) {
	found := &columnsPrinter{}
	err := f.read(ctx, func(in *input) (printer, error) { return found, f.requireOneSheet(ctx, in) })
	return found.columns, err
}

// columnsPrinter prints nothing, and keeps the columns of the first sheet that is read.
type columnsPrinter struct{ columns []sheet.Column }

func (p *columnsPrinter) file(*sheet.Book, int64) error { return nil }

func (p *columnsPrinter) sheet(*sheet.Sheet) error { return nil }

func (p *columnsPrinter) sheetEnd(s *sheet.Sheet, _ task.Counts) error {
	if p.columns == nil {
		p.columns = s.Columns()
	}
	return nil
}

func (p *columnsPrinter) end(*sheet.Refusal) error { return nil }
