package sheet

import (
	"slices"

	"sheetdrop/internal/sheet/table"
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

// findSums decides by what the numbers of the last rows add up to which of them stand below the table. rows are those below the header. Of
// a table the program may say where it ends.
func (x *gridRows) findSums(rows []*keptRow) {
	if len(x.known.Tables) > 0 {
		return
	}
	texts, numbers := x.textsOf(rows)
	at := len(numbers)
	if x.below > 0 {
		at, _ = slices.BinarySearch(numbers, x.below)
	}
	tail := table.Tail{Above: x.added, Strong: strongOf(rows, numbers), HasSums: x.hadSums || x.sums != nil}
	switch end := x.layout.BelowSums(texts, at, tail); {
	case end < len(numbers):
		x.below = numbers[end]
	case at < len(numbers):
		x.below = 0
	}
}
