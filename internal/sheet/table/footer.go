package table

import (
	"cmp"
	"slices"
)

// footer returns the line at which records stop belonging to the table: notes, sources, totals; 0 if all belong to it. A truncated record
// is not one of them, nor is a second table. rows are those of the last sample, below the header.
func footer(rows []row, body columns) int64 {
	f := closingBlock{columns: body}
	if line := cmp.Or(belowLine(rows), f.totalAboveBlank(rows), f.closingStroke(rows)); line > 0 {
		return line
	}
	for i := len(rows) - 1; i >= 0 && !f.isTooLong(); i-- {
		r := rows[i]
		r.dropLastOfSum(body.width)
		if r.blank {
			continue
		}
		if f.isAppended(r) {
			break
		}
		apart := i > 0 && (rows[i-1].separates() || r.prose && r.isTitle() && rows[i-1].isSum()) // the record from those above
		mayStandApart := f.line != 0 || f.isAlone(r) || r.width == 1 || r.explains || f.isShortPair(r)
		if !f.take(r, apart || mayStandApart && aboveIsBlank(rows[:i+1], body.width)) {
			if !f.isBetweenSums(rows, i) {
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

// isAlone reports whether the record has nothing but a text, or a value of another kind than the first column's, such as an address.
func (f *closingBlock) isAlone(r row) bool {
	return r.isTitle() || !r.broken && r.filled == 1 && r.has(0) && len(f.kinds) > 0 && r.kinds[0] != f.kinds[0]
}

// aboveIsBlank reports whether there is a blank line above the last record and others that are narrower than the table, have one text, or
// explain marks.
func aboveIsBlank(rows []row, width int) bool {
	for _, r := range slices.Backward(rows) {
		switch {
		case r.separates():
			return true
		case r.width >= width && r.filled > 1 && !r.explains:
			return false
		}
	}
	return false
}

// separates reports whether the record is blank, or a drawn line alone.
func (r row) separates() bool { return r.blank || r.isLine() }

func (r row) isLine() bool { return r.ruled && r.long && r.width == 1 && r.filled == 1 }

// belowLine returns the line of the record below a drawn line, if it sums up and nothing follows it but other sums and one more record of
// a name and numbers. It returns 0 if there is none.
//
//	Boyd,        19, 4,19
//	Cruz,        20, 8,14
//	------,      --,--,--
//	TEAM TOTALS, 20,12,33
//	OPPONENTS,   20,31,71
func belowLine(rows []row) int64 {
	at := slices.IndexFunc(rows, func(r row) bool { return r.isDrawn() || r.isLine() })
	if at < 0 {
		return 0
	}
	if at++; at == len(rows) || len(rows)-at > maxFooter || at <= evidence || !rows[at].isSum() {
		return 0
	}
	others := 0
	for _, r := range rows[at:] {
		switch {
		case r.blank || r.isSum():
		case r.width == rows[at].width && r.isNameWithNumbers() && others == 0:
			others++
		default:
			return 0
		}
	}
	return rows[at].line
}

// totalAboveBlank returns the line of a total that closes the table, where a blank record follows. Below that are names with numbers alone,
// which all lack what nearly all rows have, and have the shape of none. It returns 0 if there is none.
//
//	Lee, 1204,48.2%
//	Moss,1010,40.4%
//	Total,2499,100%
//
//	Blank ballots,31,
func (f *closingBlock) totalAboveBlank(rows []row) int64 {
	for i := len(rows) - 1; i > bodyRecords && len(rows)-i <= maxFooter; i-- {
		r := rows[i]
		switch {
		case r.blank:
		case r.total && r.totalFirst && i+1 < len(rows) && rows[i+1].blank && f.closesByWords(r, false):
			return r.line
		case r.width != f.width || r.broken || !f.lacks(r) || !f.namesNumbers(r) || f.isUsualShape(r):
			return 0
		}
	}
	return 0
}

// closingStroke returns the line of a drawn line below the rows, if a few records follow it and none of them has the table's width. It
// returns 0 if there is none.
//
//	--------------------------------
//	4 records
//	received: 1,22.50
func (f *closingBlock) closingStroke(rows []row) int64 {
	for i := len(rows) - 1; i > evidence && len(rows)-i <= maxFooter; i-- {
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
func (f *closingBlock) isBetweenSums(rows []row, i int) bool {
	if i == 0 || i+1 >= len(rows) || f.line == 0 || rows[i+1].line != f.line || rows[i].width != f.width || f.missing(rows[i]) < sumLacks {
		return false
	}
	above := rows[i-1]
	return rows[i+1].isSum() && (above.total || above.subtotal) && f.missing(above) >= sumLacks && f.missing(rows[i+1]) >= sumLacks
}
