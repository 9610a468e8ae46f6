package dialect

// settings counts the records, from the first one on, that are no rows of the table of numbers below them: the names of an instrument's
// settings with their values, or lines of a text above a single column. Every record behind them has values alone, or, in many of them, a
// number behind what begins like the first one.
//
//	Filter,180.00 Hz     Title,Output of mines
//	Average,Off          Code,KX2
//	Unit,Hz              Released,4 May 2021
//	65172.85,0           1998,442
//	65201.40,0           1998 Q1,105
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
	below, texts := 0, 0
	for _, r := range rows[n:] {
		switch {
		case r.blank:
			continue
		case r.broken || r.width != width || len(r.kinds) == 0:
			return 0
		case r.kinds[0] == number || r.kinds[0] == moment:
		case r.kinds[width-1] == number && width > 1:
			texts++
		default:
			return 0
		}
		below++
	}
	body := columnKinds(rows[n:], width)
	if texts > 0 && below >= n*muchLonger && body.kinds[width-1] == number {
		return n
	}
	if texts > 0 || below <= n || body.typed() < width {
		return 0
	}
	return n
}

// isSetting reports whether a record begins with a name, and not with a number.
func isSetting(r row) bool {
	return !r.broken && len(r.kinds) > 0 && r.width <= listCells && r.kinds[0] != number && r.kinds[0] != moment && r.kinds[0] != empty
}
