package xlsx

import (
	"cmp"
	"fmt"
	"slices"

	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Row is a row with at least one value, fault or warning. It and everything it points to are valid until the next call
// of Next, and must not be modified.
type Row struct {
	No        int64  // Excel's number, from 1; in a row with a fault possibly a guess
	Cells     []Cell // by column; cells that are missing or without a value in the file are omitted
	Fault     Code   // why the whole row cannot be read
	Displaced bool   // it has a fault, and another row may have this number
}

// Cell is a cell with a value, a fault or a warning.
type Cell struct {
	Column  int       // from 1; 0 with the fault BadReference; may not ascend with the fault DuplicateCell
	Kind    ValueKind // of Text; 0 if there is none
	Text    []byte    // UTF-8 except with the fault InvalidEncoding; with a fault as much as could be read
	Fault   Code      // why the value cannot be read, or has no certain position
	Warning Code
}

// ValueKind is the kind of a value.
type ValueKind uint8

// The kinds of values, and how their text is written.
const (
	Text      ValueKind = iota + 1
	Number              // 0.1, -12, 1.5E+300: the shortest text with the same double value
	Boolean             // TRUE, FALSE
	Date                // 2006-01-02
	Time                // 15:04:05, 15:04:05.125
	Timestamp           // 2006-01-02T15:04:05
	Duration            // 25:30:00: hours, minutes and seconds
	ErrorText           // #N/A, #DIV/0! …
)

// Rows reads a worksheet's rows in file order, which is ascending in a well-formed workbook. It is not safe for
// concurrent use.
type Rows struct {
	book    *Book
	doc     *document
	rooted  bool // the root element has begun
	inData  bool
	row     Row
	last    int64  // the number of the row before
	text    []byte // memory for the row's text
	bytes   int    // of the row's text, including shared strings
	column  int    // of the previous cell
	inOrder bool   // the cells' columns ascend
	seen    rowSet
	given   int64 // rows returned
	merged  *mergedRanges
	err     error
}

func (b *Book) openRows(part string) (*Rows, error) {
	if part == "" {
		return nil, damaged("one of its sheets refers to no part")
	}
	r := &Rows{book: b}
	if b.options.FillDown {
		var err error
		if r.merged, err = b.readMerged(part); err != nil {
			return nil, err
		}
	}
	var err error
	r.doc, err = b.parts.document(part)
	return r, err
}

// Next returns the next row, and io.EOF after the last one. An *Error says that the workbook turned out to be
// unreadable; any other error is that of the source or of the temporary file.
func (r *Rows) Next() (*Row, error) {
	for r.err == nil {
		var found bool
		if found, r.err = r.advance(); found && r.err == nil {
			return &r.row, nil
		}
	}
	return nil, r.err
}

// advance goes to the next element and reports whether that was a non-empty row.
func (r *Rows) advance() (found bool, err error) {
	kind, err := r.doc.Next()
	switch {
	case err != nil:
	case kind == xmlscan.End:
		r.inData = false
	case kind != xmlscan.Start:
	case !r.rooted:
		r.rooted = true
	case r.inData && string(r.doc.Name()) == "row":
		if err = r.readRow(); err == nil {
			return r.finishRow()
		}
	case !r.inData && string(r.doc.Name()) == "sheetData":
		r.inData = true
	default:
		err = r.doc.Skip()
	}
	return false, r.doc.fault(err)
}

func (r *Rows) readRow() error {
	r.row = Row{Cells: r.row.Cells[:0]}
	r.text, r.bytes, r.column, r.inOrder = r.text[:0], 0, 0, true
	for name, value, ok := r.doc.Attribute(); ok; name, value, ok = r.doc.Attribute() {
		if string(name) != "r" {
			continue
		}
		if r.row.No, ok = parseRow(value); !ok {
			r.row.No = r.last + 1
			r.fail(BadReference)
		}
	}
	for {
		kind, err := r.doc.Next()
		switch {
		case err != nil:
			return err
		case kind == xmlscan.End:
			return nil
		case kind == xmlscan.Start && string(r.doc.Name()) == "c":
			err = r.readCell()
		case kind == xmlscan.Start:
			err = r.doc.Skip()
		}
		if err != nil {
			return err
		}
	}
}

// fail marks the row as faulty. The first fault stays.
func (r *Rows) fail(fault Code) {
	if r.row.Fault == "" {
		r.row.Fault = fault
	}
}

// finishRow determines the row's position among the others and sorts its cells. It reports whether the row is not
// empty.
func (r *Rows) finishRow() (found bool, err error) {
	row := &r.row
	if row.No == 0 {
		row.No = r.last + 1
	}
	r.last = row.No
	if row.Fault == "" && !slices.ContainsFunc(row.Cells, func(c Cell) bool { return len(c.Text) > 0 || c.Fault != "" || c.Warning != "" }) {
		return false, nil
	}
	r.sort()
	markDuplicates(row.Cells)
	if r.merged != nil {
		r.merged.fill(r)
		r.sort()
	}
	switch {
	case row.Fault == BadReference:
		row.Displaced = true
	case row.No > lastRow:
		row.Displaced = true
		r.fail(BadReference)
	case !r.seen.add(row.No):
		row.Displaced = true
		r.fail(DuplicateRow)
	}
	return true, r.count()
}

// count counts what was read against the limits.
func (r *Rows) count() error {
	lim := &r.book.options.Limits
	if r.given++; r.given > lim.Rows {
		return &Error{TooManyRows, fmt.Sprintf("The sheet has more rows than the limit of %d.", lim.Rows)}
	}
	if r.book.cells += int64(len(r.row.Cells)); r.book.cells > lim.Cells {
		return &Error{TooManyCells, fmt.Sprintf("The workbook has more cells than the limit of %d.", lim.Cells)}
	}
	return nil
}

// sort sorts the cells by column.
func (r *Rows) sort() {
	if !r.inOrder {
		slices.SortStableFunc(r.row.Cells, func(a, b Cell) int { return cmp.Compare(a.Column, b.Column) })
		r.inOrder = true
	}
}

func markDuplicates(cells []Cell) {
	for i := 1; i < len(cells); i++ {
		if c := &cells[i]; c.Column == cells[i-1].Column && c.Column > 0 && c.Fault == "" {
			c.Fault = DuplicateCell
		}
	}
}

// rowSet is a set of row numbers.
type rowSet []uint64

// add adds a row and reports whether it is new.
func (s *rowSet) add(row int64) bool {
	word, bit := int(row/64), uint64(1)<<(row%64)
	if word >= len(*s) {
		*s = append(*s, make([]uint64, word+1-len(*s))...)
	}
	known := (*s)[word]&bit != 0
	(*s)[word] |= bit
	return !known
}
