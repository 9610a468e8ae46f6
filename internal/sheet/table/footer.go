package table

import "sheetdrop/internal/sheet/kind"

// footer returns the line in the last sample at which records stop belonging to the table: notes, sources, totals. A
// truncated record is not one of them, nor is a second table.
func footer(rows []row, last, start int, body columns) int64 {
	f := closingBlock{columns: body}
	if line := belowLine(rows, last, start); line > 0 {
		return line
	}
	if line := f.totalAboveBlank(rows, last, start); line > 0 {
		return line
	}
	if line := f.closingStroke(rows, last, start); line > 0 {
		return line
	}
	for i := len(rows) - 1; i >= start && int(rows[i].sample) == last && !f.isTooLong(); i-- {
		r := rows[i]
		r.dropLastOfSum(body.width)
		if r.blank {
			continue
		}
		if f.isAppended(r) {
			break
		}
		apart := i > start && (rows[i-1].separates() || r.prose && r.isTitle() && rows[i-1].isSum()) // the record from those above
		mayStandApart := f.line != 0 || r.isTitle() || r.width == 1 || r.explains || f.isShortPair(r)
		if !f.take(r, apart || mayStandApart && aboveIsBlank(rows, i, start, body.width)) {
			if !f.isBetweenSums(rows, i, start) {
				break
			}
			f.line = r.line
		}
		if f.run >= evidence {
			return 0
		}
	}
	if f.isTooLong() {
		return 0
	}
	return f.line
}

// beginsAsSum reports whether the record begins with a word for a sum: Total, or another one, such as a star, before an empty cell.
func (r row) beginsAsSum() bool {
	return r.total && r.totalFirst || r.subtotal && len(r.kinds) > 1 && r.texts[0] != noText && r.kinds[1] == kind.Empty
}

// isSum reports whether the record's words say that it sums up others.
func (r row) isSum() bool { return r.total || r.subtotal || r.partTotal || r.mean }

// aboveIsBlank reports whether there is a blank line above the record and others that are narrower than the table, have one text, or
// explain marks.
func aboveIsBlank(rows []row, i, start, width int) bool {
	for ; i >= start && (rows[i].width < width || rows[i].filled <= 1 || rows[i].explains); i-- {
		if rows[i].separates() {
			return true
		}
	}
	return false
}

// separates reports whether the record is blank, or a drawn line alone.
func (r row) separates() bool { return r.blank || r.isLine() }

func (r row) isLine() bool { return r.ruled && r.long && r.width == 1 && r.filled == 1 }

// closingStroke returns the line of a drawn line below the rows, if a few records follow it and none of them has the table's width. It
// returns 0 if there is none.
//
//	--------------------------------
//	4 records
//	received: 1,22.50
func (f *closingBlock) closingStroke(rows []row, last, start int) int64 {
	for i := len(rows) - 1; i > start+evidence && len(rows)-i <= maxFooter && int(rows[i].sample) == last; i-- {
		switch r := rows[i]; {
		case r.isLine() && i+1 < len(rows) && f.width > narrow:
			return r.line
		case r.broken || r.width >= f.width:
			return 0
		}
	}
	return 0
}

// isBetweenSums reports whether the record stands right between a sum and the last one, lacks what nearly all others have as that sum
// does, and so is an overhead or the like, which the total includes.
func (f *closingBlock) isBetweenSums(rows []row, i, start int) bool {
	if i <= start || i+1 >= len(rows) || f.line == 0 || rows[i+1].line != f.line || rows[i].width != f.width || f.missing(rows[i]) < sumLacks {
		return false
	}
	above := rows[i-1]
	return rows[i+1].isSum() && (above.total || above.subtotal) && f.missing(above) >= sumLacks && f.missing(rows[i+1]) >= sumLacks
}
