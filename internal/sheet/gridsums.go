package sheet

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// cutSums decides that the last row stands below the table if it sums up all rows above: whatever it is called, each of its numbers is the
// sum of its column. rows are those below the header. Nothing is known of a table of which rows were returned, or of which the program says
// where it ends.
func (x *gridRows) cutSums(rows []*keptRow) {
	if x.lastNo > 0 || len(x.known.Tables) > 0 {
		return
	}
	for len(rows) > 0 && (x.below > 0 && rows[len(rows)-1].No >= x.below || x.filledCells(rows[len(rows)-1]) == 0) {
		rows = rows[:len(rows)-1]
	}
	if len(rows) > leastSummed && x.isSum(rows) {
		x.below = rows[len(rows)-1].No
	}
}

// isSum reports whether the last of the rows has one text at most, and numbers of which each is the sum of its column in the rows above:
// two of them, or one where the first column has nothing.
func (x *gridRows) isSum(rows []*keptRow) bool {
	last := len(rows) - 1
	summed, texts, most, digits := 0, 0, 0, 0
	above, labelled := x.rowsOfTable(rows[:last]), true
	for cells := range x.texts(rows[last:], rows[last].No-1, x.right, nil) {
		labelled = len(cells) > 0 && len(cells[0]) > 0
		for column, cell := range cells {
			if cell = bytes.TrimSpace(cell); len(cell) == 0 {
				continue
			}
			sum, err := strconv.ParseFloat(string(cell), 64)
			if err != nil {
				texts++
				continue
			}
			n, ok := sumsColumn(above, column, sum, decimals(cell))
			if !ok {
				return false
			}
			if most = max(most, n); sum != 0 && n > 1 {
				summed++
				digits += len(bytes.Trim(bytes.ReplaceAll(cell, []byte("."), nil), "-0"))
			}
		}
	}
	return most >= leastSummed && texts <= 1 && digits >= sumDigits && (summed > 1 || summed == 1 && !labelled)
}

// rowsOfTable returns the cells of those rows that are of the table.
func (x *gridRows) rowsOfTable(rows []*keptRow) (list [][][]byte) {
	for cells := range x.texts(rows, rows[0].No-1, x.right, nil) {
		if x.layout.Among == nil || !x.layout.Among.IsNone(cells) {
			list = append(list, slices.Clone(cells))
		}
	}
	return list
}

// sumsColumn reports whether the numbers of the column have that sum, which is rounded to so many decimals, and how many there are.
func sumsColumn(rows [][][]byte, column int, sum float64, decimals int) (n int, ok bool) {
	for _, cells := range rows {
		if column >= len(cells) {
			continue
		}
		if v, err := strconv.ParseFloat(string(bytes.TrimSpace(cells[column])), 64); err == nil {
			sum -= v
			n++
		}
	}
	return n, n > 0 && math.Abs(sum) <= math.Pow10(-decimals)/2+1e-9
}

// decimals returns how many digits the number has behind its point, as far as a sum is exact.
func decimals(number []byte) int {
	const exact = 6
	if i := bytes.IndexByte(number, '.'); i >= 0 {
		return min(len(number)-i-1, exact)
	}
	return exact
}
