package sheet

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/sums"
	"sheetdrop/internal/sheet/table"
)

// gridRows reads a worksheet's rows as records.
type gridRows struct {
	ctx        context.Context
	rows       grid.Rows
	ahead      ahead // rows that are read and not returned yet
	err        error // with which reading rows ended
	layout     table.Layout
	left       int  // columns left of the table
	right      int  // the table's last column; 0 if nothing stands beside it
	shift      int  // left, of the current row
	end        int  // right, of the current row
	asItStands bool // the current row is shown without folds
	folds      folds
	beside     bool // what stands left of the table is beside it, rather than out of its place
	known      grid.Known
	asked      bool        // its merged cells are all known
	part       []byte      // the title of the part of the table that is read
	summed     bool        // its sum was read
	sums       *sums.Parts // of the rows that were read; nil if none among them is looked for
	strongSums bool        // rows that are bold or coloured may be sums of parts
	hadSums    bool        // some of the rows that were returned are sums or the like
	sumsAbove  []int64     // the rows that sum up those below them
	added      sums.Above  // what the rows that were returned have in their columns
	preamble   int64       // rows up to this number are above the table
	headEnd    int64       // and up to this one belong to its header
	captionRow int64       // of which this one has a name of years below it; 0 if there is none
	unitRow    int64       // and this one the unit of all columns; 0 if there is none
	other      int64       // rows from this number on belong to another table; 0 if there is none, or it is not reached
	noOther    bool        // all rows belong to the table, as the options say
	lastNo     int64       // of the row that was looked at last
	below      int64       // rows from this number on are below it; 0 if there are none, or the end is not reached
	row        *grid.Row   // the current one
	waiting    bool        // it has not been returned yet, because blank rows come first
	last       int64       // the highest row number so far
	blanks     *int64      // how many more blank rows may be returned
	warned     warnings
	shown      []shownKinds // of the columns, as far as values of these kinds were seen
	source     []byte       // memory for raw

	start   int64          // rows up to this number belong to other tables
	apart   bool           // other tables are none of this one's sheet
	aside   []*grid.Window // those beside it
	stopped bool           // the rows are not read to their end
}

func (x *gridRows) nextRecord(rec *Record) (shape, error) {
	if err := x.ctx.Err(); err != nil {
		return shape{}, fmt.Errorf("read the file: %w", err)
	}
	if !x.waiting {
		var err error
		if x.row, err = x.next(); err != nil {
			return shape{}, err
		}
	}
	rec.Offset = -1
	if x.waiting = x.isBlankBefore(); x.waiting {
		x.last++
		rec.No, rec.Ref = x.last, grid.Reference(1, x.last)
		return shape{skip: SkipBlank}, nil
	}
	row := x.row
	rec.No = row.No
	if !row.Displaced {
		x.last = max(x.last, row.No)
	}
	if row.Fault != "" {
		rec.fail(rowFaults[row.Fault], 0)
	}
	cut, skip := row.Fault == grid.TooManyColumns || row.Fault == grid.RecordTooLong, x.outside(row)
	other := x.other > 0 && row.No >= x.other && skip == ""
	x.shift, x.end = x.left, x.right
	if x.asItStands = skip != "" || other; x.asItStands {
		x.shift, x.end = 0, 0
	}
	width, size := x.place(rec)
	switch {
	case other:
		rec.fail(otherTable, 0)
		return shape{broken: true, size: size, width: width, values: len(row.Cells)}, nil
	case skip == "":
		skip = x.inside(rec, width)
	}
	return shape{skip: skip, broken: cut, size: size, width: width, values: len(row.Cells)}, nil
}

// outside returns why the row is none of the table, as it stands above or below it; "" if it does not.
func (x *gridRows) outside(row *grid.Row) SkipReason {
	switch {
	case row.No <= x.preamble:
		return SkipAbove
	case x.below > 0 && row.No >= x.below && (x.other == 0 || row.No < x.other) && !hasFaults(row.Cells):
		return SkipBelow
	}
	return ""
}

// inside returns why the current row, of this width, is none of the table's though it stands among them; "" if it is one, or of the header.
func (x *gridRows) inside(rec *Record, width int) SkipReason {
	switch {
	case x.hasNothing(rec, width):
		return SkipBlank
	case x.row.No <= x.headEnd:
		return ""
	case len(rec.Errors) == 0 && x.isAmong(rec):
		x.hadSums = true
		return SkipAmong
	}
	x.addUp(rec)
	return ""
}

