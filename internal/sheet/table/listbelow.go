package table

import "sheetdrop/internal/sheet/kind"

// listBelow returns the index of the title of a list below a blank record: names with their values, which lack half of the columns in which
// nearly all rows above have a value. It returns len(rows) if there is none. So programs of instruments write below a table how they have
// measured, and a spreadsheet pads all of it.
//
//	,1,2,3,4,5,6
//	A,8,9,7,9,8,7
//	B,7,8,8,6,9,8
//	C,9,9,6,8,7,9
//	,,,,,,
//	Instrument,,,,,,
//	Serial number,,1409101,,,,
//	Software,,X 3.5,,,,
func listBelow(rows []row, width int) int {
	for i := evidence; i+narrow < len(rows); i++ {
		if !rows[i-1].blank || rows[i].width != width || !rows[i].isTitle() || !areNamesWithValues(rows[i+1:nextBlank(rows, i)]) {
			continue
		}
		if body := columnKinds(rows[:i], width); body.n >= evidence && lackHalf(body.usual(rows[:i]), rows[i+1:nextBlank(rows, i)]) {
			return i
		}
	}
	return len(rows)
}

// areNamesWithValues reports whether the records, two or more, have nothing but a name in the first cell and a value behind it, some of
// which are missing, and none sums up.
func areNamesWithValues(rows []row) bool {
	pairs, names := 0, map[uint64]bool{}
	for _, r := range rows {
		padded := !r.broken && r.width == rows[0].width && r.filled <= listCells
		if !padded || len(r.kinds) == 0 || r.kinds[0] != kind.Word || names[r.texts[0]] || r.isSum() {
			return false
		}
		names[r.texts[0]] = true
		pairs += r.filled - 1
	}
	return pairs >= narrow
}

// lackHalf reports whether each of the records lacks half of these columns, three or more.
func lackHalf(usual []bool, rows []row) bool {
	n := 0
	for _, is := range usual {
		if is {
			n++
		}
	}
	for _, r := range rows {
		if 2*missing(usual, r) < n {
			return false
		}
	}
	return n > listCells
}
