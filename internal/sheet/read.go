package sheet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"

	"sheetdrop/internal/sheet/types"
)

// maxErrors is the maximum number of errors listed for a record.
const maxErrors = 100

// Sheet is a table of a Book: a header and records. It is not safe for concurrent use.
type Sheet struct {
	sheetInfo
	ctx          context.Context // of the Book, because Read has no parameter for it
	records      records
	noHeaderRule bool // the options set the number of header rows, and not that a line of dashes follows them
	ruled        bool // a line of dashes followed the header
	limits       Limits
	tally        *tally // of the file
	declared     declared
	check        RowCheck
	nulls        map[string]bool // words for no value
	segments     segmentation
	padded       bool // records that are too short are filled up, as the options say
	columns      []Column
	header       [][]string // the cells of the header rows, each truncated to maxLabelBytes
	labels       warnings   // about cells of the header
	short        warnings   // about records that were filled up
	rec          Record
	read         int64          // number of records other than headers
	table        *types.Table   // observes the rows; nil until the header is read
	checker      *types.Checker // checks rows against the declared columns; nil if there are none
	err          error          // with which reading ended
}

// Number returns the sheet's position in the workbook, from 1, including chart sheets.
func (s *Sheet) Number() int { return s.number }

// Name returns the sheet's name, "" in CSV.
func (s *Sheet) Name() string { return s.name }

// Visible returns false for a hidden sheet.
func (s *Sheet) Visible() bool { return s.visible }

// LeftOut returns true for a sheet whose records are not read: a hidden one, or one that was not requested.
func (s *Sheet) LeftOut() bool { return s.leftOut }

// Dialect returns how the records are written, as detected or chosen.
func (s *Sheet) Dialect() Dialect { return s.dialect }

// Candidates returns the dialects that were tried, first the chosen one and then the best ones; none for a workbook's
// sheet.
func (s *Sheet) Candidates() []Candidate { return s.candidates }

// Columns returns the header's columns. Everything besides their names is set once Read has returned an error,
// including io.EOF.
func (s *Sheet) Columns() []Column { return s.columns }

// Read returns the next record, and io.EOF after the last one. It returns a *Refusal if the file turns out to be
// unreadable or has more rejects than allowed; any other error is that of the Source or the context.
func (s *Sheet) Read() (*Record, error) {
	if s.err != nil {
		return nil, s.err
	}
	rec, err := s.next()
	if err != nil {
		return nil, s.close(err)
	}
	return rec, nil
}

// next returns the next record, or why there is none.
func (s *Sheet) next() (*Record, error) {
	rec := &s.rec
	*rec = Record{Cells: rec.Cells[:0], Errors: rec.Errors[:0]}
	shape, err := s.records.nextRecord(rec)
	if err == nil {
		err = s.judge(rec, &shape)
	}
	if err != nil {
		return nil, err
	}
	return rec, nil
}

// close ends reading for a reason, and returns what the reader of records is told.
func (s *Sheet) close(err error) error {
	if errors.Is(err, io.EOF) {
		err = s.finish()
	}
	s.end(err)
	return err
}

