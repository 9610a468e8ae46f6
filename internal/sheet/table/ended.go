package table

// dropEnds removes the empty cells behind the last delimiters of all lines and reports whether it has: lines without a delimiter aside,
// each ends with one, and one has three cells or more with it. So the delimiters end lines, and separate nothing.
//
//	Stock of the depot;
//	No;Article;Pieces;
//	1;bolt;200;
func dropEnds(rows []row) bool {
	n, widest := 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.broken || r.width < narrow:
		case !r.endsEmpty():
			return false
		default:
			n, widest = n+1, max(widest, r.width)
		}
	}
	if n < narrow || widest <= trailingColumns {
		return false
	}
	for i := range rows {
		if r := &rows[i]; !r.broken && r.width >= narrow && r.endsEmpty() {
			r.dropTrailing(r.width, 1)
			r.lastText = len(r.texts) == r.width && isSomeText(r.texts[r.width-1])
		}
	}
	return true
}