// isAmong reports whether the current row, below the header, is no row of the table.
func (x *gridRows) isAmong(rec *Record) bool {
	filter := x.layout.Filter
	if filter == nil {
		return false
	}
	if x.row.No == x.headEnd+1 && table.IsCarried(rec.Cells) { // what an account held before
		return false
	}
	if x.sumsUp(rec.Cells) {
		return true
	}
	if filter.HasParts() {
		strong := isStrong(x.row.Cells)
		if title, ok := filter.TitleOf(rec.Cells, strong, x.heads()); ok {
			x.part, x.summed = append(x.part[:0], title...), false
			return true
		}
		if x.sumsPart(rec.Cells, strong && filter.HasStrongTitles()) {
			return true
		}
	}
	return filter.Drops(rec.Cells)
}

// heads reports whether the next row is grouped below the current one.
func (x *gridRows) heads() bool {
	return len(x.ahead.rows) > 0 && x.row.Heads(&x.ahead.rows[0].Row)
}

// sumsPart reports whether the row sums up the part that began with the last title: it is named as a sum and looks like titles do, as does
// what is computed of several parts and stands below such a sum.
//
//	INCOME
//	Fees, 120
//	Total income, 120
func (x *gridRows) sumsPart(cells [][]byte, strong bool) bool {
	if len(x.part) == 0 || len(cells) < 2 {
		return false
	}
	if strong && (sums.IsNamed(cells) || x.summed && sums.IsComputed(cells)) {
		x.summed = true
		return true
	}
	return false
}

// hasNothing reports whether all that the row has is white space, or stands beside the table.
func (x *gridRows) hasNothing(rec *Record, width int) bool {
	switch {
	case len(rec.Errors) > 0:
		return false
	case width == 0:
		return x.beside
	}
	return !slices.ContainsFunc(x.row.Cells, func(c grid.Cell) bool { return c.Warning != "" || len(bytes.TrimSpace(c.Text)) > 0 })
}

// isBlankBefore reports whether the current row follows a blank one that was not returned yet.
func (x *gridRows) isBlankBefore() bool {
	if x.row.Displaced || x.row.No <= x.last+1 || *x.blanks == 0 {
		return false
	}
	*x.blanks--
	return true
}

// place puts the row's values into their columns and records what is wrong with them. A value without a certain
// position is placed nowhere, and one that is not text is left out; raw has both. It returns the width up to the last
// non-empty value, and the bytes of text.
func (x *gridRows) place(rec *Record) (width, size int) {
	first := 0
	for i := range x.row.Cells {
		c := &x.row.Cells[i]
		if c.Fault != "" {
			rec.fail(rowFaults[c.Fault], max(0, x.at(c)))
		}
		if c.Warning != "" {
			x.warned.add(Code(c.Warning), x.row.No, c.Column)
		}
		if len(c.Text) > 0 && (x.isRight(c) || x.beside && x.isLeft(c)) {
			if c.HasText() && !x.isAside(c) {
				x.warned.add(BesideTable, x.row.No, c.Column)
			}
			continue
		}
		if x.isLeft(c) && c.HasText() {
			rec.fail(leftOfTable, 0, grid.Reference(c.Column, x.row.No))
		}
		if x.isDisplaced(c) {
			continue
		}
		column := x.at(c)
		if !x.put(rec, c, column) || len(c.Text) == 0 {
			continue
		}
		size += len(c.Text)
		if width = column; first == 0 {
			first = c.Column
		}
	}
	rec.Ref = grid.Reference(max(1, first), x.row.No)
	return width, size
}

// put puts a value into its column, and reports whether it has: in a folded one there may be another.
func (x *gridRows) put(rec *Record, c *grid.Cell, column int) bool {
	if len(c.Text) > 0 && column <= len(rec.Cells) && rec.Cells[column-1] != nil && x.folds.has(c.Column) {
		if x.row.No <= x.headEnd { // a name of two cells
			rec.Cells[column-1] = slices.Concat(rec.Cells[column-1], []byte(" "), c.Text)
		} else {
			rec.fail(besideMerged, column, grid.Reference(c.Column, x.row.No))
		}
		return false
	}
	for len(rec.Cells) < column {
		rec.Cells = append(rec.Cells, nil)
	}
	switch {
	case c.Kind == grid.ErrorText: // of a formula: there is no value
		x.warned.add(ErrorValue, x.row.No, c.Column)
	case isText(c):
		rec.Cells[column-1] = c.Text
		if c.Kind == grid.Number || c.Kind == grid.Time || c.Kind == grid.Duration {
			x.see(c, column)
		}
	}
	return true
}

