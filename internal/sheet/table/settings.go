package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// settings counts the records, from the first one on, that are no rows of the table of numbers below them: the names of an instrument's
// settings with their values, or lines of a text above a single column. Every record behind them has values alone; in a much longer table
// it may have a number behind a text. A few rows whose first cell is a text, such as all or unknown, are no settings, nor are names above
// values as those below, or names and their units below titles alone.
//
//	Filter,180.00 Hz     Title,Output of mines
//	Average,Off          Code,KX2
//	Unit,Hz              Released,4 May 2021
//	65172.85,0           1998,442
//	65201.40,0           1998 Q1,105
func settings(rows []row, width int) int {
	if width > listCells {
		return 0
	}
	n, others, codes := 0, 0, 0
	for n < len(rows) && n < maxPadded && (rows[n].blank || isSetting(rows[n])) {
		if r := rows[n]; !r.blank {
			if len(r.kinds) < width || r.kinds[width-1] != kind.Number {
				others++
			}
			if isCode(r.kinds[0], r.kinds[0]) {
				codes++
			}
		}
		n++
	}
	if others < evidence || others*2 < n || codes*2 > n || areNamesBelowTitles(rows[:n], width) { // no setting is called K-104
		return 0
	}
	below, texts, ok := numbersBelow(rows[n:], width)
	if !ok {
		return 0
	}
	body := columnKinds(rows[n:], width)
	if texts > 0 && below >= n*muchLonger && body.kinds[width-1] == kind.Number {
		return n
	}
	named := n // where the names of the numbers stand
	if n > 1 && rows[n-1].filled == width && rows[n-1].isOfNames() {
		named--
	}
	titled := named > 0 && rows[named-1].filled == 1 // XYDATA, right above the numbers
	few := below <= n && !(below >= evidence && (titled || named < n))
	if texts > 0 || few || body.typed() < width {
		return 0
	}
	return n
}

// areNamesBelowTitles reports whether the last two of the records have words alone, and none above them has two cells.
func areNamesBelowTitles(rows []row, width int) bool {
	names := len(rows) - 2
	if width != listCells || names < 1 {
		return false
	}
	other := func(r row) bool { return r.filled != width || !onlyWords(r) }
	return !slices.ContainsFunc(rows[names:], other) && !slices.ContainsFunc(rows[:names], func(r row) bool { return r.filled > 1 })
}

// belowColons returns the index of the header of a table of two columns below names with a colon and their values, and titles: the first
// record without one, which has two words. No record below it has a colon. It is 0 if there is none.
//
//	User:,smith
//	Company:,Acme Ltd
//	Day,Branch
//	2024-05-07,Oslo
func belowColons(rows []row, width int) int {
	isAbove := func(r row) bool {
		return r.blank || r.filled == 1 || r.setting && r.colons == 1 && r.filled == listCells
	}
	head := slices.IndexFunc(rows, func(r row) bool { return !isAbove(r) })
	hasColon := func(r row) bool { return r.colons > 0 }
	if width != listCells || head < 1 || len(rows) < head+bodyRecords || !slices.ContainsFunc(rows[:head], hasColon) ||
		!rows[head].namesAllOf(width) || slices.ContainsFunc(rows[head:], hasColon) || rows[head+1].width != width {
		return 0
	}
	return head
}

// numbersBelow counts the records below settings, and those of them that begin with a text before a number; ok is false if others are among
// them, but for a few at the end, which a program adds.
func numbersBelow(rows []row, width int) (n, texts int, ok bool) {
	behind := 0
	for _, r := range rows {
		switch {
		case r.blank:
			continue
		case isBehind(r, width):
			behind++
			continue
		case r.broken || r.width != width || behind > 0:
			return 0, 0, false
		case r.kinds[0] == kind.Number || r.kinds[0] == kind.Moment:
		case r.kinds[width-1] == kind.Number && width > 1:
			texts++
		default:
			return 0, 0, false
		}
		n++
	}
	return n, texts, behind <= maxFooter
}

// isOfNames reports whether the record has words alone, and behind the first one codes such as CH1, too.
func (r row) isOfNames() bool {
	isValue := func(k kind.Kind) bool { return k > kind.Word && !isCode(k, k) }
	return len(r.kinds) > 0 && r.kinds[0] == kind.Word && !slices.ContainsFunc(r.kinds, isValue)
}

// isSetting reports whether a record begins with a name, and not with a number.
func isSetting(r row) bool {
	// Start,400,nm and Rate:,20,20,Hz
	withUnit := r.width == listCells+1 && len(r.kinds) == r.width && r.kinds[1] == kind.Number && r.kinds[listCells] == kind.Word
	return !r.broken && len(r.kinds) > 0 && (r.width <= listCells || withUnit || r.setting) &&
		r.kinds[0] != kind.Number && r.kinds[0] != kind.Moment && r.kinds[0] != kind.Empty
}

// isBehind reports whether a record has a text and no number in the last column.
func isBehind(r row, width int) bool {
	return !r.broken && r.width <= listCells && len(r.kinds) > 0 && r.kinds[0] == kind.Word &&
		(len(r.kinds) < width || r.kinds[width-1] != kind.Number)
}

// belowDescriptions returns the index of the first row below records that describe the columns and were taken for rows: three or more that
// begin with a name where all rows begin with a number, a day or a code. In most of them nothing is as below. It returns start, where the
// rows seem to begin, if there are none.
//
//	,Sydney,Perth
//	Unit,Index,Index
//	Begin,Mar-2018,Mar-2018
//	Code,A2325,A2326
//	2018-03,112.6,111.9
func belowDescriptions(rows []row, start, width int) int {
	body := columnKinds(rows[start+(len(rows)-start)/2:], width)
	if width < narrow || body.n < evidence || body.kinds[0] <= kind.Word {
		return start
	}
	n, others, misfits := start, 0, 0
	describes := func(r row) bool {
		return r.width == width && r.kinds[0] != body.kinds[0] && !isCode(r.kinds[0], body.kinds[0])
	}
	for ; n < len(rows) && n < start+maxPadded && (rows[n].blank || describes(rows[n])); n++ {
		if !rows[n].blank && body.isUnlike(rows[n]) {
			misfits++
		}
		if !rows[n].blank {
			others++
		}
	}
	alike, below := 0, 0
	for _, r := range rows[n:] {
		if r.blank || r.width != width {
			continue
		}
		if below++; r.kinds[0] == body.kinds[0] {
			alike++
		}
	}
	if others < evidence || share(misfits, others) <= describing || below <= others || share(alike, below) < uniformRecords {
		return start
	}
	return n
}

// aboveRows returns the preamble and the header above row n: all records from the first one of them on if they may be a header, and
// otherwise the last one.
func aboveRows(rows []row, first, n int) (preamble, header, start int) {
	if n-first > maxHeader || slices.ContainsFunc(rows[first:n], func(r row) bool { return r.blank }) {
		first = n - 1
	}
	return first, n - first, first
}
