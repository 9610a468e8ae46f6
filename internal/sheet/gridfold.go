package sheet

import (
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// folds are the numbers, in order, of columns that belong to the one before them: forms are drawn on narrow columns, over several of which
// the cells of each row are merged.
//
//	│ A │ B │ C │ D │ E │ F │
//	│ No    │ Item          │
//	│ 1     │ Bolt          │
type folds []int

// upTo counts the folded columns up to that one.
func (f folds) upTo(column int) int {
	if len(f) == 0 {
		return 0
	}
	n, _ := slices.BinarySearch(f, column+1)
	return n
}

// has reports whether the column is folded.
func (f folds) has(column int) bool {
	_, found := slices.BinarySearch(f, column)
	return found
}

// cuts reports whether the range begins or ends between columns that are folded into one: it is of a form above the table, and names none
// of its columns.
func (f folds) cuts(m grid.Range) bool { return f.has(m.Left) || f.has(m.Right+1) }

// place returns the place of a worksheet's column, from 1, among those right of left; of a folded one, that of the column that it belongs
// to.
func (f folds) place(column, left int) int { return column - left - f.upTo(column) + f.upTo(left) }

// end returns the last column of the one at that place, with those that are folded into it.
func (f folds) end(place, left int) int {
	column := left
	for place > 0 || f.has(column+1) {
		if column++; !f.has(column) {
			place--
		}
	}
	return column
}

// span is the columns of a merged cell.
type span struct{ left, right int }

// foldMerged finds the columns that are folded: in rows that follow each other they are merged with the one before, which is the same in
// all of these rows. Hardly a row below has a value there, and of their part two at the most beside another value. A form and several
// tables may have merged cells of their own: of the rows below the one with that number, those between blank ones count that have the most
// rows merged, or the first ones.
func (x *gridRows) foldMerged(above int64, most bool) {
	x.folds = nil
	spans := x.spans()
	if len(spans) == 0 {
		return
	}
	best, block := coveredColumns{}, newCoveredColumns()
	for _, row := range x.ahead.rows {
		if row.No <= above {
			continue
		}
		if row.No > block.last+1 {
			best = best.or(block, most)
			block = newCoveredColumns()
			block.top = row.No
		}
		block.add(row, spans[row.No])
	}
	best = best.or(block, most)
	for column, n := range best.rows {
		between := func(top, end int64) int { return len(x.valuesBetween(top, end, column, spans)) }
		if between(best.top, best.begins[column]) > n || between(above+1, best.top) > best.size {
			continue // the table has rows above, where it is a column
		}
		beside := countBeside(x.valuesBetween(best.top, best.last+1, column, spans), column)
		if 2*between(best.begins[column], grid.LastRow+1) < n && beside < evidenceOfFolds {
			x.folds = append(x.folds, column)
		}
	}
	slices.Sort(x.folds)
}

// coveredColumns are the columns that are merged with the one before in rows that follow each other.
type coveredColumns struct {
	rows   map[int]int   // by column, how many rows the longest run has
	begins map[int]int64 // by column, the row with which it begins
	runs   map[span]runOfRows
	top    int64 // row
	last   int64
	size   int // rows
	most   int // rows of a run
}

func newCoveredColumns() coveredColumns {
	return coveredColumns{rows: map[int]int{}, begins: map[int]int64{}}
}

// add adds the next row, with the columns of its merged cells.
func (b *coveredColumns) add(row *keptRow, spans []span) {
	next := map[span]runOfRows{}
	for s, run := range b.runs {
		if !s.hasValue(row) { // an empty cell, which need not be merged in all formats
			next[s] = run
		}
	}
	for _, s := range spans {
		run := b.runs[s]
		if run.n == 0 {
			run = runOfRows{top: row.No}
		}
		run.n++
		next[s] = run
		for column := s.left + 1; column <= s.right && run.n >= evidenceOfFolds; column++ {
			if run.n > b.rows[column] {
				b.rows[column], b.begins[column], b.most = run.n, run.top, max(b.most, run.n)
			}
		}
	}
	b.runs, b.last = next, row.No
	b.size++
}

// or returns the columns that count.
func (b coveredColumns) or(next coveredColumns, most bool) coveredColumns {
	if b.most == 0 || most && next.most > b.most {
		return next
	}
	return b
}

// runOfRows is rows that follow each other, of which so many have the same cells merged.
type runOfRows struct {
	top int64
	n   int
}

// hasValue reports whether the row has a value in these columns.
func (s span) hasValue(row *keptRow) bool {
	return slices.ContainsFunc(row.Cells, func(c grid.Cell) bool { return s.left <= c.Column && c.Column <= s.right && c.HasText() })
}

// valuesBetween returns the first rows from the one with the number top on, above the one with the number end, that have a value in the
// column, but not those in which a merged cell begins there: they are of another table, further below.
func (x *gridRows) valuesBetween(top, end int64, column int, spans map[int64][]span) (rows []*keptRow) {
	begins := func(s span) bool { return s.left == column }
	for _, row := range x.ahead.rows {
		if row.No >= top && row.No < end && (span{column, column}).hasValue(row) && !slices.ContainsFunc(spans[row.No], begins) {
			rows = append(rows, row)
		}
	}
	return rows
}

// countBeside counts the rows that have a value in the column before that one, too: there they are two columns, whose header alone may be
// merged.
func countBeside(rows []*keptRow, column int) (n int) {
	for _, row := range rows {
		if (span{column - 1, column - 1}).hasValue(row) {
			n++
		}
	}
	return n
}

// evidenceOfFolds is how many rows that follow each other must have the same cells merged: titles and groups have their own.
const evidenceOfFolds = 3

// spans returns, by their numbers, the columns of the merged cells in those of the first rows that have two values or more.
func (x *gridRows) spans() map[int64][]span {
	rows := map[int64][]span{}
	for _, row := range x.ahead.rows {
		if len(row.Cells) > 1 && !row.Displaced && valuesOf(row) > 1 {
			rows[row.No] = nil
		}
	}
	n := 0
	for _, m := range x.known.Merged {
		list, ok := rows[m.Top]
		if ok && m.Top == m.Bottom && m.Right > m.Left && m.Right-m.Left < maxSpreadCells && len(list) < maxSpread {
			rows[m.Top] = append(list, span{m.Left, m.Right})
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return rows
}

// valuesOf counts the row's values.
func valuesOf(row *keptRow) (n int) {
	for _, c := range row.Cells {
		if c.HasText() {
			n++
		}
	}
	return n
}

// at returns the place of the cell in the current row, as it is shown.
func (x *gridRows) at(c *grid.Cell) int {
	if x.asItStands {
		return c.Column - x.shift
	}
	return x.folds.place(c.Column, x.shift)
}
