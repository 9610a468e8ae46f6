package dialect

// settings counts the records, from the first one on, that are no rows of the table of numbers below them: the names of an instrument's
// settings with their values, or lines of a text above a single column. Every record behind them has values alone.
//
//	Filter,180.00 Hz
//	Average,Off
//	Unit,Hz
//	65172.85,0
//	65201.40,0
//
// A few rows whose first cell is a text, such as all or unknown, are no settings, nor are names above values as those below.
func settings(rows []row, width int) int {
	if width > listCells {
		return 0
	}
	n, others := 0, 0
	for n < len(rows) && n < maxPadded && (rows[n].blank || isSetting(rows[n])) {
		if !rows[n].blank && (width == 1 || len(rows[n].kinds) < width || rows[n].kinds[width-1] != number) {
			others++
		}
		n++
	}
	if others < evidence || others*2 < n {
		return 0
	}
	below := 0
	for _, r := range rows[n:] {
		switch {
		case r.blank:
		case r.broken || r.width != width || len(r.kinds) == 0 || r.kinds[0] != number:
			return 0
		default:
			below++
		}
	}
	if body := columnKinds(rows[n:], width); below <= n || body.typed() < width {
		return 0
	}
	return n
}

// isSetting reports whether a record begins with a name, and not with a number.
func isSetting(r row) bool {
	return !r.broken && len(r.kinds) > 0 && r.width <= listCells && r.kinds[0] != number && r.kinds[0] != moment && r.kinds[0] != empty
}
