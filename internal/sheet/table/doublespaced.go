package table

// singleSpaced returns the rows of a text in which a blank record stands behind each other one, as line ends of CR CR LF make them, without
// these, and the index of each of the rest among all. Of any other text it returns the rows as they are, and no indexes.
func singleSpaced(rows []row) (kept []row, at []int) {
	n := 0
	for i := 0; i < len(rows); i += 2 {
		if i+1 < len(rows) && !rows[i+1].blank || rows[i].sample > 0 {
			return rows, nil
		}
		if !rows[i].blank {
			n++
		}
	}
	if n < evidence {
		return rows, nil
	}
	for i := 0; i < len(rows); i += 2 {
		kept, at = append(kept, rows[i]), append(at, i)
	}
	return kept, at
}

// inText returns the layout of rows that were found without the blank records between them.
func (l Layout) inText(at []int) Layout {
	if l.Preamble > 0 && l.Preamble < len(at) {
		l.Preamble = at[l.Preamble]
	}
	return l
}
