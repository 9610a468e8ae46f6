package sheet

import (
	"context"
	"errors"
	"io"

	"sheetdrop/internal/sheet/types"
)

// maxErrors is how many errors a record lists.
const maxErrors = 100

// Sheet is a table of a Book: a header and records.
type Sheet struct {
	sheetInfo
	ctx            context.Context // of the reading: Read has none
	records        records
	explicitHeader bool // the options say how many rows the header has
	limits         Limits
	tally          *tally // of the file
	declared       declared
	columns        []Column
	header         [][]string // the cells of its rows, each up to maxLabelBytes
	labels         warnings   // about cells of the header
	rec            Record
	read           int64          // records that are no header
	table          *types.Table   // looks at the rows; nil until the header is read
	checker        *types.Checker // holds them against the declared columns; nil where there are none
	err            error          // how the reading ended
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

// Columns are the header's columns; what they have besides names is there once Read gave an error, which io.EOF is too.
func (s *Sheet) Columns() []Column { return s.columns }

// Read returns the next record and io.EOF after the last one. A *Refusal says that the file turned out to be unreadable, or has more
// rejects than it may; any other error is the Source's or the context's.
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
	if errors.Is(err, io.EOF) {
		err = s.finish()
	}
	if err != nil {
		s.end(err)
		return nil, err
	}
	return rec, nil
}

// judge decides what the record is, and counts it.
func (s *Sheet) judge(rec *Record, shape shape) error {
	switch {
	case shape.skip, len(s.header) > 0 && s.repeatsHeader(rec):
		rec.Kind, rec.Errors = Skip, rec.Errors[:0]
		return s.count(rec)
	case len(s.header) < s.dialect.HeaderRows:
		return s.takeHeader(rec, shape)
	case s.columns == nil:
		if err := s.nameNoColumns(shape); err != nil {
			return err
		}
	case s.table == nil && s.isDrawn(rec):
		rec.Kind, rec.Errors = Skip, rec.Errors[:0]
		return s.count(rec)
	}
	if s.table == nil {
		if err := s.begin(); err != nil {
			return err
		}
	}
	if err := s.count(rec); err != nil {
		return err
	}
	s.checkWidth(rec, shape)
	s.checkCells(rec, shape)
	if err := s.checkRules(rec); err != nil {
		return err
	}
	if len(rec.Errors) > 0 {
		s.reject(rec)
		return nil
	}
	if refusal := s.tally.addRow(shape); refusal != nil {
		return refusal
	}
	rec.Kind = Row
	s.table.Add(rec.No, rec.Cells)
	return nil
}

// count holds what was read against the limits.
func (s *Sheet) count(rec *Record) error {
	if s.read++; s.read > s.limits.Rows {
		return manyRows.refuse(s.limits.Rows)
	}
	if refusal := s.tally.add(rec); refusal != nil {
		return refusal
	}
	return nil
}

// begin makes ready for the rows, once the columns are known.
func (s *Sheet) begin() (err error) {
	checker, refusal := s.declared.checker(s.columns)
	if refusal != nil {
		return refusal
	}
	s.table = types.NewTable(len(s.columns))
	if s.checker = checker; checker != nil {
		s.table = checker.Table()
		checker.LimitWork(&s.tally.patterns, s.ctx.Err)
	}
	return nil
}

// finish is called at the end of the records.
func (s *Sheet) finish() error {
	switch {
	case s.columns == nil && !s.grid && 0 < s.read && s.read <= int64(s.dialect.PreambleRows):
		return allSkipped.refuse(s.read, s.dialect.PreambleRows)
	case s.columns == nil && !s.grid:
		return blankLines.refuse()
	case s.columns != nil && s.table == nil:
		if err := s.begin(); err != nil { // which tells whether declared columns are there
			return err
		}
	}
	return io.EOF
}

// end notes how the reading ended, and what was found out until then.
func (s *Sheet) end(err error) {
	s.err = err
	if s.table == nil {
		return
	}
	reports := s.table.Reports()
	if s.checker != nil {
		reports = s.checker.Reports(reports)
	}
	for i := range s.columns {
		s.columns[i].Report = reports[i]
	}
	s.table, s.checker = nil, nil // a wide sheet's take tens of megabytes
}

// reject makes the record a reject, and its file refused behind it if it is one too many.
func (s *Sheet) reject(rec *Record) {
	rec.Kind = Reject
	rec.Raw = s.records.raw(rec)
	s.nameColumns(rec)
	if refusal := s.tally.reject(rec); refusal != nil {
		s.end(refusal)
	}
}

// checkRules holds the record's cells against the declared columns.
func (s *Sheet) checkRules(rec *Record) error {
	if s.checker == nil || len(rec.Errors) > 0 {
		return nil
	}
	faults, err := s.checker.Check(rec.No, rec.Cells)
	switch {
	case errors.Is(err, types.ErrTooManyUnique):
		return manyUnique.refuse(types.MaxUnique)
	case errors.Is(err, types.ErrTooComplex):
		return complexPatterns.refuse()
	}
	for _, f := range faults {
		rec.failWith(Error{Code: Code(f.Code), ColumnNo: f.Column + 1, Message: f.Message(false), MessageJA: f.Message(true)})
	}
	return err
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
		rec.failRange(noCell, noCells, shape.width+1, want, want-shape.width, shape.width, want)
	case shape.width > want:
		first, n := want+1, shape.width-want
		if s.grid { // the last one has a value, of the others perhaps some
			first, n = firstValue(rec.Cells, want)
		}
		rec.failRange(oneTooMany, manyTooMany, first, shape.width, n, shape.width, want)
	}
}

// firstValue returns the column of the first cell behind so many that is not empty, from 1, and how many there are.
func firstValue(cells [][]byte, behind int) (first, n int) {
	for i, cell := range cells[behind:] {
		if len(cell) == 0 {
			continue
		}
		if n++; n == 1 {
			first = behind + i + 1
		}
	}
	return first, n
}

func (s *Sheet) checkCells(rec *Record, shape shape) {
	if shape.size <= s.limits.CellBytes {
		return
	}
	for i, cell := range rec.Cells {
		if len(cell) > s.limits.CellBytes {
			rec.fail(longCell, i+1, len(cell), s.limits.CellBytes)
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
