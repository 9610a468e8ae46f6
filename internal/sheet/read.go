package sheet

import (
	"errors"
	"fmt"
	"io"
)

// maxErrors is how many errors a record lists.
const maxErrors = 100

// Sheet is a table of a Book: a header and records.
type Sheet struct {
	sheetInfo
	records records
	limits  Limits
	columns []Column
	header  [][]string // the cells of its rows
	rec     Record
	err     error // how the reading ended
}

// Number is the sheet's place in the workbook, from 1, chart sheets counted.
func (s *Sheet) Number() int { return s.number }

// Name is the sheet's name, "" in CSV.
func (s *Sheet) Name() string { return s.name }

// Visible is false for a hidden sheet.
func (s *Sheet) Visible() bool { return s.visible }

// LeftOut is true for a sheet that has no records here: a hidden one, or one that was not asked for.
func (s *Sheet) LeftOut() bool { return s.leftOut }

// Dialect is what was decided about the way that the records are written.
func (s *Sheet) Dialect() Dialect { return s.dialect }

// Candidates are the dialects that were tried, the choice first and then the best ones; none for a workbook's sheet.
func (s *Sheet) Candidates() []Candidate { return s.candidates }

// Columns are the header's columns, complete once Read gave io.EOF.
func (s *Sheet) Columns() []Column { return s.columns }

// Read gives the next record and io.EOF after the last one. A *Refusal says that the file turned out to be unreadable; any other error
// is the Source's or the context's.
func (s *Sheet) Read() (*Record, error) {
	if s.err != nil {
		return nil, s.err
	}
	rec := &s.rec
	*rec = Record{Cells: rec.Cells[:0], Errors: rec.Errors[:0]}
	shape, err := s.records.nextRecord(rec)
	if err == nil {
		err = s.judge(rec, shape)
	}
	if errors.Is(err, io.EOF) && s.columns == nil && !s.grid {
		err = &Refusal{EmptyFile, "The file holds nothing but blank lines."}
	}
	if err != nil {
		s.err = err
		return nil, err
	}
	return rec, nil
}

// judge decides what the record is.
func (s *Sheet) judge(rec *Record, shape shape) error {
	switch {
	case shape.skip, len(s.header) > 0 && s.repeatsHeader(rec):
		rec.Kind, rec.Errors = Skip, rec.Errors[:0]
		return nil
	case len(s.header) < s.dialect.HeaderRows:
		return s.takeHeader(rec, shape)
	case s.columns == nil:
		if err := s.nameNoColumns(shape); err != nil {
			return err
		}
	}
	s.checkWidth(rec, shape)
	s.checkCells(rec, shape)
	if len(rec.Errors) > 0 {
		rec.Kind = Reject
		rec.Raw = s.records.raw(rec)
		s.nameColumns(rec)
		return nil
	}
	rec.Kind = Row
	for i, cell := range rec.Cells {
		if len(cell) == 0 {
			s.columns[i].Nulls++
		}
	}
	return nil
}

// checkWidth holds the record against the header.
func (s *Sheet) checkWidth(rec *Record, shape shape) {
	want := len(s.columns)
	if s.grid {
		for len(rec.Cells) < want {
			rec.Cells = append(rec.Cells, nil)
		}
		rec.Cells = rec.Cells[:max(want, shape.width)]
	}
	switch {
	case shape.broken:
	case shape.width < want && !s.grid:
		message := fmt.Sprintf("The cell is missing: the record has %d cells, the header %d.", shape.width, want)
		for no := shape.width + 1; no <= want; no++ {
			rec.fail(MissingCell, no, message)
		}
	case shape.width > want:
		message := fmt.Sprintf("The cell is one too many: the record has %d cells, the header %d.", shape.width, want)
		for no := want + 1; no <= shape.width; no++ {
			if !s.grid || len(rec.Cells[no-1]) > 0 {
				rec.fail(ExtraCell, no, message)
			}
		}
	}
}

func (s *Sheet) checkCells(rec *Record, shape shape) {
	if shape.size <= s.limits.CellBytes/3 {
		return
	}
	for i, cell := range rec.Cells {
		if len(cell) > s.limits.CellBytes {
			rec.fail(CellTooLong, i+1, fmt.Sprintf("The cell has %d bytes of text; %d can be read.", len(cell), s.limits.CellBytes))
		}
	}
}

func (s *Sheet) nameColumns(rec *Record) {
	for i, e := range rec.Errors {
		if e.ColumnNo >= 1 && e.ColumnNo <= len(s.columns) {
			rec.Errors[i].ColumnName = s.columns[e.ColumnNo-1].Name
		}
	}
}

// fail adds a reason to reject the record.
func (r *Record) fail(code Code, column int, message string) {
	if len(r.Errors) < maxErrors {
		r.Errors = append(r.Errors, Error{Code: code, ColumnNo: column, Message: message})
	}
}