// judge decides what the record is, and counts it.
func (s *Sheet) judge(rec *Record, shape *shape) error {
	switch {
	case shape.skip != "":
		return s.skip(rec, shape.skip, shape)
	case len(s.header) > 0 && s.repeatsHeader(rec):
		return s.skip(rec, SkipRepeated, shape)
	case len(s.header) < s.dialect.HeaderRows:
		return s.takeHeader(rec, shape)
	case s.columns == nil:
		if err := s.nameNoColumns(shape); err != nil {
			return err
		}
	case s.table == nil && s.isDrawn(rec):
		s.ruled = true
		return s.skip(rec, SkipRule, shape)
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
	s.clearNulls(rec)
	if err := s.checkRules(rec, shape); err != nil {
		return err
	}
	if err := s.checkRow(rec); err != nil {
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

// skip is for a record that is not part of the table.
func (s *Sheet) skip(rec *Record, reason SkipReason, shape *shape) error {
	if refusal := s.tally.addSkipped(shape, s.grid); refusal != nil {
		return refusal
	}
	rec.Kind, rec.Reason, rec.Errors = Skip, reason, rec.Errors[:0]
	return s.count(rec)
}

// Stop ends reading: the Columns are then those of what was read.
func (s *Sheet) Stop() {
	if rows, ok := s.records.(*gridRows); ok {
		rows.stopped = true
	}
	if s.err == nil {
		s.end(io.EOF)
	}
}

// count counts what was read against the limits.
func (s *Sheet) count(rec *Record) error {
	if s.read++; s.read > s.limits.Rows {
		return manyRows.refuse(s.limits.Rows)
	}
	if refusal := s.tally.add(rec); refusal != nil {
		return refusal
	}
	return nil
}

// begin prepares for the rows, once the columns are known.
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
	if s.dialect.Delimiter == ";" {
		s.table.Semicolons()
	}
	return nil
}

// finish is called at the end of the records.
func (s *Sheet) finish() error {
	if s.columns == nil && s.names != nil { // there is no record
		if err := s.setNames(); err != nil {
			return err
		}
	}
	switch {
	case s.columns == nil && (s.part || s.among): // the header may follow, or be in another file
	case s.columns == nil && !s.grid && 0 < s.read && s.read <= int64(s.dialect.PreambleRows):
		return allSkipped.refuse(s.read, s.dialect.PreambleRows)
	case s.columns == nil && !s.grid:
		return blankLines.refuse()
	case s.columns != nil && s.table == nil:
		if err := s.begin(); err != nil { // which checks that the declared columns exist
			return err
		}
	}
	return io.EOF
}

// wideSheet is how many columns make it worth to collect garbage at the end of a sheet: what was noted of them takes tens of megabytes, and
// the next sheet's would be made beside it. The columns of all sheets of a file have a limit, and so have these collections.
const wideSheet = 4096

// end records how reading ended, and what was found until then.
func (s *Sheet) end(err error) {
	s.err = err
	if s.table == nil {
		return
	}
	if rows, ok := s.records.(*gridRows); ok {
		rows.tellShown(s.table, len(s.columns))
	}
	reports := s.table.Reports()
	if s.checker != nil {
		reports = s.checker.Reports(reports)
	}
	for i := range s.columns {
		s.columns[i].Report = reports[i]
	}
	s.table, s.checker = nil, nil
	if len(s.columns) >= wideSheet {
		runtime.GC()
	}
}

// reject turns the record into a reject, and refuses its file afterwards if there are too many.
func (s *Sheet) reject(rec *Record) {
	rec.Kind = Reject
	rec.Raw = s.records.raw(rec)
	s.nameColumns(rec)
	if refusal := s.tally.reject(rec); refusal != nil {
		s.end(refusal)
	}
}

// checkRules checks the record's cells against the declared columns, so that all that is wrong with it is said at once. A cell that has
// another error, that is missing or that was not split well has no second one.
func (s *Sheet) checkRules(rec *Record, shape *shape) error {
	if s.checker == nil || shape.broken {
		return nil
	}
	check, known := s.checker.Check, rec.Errors
	if len(known) > 0 {
		check = s.checker.Inspect
	}
	faults, err := check(rec.No, rec.Cells)
	switch {
	case errors.Is(err, types.ErrTooManyUnique):
		return manyUnique.refuse(types.MaxUnique)
	case errors.Is(err, types.ErrTooComplex):
		return complexPatterns.refuse()
	}
	for _, f := range faults {
		if slices.ContainsFunc(known, func(e Error) bool { return e.ColumnNo <= f.Column+1 && f.Column+1 <= e.LastColumn }) {
			continue
		}
		rec.failWith(Error{Code: Code(f.Code), ColumnNo: f.Column + 1, Message: f.Message(false), MessageJA: f.Message(true)})
	}
	return err
}

// checkWidth checks the record's number of cells against the header.
func (s *Sheet) checkWidth(rec *Record, shape *shape) {
	want := len(s.columns)
	if s.grid {
		for shape.width > want && len(bytes.TrimSpace(rec.Cells[shape.width-1])) == 0 { // nobody sees blanks alone
			shape.width--
		}
		for len(rec.Cells) < want {
			rec.Cells = append(rec.Cells, nil)
		}
		rec.Cells = rec.Cells[:max(want, shape.width)]
	}
	switch {
	case shape.broken:
	case shape.width < want && !s.grid && (s.padded || s.pad):
		if !s.padded {
			s.short.add(ShortRecord, rec.No, shape.width+1)
		}
		for len(rec.Cells) < want {
			rec.Cells = append(rec.Cells, nil)
		}
	case shape.width < want && !s.grid:
		rec.failRange(noCell, noCells, shape.width+1, want, want-shape.width, shape.width, want)
	case shape.width > want:
		first, n := want+1, shape.width-want
		if s.grid { // the last one has a value; of the others some may have
			first, n = firstValue(rec.Cells, want)
		}
		rec.failRange(oneTooMany, manyTooMany, first, shape.width, n, shape.width, want)
	}
}

// firstValue returns the column, from 1, of the first non-empty cell from the given index, and how many non-empty cells
// there are from there.
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

func (s *Sheet) checkCells(rec *Record, shape *shape) {
	if shape.size <= s.limits.CellBytes {
		return
	}
	for i, cell := range rec.Cells {
		if len(cell) > s.limits.CellBytes {
			rec.fail(longCell, i+1, len(cell), s.limits.CellBytes)
		}
	}
}

// clearNulls takes the cells away that are one of the words for no value of the options.
func (s *Sheet) clearNulls(rec *Record) {
	if len(s.nulls) == 0 {
		return
	}
	for i, cell := range rec.Cells {
		if len(cell) > 0 && s.nulls[string(bytes.TrimSpace(cell))] {
			rec.Cells[i] = nil
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
