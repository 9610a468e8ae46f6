package xlsx

import (
	"cmp"
	"fmt"
	"slices"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Rows reads a worksheet's rows in file order, which is ascending in a well-formed workbook. It is not safe for
// concurrent use.
type Rows struct {
	book    *Book
	sheetNo int   // of the worksheet
	frozen  int64 // the last row that does not scroll; 0 if there is none
	doc     *container.Document
	rooted  bool // the root element has begun
	inData  bool
	row     grid.Row
	last    int64  // the number of the row before
	text    []byte // memory for the row's text
	bytes   int    // of the row's text, including shared strings
	column  int    // of the previous cell
	inOrder bool   // the cells' columns ascend
	seen    grid.RowSet
	given   int64 // rows returned
	merged  *mergedRanges
	behind  []grid.Range // merged ranges, which follow the rows
	err     error
}

func (b *Book) openRows(number int) (*Rows, error) {
	part := b.sheets[number-1].part
	if part == "" {
		return nil, grid.Damaged("one of its sheets refers to no part")
	}
	r := &Rows{book: b, sheetNo: number}
	if b.options.FillDown {
		var err error
		if r.merged, err = b.readMerged(part, false); err != nil {
			return nil, err
		}
	}
	var err error
	r.doc, err = b.parts.Document(part)
	return r, err
}

// Next returns the next row, and io.EOF after the last one. An *Error says that the workbook turned out to be
// unreadable; any other error is that of the source or of the temporary file.
func (r *Rows) Next() (*grid.Row, error) {
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
	case !r.inData && string(r.doc.Name()) == "sheetViews":
		err = r.readViews()
	case !r.inData && string(r.doc.Name()) == "mergeCells":
		err = eachMerged(r.doc, func(ref string) error {
			r.behind = appendRange(r.behind, ref)
			return nil
		})
	default:
		err = r.doc.Skip()
	}
	return false, r.doc.Fault(err)
}

func (r *Rows) readRow() error {
	r.row = grid.Row{Cells: r.row.Cells[:0]}
	r.text, r.bytes, r.column, r.inOrder = r.text[:0], 0, 0, true
	for name, value, ok := r.doc.Attribute(); ok; name, value, ok = r.doc.Attribute() {
		switch string(name) {
		case "r":
			if r.row.No, ok = grid.ParseRow(value); !ok {
				r.row.No = r.last + 1
				r.fail(grid.BadReference)
			}
		case "outlineLevel":
			if len(value) == 1 && value[0] >= '0' && value[0] <= '0'+grid.MaxLevel {
				r.row.Level = value[0] - '0'
			}
		}
	}
	for {
		if plain, err := r.readPlain(); err != nil {
			return err
		} else if plain {
			continue
		}
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
func (r *Rows) fail(fault grid.Code) {
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
	if row.IsEmpty() {
		return false, nil
	}
	r.sort()
	grid.MarkDuplicates(row.Cells)
	if r.merged != nil {
		r.merged.fill(r)
		r.sort()
	}
	switch {
	case row.Fault == grid.BadReference:
		row.Displaced = true
	case row.No > grid.LastRow:
		row.Displaced = true
		r.fail(grid.BadReference)
	case !r.seen.Add(row.No):
		row.Displaced = true
		r.fail(grid.DuplicateRow)
	}
	return true, r.count()
}

// count counts what was read against the limits.
func (r *Rows) count() error {
	lim := &r.book.options.Limits
	if r.given++; r.given > lim.Rows {
		return grid.Refuse(grid.TooManyRows, fmt.Sprintf("The sheet has more rows than the limit of %d.", lim.Rows))
	}
	if r.book.cells += int64(len(r.row.Cells)); r.book.cells > lim.Cells {
		return grid.Refuse(grid.TooManyCells, fmt.Sprintf("The workbook has more cells than the limit of %d.", lim.Cells))
	}
	return nil
}

// sort sorts the cells by column.
func (r *Rows) sort() {
	if !r.inOrder {
		slices.SortStableFunc(r.row.Cells, func(a, b grid.Cell) int { return cmp.Compare(a.Column, b.Column) })
		r.inOrder = true
	}
}
