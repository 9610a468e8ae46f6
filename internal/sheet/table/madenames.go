package table

import (
	"bytes"
	"slices"
	"strconv"

	"sheetdrop/internal/sheet/kind"
)

// What made names begin with, and what stands behind their numbers in a header of several rows.
const (
	unnamed = "Unnamed: "
	levelOf = "_level_"
	dots    = "..."
)

// IsMadeName reports whether a cell of column i, from 0, is a name that a library has made for a column without one, by the column's
// place: Unnamed: 2 or Unnamed: 2_level_0 of pandas, ...3 of readr. A column with the numbers of the rows may stand before the others.
func IsMadeName(cell []byte, i int) bool {
	digits, first := []byte(nil), 0
	if rest, ok := bytes.CutPrefix(cell, []byte(unnamed)); ok {
		digits, _, _ = bytes.Cut(rest, []byte(levelOf))
	} else if rest, ok := bytes.CutPrefix(cell, []byte(dots)); ok {
		digits, first = rest, 1
	}
	n, err := strconv.Atoi(string(digits))
	return err == nil && (n == i+first || n == i+first-1)
}

// emptyMadeNames makes empty cells of two or more made names in the first record: the spreadsheet had none there, and what the library
// took for names is rather the table's title, or the names of groups of columns.
//
//	Stock of 2024-12-31,Unnamed: 1,Unnamed: 2
//	,                   ,          ,
//	Depot,              Article,   Pieces
func emptyMadeNames(rows []row) {
	if emptyNA(rows) || len(rows) < narrow || len(rows[0].texts) != rows[0].width {
		return
	}
	made := 0
	for c, text := range rows[0].texts {
		if isHashOfMade(text, c) {
			made++
		}
	}
	allMade := made == rows[0].filled || rows[0].isNumbered()
	if made < narrow && !allMade || allMade && !namesFollow(rows[1:], rows[0].width) {
		return
	}
	rows[0].emptyCells(func(c int) bool { return allMade || isHashOfMade(rows[0].texts[c], c) })
}

// namesFollow reports whether the next record, below titles alone, names each column of values: what stands above it are no names then.
func namesFollow(rows []row, width int) bool {
	n := slices.IndexFunc(rows[:min(len(rows), maxPadded)], func(r row) bool { return r.filled > 1 })
	return n >= 0 && headsAll(rows[n:], width)
}

// numberedNames are what spreadsheets call the columns of a table without names, each with its number behind it.
var numberedNames = []string{
	"Column", "Spalte", "Colonne", "Columna", "Colonna", "Coluna", "Kolom", "Kolumn", "Kolumna", "Столбец", "Sütun", "列", "열",
}

// AreNumbered reports whether the cells are nothing but names that a spreadsheet has made: Column1, Column2, Column3.
func AreNumbered(cells [][]byte) bool { return gridRow(cells).isNumbered() }

func (r row) isNumbered() bool {
	return r.width >= narrow && slices.ContainsFunc(numberedNames, func(name string) bool {
		for c, text := range r.texts {
			if text != hash([]byte(name+strconv.Itoa(c+1))) {
				return false
			}
		}
		return true
	})
}

// emptyNA makes empty cells of those with NA, which R writes beside a title: in all records from the first one on that have nothing but NA
// behind a text, or at all. It reports whether there are any.
func emptyNA(rows []row) bool {
	n := 0
	for n < min(len(rows), maxTitles) && rows[n].isPaddedByNA() {
		n++
	}
	if n == 0 || n == len(rows) || !rows[n].namesAllOf(rows[n].width) || rows[n].width != rows[0].width {
		return false
	}
	for i := range rows[:n] {
		rows[i].emptyCells(func(c int) bool { return rows[i].texts[c] == hashOfNA })
		rows[i].blank = rows[i].filled == 0
	}
	return true
}

// isHashOfMade is IsMadeName of the hash of a cell.
func isHashOfMade(text uint64, i int) bool {
	for n := max(i-1, 0); n <= i+1; n++ {
		no := strconv.Itoa(n)
		for _, name := range []string{unnamed + no, unnamed + no + levelOf + "0", unnamed + no + levelOf + "1", dots + no} {
			if text == hash([]byte(name)) && IsMadeName([]byte(name), i) {
				return true
			}
		}
	}
	return false
}

var hashOfNA = hash([]byte("NA"))

// isPaddedByNA reports whether the record has three cells or more, of which all are NA, at least but the first.
func (r row) isPaddedByNA() bool {
	if r.broken || r.width < severalColumns || len(r.texts) != r.width {
		return false
	}
	for i, text := range r.texts {
		if text != hashOfNA && (i > 0 || r.kinds[i] > kind.Word) {
			return false
		}
	}
	return true
}

// emptyCells makes empty cells of those that the function chooses.
func (r *row) emptyCells(chosen func(i int) bool) {
	for i := range r.kinds {
		if chosen(i) {
			r.kinds[i], r.texts[i] = kind.Empty, noText
			r.filled--
		}
	}
}