// isLeft reports whether the cell stands left of the table.
func (x *gridRows) isLeft(c *grid.Cell) bool { return 0 < c.Column && c.Column <= x.shift }

// isRight reports whether the cell stands right of the table, behind an empty column.
func (x *gridRows) isRight(c *grid.Cell) bool { return 0 < x.end && x.end < c.Column }

// isAside reports whether the cell is of a table beside this one that has a sheet of its own.
func (x *gridRows) isAside(c *grid.Cell) bool {
	return slices.ContainsFunc(x.aside, func(w *grid.Window) bool { return w.Left <= c.Column && c.Column <= w.Right })
}

// isDisplaced reports whether the cell has no position in the table, or one that is already used.
func (x *gridRows) isDisplaced(c *grid.Cell) bool {
	return c.Column <= x.shift || c.Fault == grid.DuplicateCell
}

// hasFaults reports whether one of the cells has no place of its own, or no value that can be read: a record that is skipped would not show
// it.
func hasFaults(cells []grid.Cell) bool {
	return slices.ContainsFunc(cells, func(c grid.Cell) bool { return c.Fault != "" })
}

// isText reports whether the cell means what its text says.
func isText(c *grid.Cell) bool {
	return c.Kind != 0 && c.Fault != grid.InvalidEncoding && c.Fault != grid.MissingSharedString
}

// raw returns the row's texts with tabs between the columns, followed by one line for each text without a position,
// after its reference.
func (x *gridRows) raw(*Record) []byte {
	b, column := x.source[:0], 1
	for i := range x.row.Cells {
		c := &x.row.Cells[i]
		if x.isDisplaced(c) {
			continue
		}
		for at := x.at(c); column < at; column++ {
			b = append(b, '\t')
		}
		b = append(b, c.Text...)
	}
	for i := range x.row.Cells {
		c := &x.row.Cells[i]
		if !x.isDisplaced(c) {
			continue
		}
		b = append(b, '\n')
		if c.Column > 0 {
			b = append(b, grid.Reference(c.Column, x.row.No)...)
		}
		b = append(append(b, '\t'), c.Text...)
	}
	x.source = b
	return b
}

func (x *gridRows) warnings() []Warning { return x.warned.list() }

// rest returns the rows of another table below, which were not read; nil if there is none.
func (x *gridRows) rest() *grid.Window {
	if len(x.ahead.rows) == 0 {
		return nil
	}
	w := &grid.Window{Rows: x.rows, Err: x.err, Top: x.other, Bottom: grid.LastRow}
	for _, row := range x.ahead.rows {
		w.Kept = append(w.Kept, &row.Row)
	}
	return w
}

// lookForOther looks, at a row below a blank one, whether another table begins there.
func (x *gridRows) lookForOther(row *keptRow) {
	last := x.lastNo
	x.lastNo = row.No
	if x.other == 0 && !row.Displaced && x.otherAt(last, row.No, 0) {
		x.other = row.No
	}
}

// otherAt reports whether another table begins at the i-th of the rows that are read ahead, which has the number no; the one before it
// has the number last.
func (x *gridRows) otherAt(last, no int64, i int) bool {
	if x.noOther || last <= x.headEnd || no <= last+1 {
		return false
	}
	right := x.right
	if !x.beside {
		right = 0
	}
	return x.layout.OtherBegins(x.texts(x.ahead.rows[i:], no-1, right, nil))
}

// findEnd decides which of the last rows stand below the table.
func (x *gridRows) findEnd() {
	a := &x.ahead
	a.known = true
	first := slices.IndexFunc(a.rows, func(r *keptRow) bool { return r.No > x.headEnd })
	if first < 0 || slices.ContainsFunc(a.rows, func(r *keptRow) bool { return r.Displaced || r.Fault != "" }) {
		return
	}
	rows := a.rows[first:]
	for i := 1; i < len(rows); i++ {
		if x.other == 0 && x.otherAt(rows[i-1].No, rows[i].No, first+i) {
			x.other = rows[i].No
		}
		if x.other > 0 && rows[i].No >= x.other {
			rows = rows[:i]
		}
	}
	x.below = cmp.Or(x.firstBelow(rows), x.below)
	x.cutNotes(rows)
	x.findSums(rows)
}

// firstBelow returns the number of the first of the last rows that stands below the table, by its words and gaps; 0 if none does.
func (x *gridRows) firstBelow(rows []*keptRow) int64 {
	texts, numbers := x.textsOf(rows)
	if i := x.layout.Below(texts); i < len(numbers) {
		return numbers[i]
	}
	return 0
}
