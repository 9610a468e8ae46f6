package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// trailing reports whether all records of the usual width end with an empty cell, and no record of one cell more has a value there and none
// behind it. Three records are enough if one of them is a header that names each other cell, or one of as many names stands above them, or
// all records of another width end with an empty cell, too.
func trailing(rows []row, width int) bool {
	n, others, named, all := 0, 0, false, true
	for _, r := range rows {
		switch {
		case r.width == width+1 && !r.blank && !r.broken && r.endsEmpty() && r.texts[width-1] != noText:
			return false
		case r.blank || r.broken || r.width != width:
			named = named || n == 0 && r.width == width-1 && r.filled == r.width
			if !r.blank && r.width > 1 {
				others, all = others+1, all && r.endsEmpty()
			}
			continue
		case !r.endsEmpty():
			return false
		}
		named = named || n == 0 && r.filled == width-1 && onlyWords(r)
		n++
	}
	return width > trailingColumns && (n > evidence || n == evidence && (named || all && others > 0))
}

// endsEmpty reports whether the last cell is empty, but for blanks, and not quoted.
func (r row) endsEmpty() bool { return !r.lastText && len(r.kinds) == r.width }

// emptyBehind counts the last columns that are empty in all records, the header among them: it may have fewer cells than they.
func emptyBehind(rows []row, width int) int {
	n, least := 0, width
	for _, r := range rows {
		if r.blank || r.broken || r.width > width || width > dialect.MaxColumns {
			continue
		}
		tail := width - r.width
		for tail < width && r.texts[width-1-tail] == noText {
			tail++
		}
		n, least = n+1, min(least, tail)
	}
	if n <= evidence || least == 1 && width > narrow || width-least < 1 { // one may be behind a last delimiter, or a quoted column
		return 0
	}
	return least
}

// emptyBeyond reports whether three records or more have empty cells behind the table, and no record has something there. These are two
// cells or more, since a text that holds a delimiter may have moved the others. One is enough in a whole text
//   - if each record has a value in the last column, and all values are of the columns' kinds;
//   - or if the header, which names all columns, has one, too.
func emptyBeyond(rows []row, body columns, whole bool, head row) bool {
	width := body.width
	named := head.width == width+1 && head.filled == width && head.endsEmpty()
	n, one, filled := 0, false, true
	for _, r := range rows {
		if r.blank || r.broken || r.width < width {
			continue
		}
		if r.width != len(r.texts) || r.width > width && slices.ContainsFunc(r.texts[width:], isSomeText) {
			return false
		}
		_, other := body.compare(r)
		filled = filled && r.kinds[width-1] != kind.Empty && other == 0
		if r.width > width {
			one = one || r.width == width+1
			if n++; one && r.lastText {
				return false
			}
		}
	}
	return n >= evidence && (!one || (filled || named) && whole)
}

// lastUsed returns the width of a table of a header and a row or two where empty cells, which are not quoted, stand behind the header, and
// none or some behind the rows; 0 if none do, or the header lacks a name.
func lastUsed(rows []row) int {
	head := slices.IndexFunc(rows, func(r row) bool { return !r.blank })
	if head < 0 || rows[head].filled < narrow || rows[head].filled > len(rows[head].kinds) {
		return 0
	}
	width, n := rows[head].filled, 0
	for _, r := range rows[head:] {
		if r.blank {
			continue
		}
		if n++; r.broken || r.width < width || r.width != len(r.kinds) || r.width > width && (r.lastText || r.filledBehind(width)) {
			return 0
		}
	}
	if n < narrow || rows[head].width == width && n <= evidence {
		return 0
	}
	return width
}

// emptyBefore counts the first columns that are empty in all records from the first one on that has two values. The word of a total may
// stand there, and titles of two parts or more.
func emptyBefore(rows []row, width int) int {
	inTable := func(r row) bool { return !r.blank && !r.broken && r.filled > 1 && !r.beginsAsSum() }
	first := slices.IndexFunc(rows, inTable)
	if first < 0 {
		return 0
	}
	last := len(rows) - 1
	for !inTable(rows[last]) {
		last--
	}
	titles := 0
	for _, r := range rows[first : last+1] {
		if r.filled == 1 && r.kinds[0] != kind.Empty {
			titles++
		}
	}
	n, least := 0, width
	for _, r := range rows[first : last+1] {
		if r.blank || r.broken || r.filled == 1 && titles >= sectionTitles || r.beginsAsSum() {
			continue
		}
		head := 0
		for head < len(r.texts) && r.texts[head] == noText {
			head++
		}
		n, least = n+1, min(least, head)
	}
	if n <= evidence || width-least < narrow {
		return 0
	}
	return least
}
