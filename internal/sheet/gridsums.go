package sheet

import (
	"iter"
	"slices"

	"sheetdrop/internal/sheet/sums"
)

// addUp keeps what the current row, which is one of the table, has in its columns, as long as the last rows are not known: a row further
// below may sum up all of them.
func (x *gridRows) addUp(rec *Record) {
	switch {
	case x.ahead.known:
	case len(rec.Errors) > 0:
		x.added.Forget()
	default:
		x.added.Add(rec.Cells)
	}
}

// keepRows decides that the last rows are of the table though they look like sums, as their numbers tell: they are none of those above.
// rows are those below the header.
func (x *gridRows) keepRows(rows []*keptRow) {
	if x.below == 0 || x.hadSums || x.sums != nil || len(x.known.Tables) > 0 {
		return
	}
	texts, numbers := x.textsOf(rows)
	at, _ := slices.BinarySearch(numbers, x.below)
	if at < len(numbers) && x.layout.EndsInRows(texts, at, x.added) {
		x.below = 0
	}
}

// cutCharges decides that what an invoice adds and takes off stands below the table. rows are those below the header.
func (x *gridRows) cutCharges(rows []*keptRow) {
	if len(x.known.Tables) > 0 {
		return
	}
	if rows = x.aboveEnd(rows); len(rows) == 0 {
		return
	}
	texts, numbers := x.textsOf(rows)
	if i := x.layout.BelowCharges(texts, x.added); i > 0 {
		x.below = numbers[i-1]
	}
}

// aboveEnd returns the rows without those below the table.
func (x *gridRows) aboveEnd(rows []*keptRow) []*keptRow {
	for len(rows) > 0 && (x.below > 0 && rows[len(rows)-1].No >= x.below || x.filledCells(rows[len(rows)-1]) == 0) {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// cutSums decides that the last row stands below the table if it sums up all rows above: whatever it is called, each of its numbers is the
// sum of its column. Others may follow it, any two of a name and numbers if it stands out. rows are those below the header. Of a table the
// program may say where it ends.
func (x *gridRows) cutSums(rows []*keptRow) {
	if len(x.known.Tables) > 0 {
		return
	}
	others := 0
	for range maxFollowing {
		if rows = x.aboveEnd(rows); len(rows) <= 1 {
			return
		}
		last := len(rows) - 1
		strong := standsOut(rows)
		isSum, follows, computed := x.askOfSum(rows, last, strong)
		if isSum && (strong || others == 0) {
			x.below = rows[last].No
		}
		if !follows {
			others++
		}
		if isSum || !follows && !computed || others > maxOthers {
			return
		}
		rows = rows[:last]
	}
}

// standsOut reports whether the last row is bold or coloured, and no other one with several values is.
func standsOut(rows []*keptRow) bool {
	is := func(r *keptRow) bool { return valuesOf(r) > 1 && isStrong(r.Cells) }
	last := len(rows) - 1
	return is(rows[last]) && !slices.ContainsFunc(rows[:last], is)
}

// maxFollowing is how many rows are looked at for a sum of those above.
const maxFollowing = 8

// maxOthers is how many rows of them have the same shape as the table's.
const maxOthers = 2

// askOfSum reports whether a row, which is strong if it stands out, sums up all rows above, whether it may follow one that does, and
// whether it has nothing but a name and numbers.
func (x *gridRows) askOfSum(rows []*keptRow, last int, strong bool) (isSum, follows, computed bool) {
	texts, _ := x.textsOf(rows[last : last+1])
	for cells := range texts {
		isSum = x.layout.SumsUp(cells, x.added.With(x.rowsOfTable(rows[:last])), strong)
		return isSum, !isSum && x.layout.FollowsSum(cells), sums.IsComputed(cells)
	}
	return false, false, false
}

// rowsOfTable returns the cells of those rows that are of the table.
func (x *gridRows) rowsOfTable(rows []*keptRow) iter.Seq[[][]byte] {
	texts, _ := x.textsOf(rows)
	return func(yield func([][]byte) bool) {
		for cells := range texts {
			if (x.layout.Filter == nil || !x.layout.Filter.Drops(cells)) && !yield(cells) {
				return
			}
		}
	}
}
