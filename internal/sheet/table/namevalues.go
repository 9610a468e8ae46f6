package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// Names with their values stand above tables, among them and below. What tells them from a table of two columns depends on where they
// stand: the functions of this file tell it, each for one place.

// nameEach reports whether each of the records begins with a word, none of which comes twice.
func nameEach(rows []row) bool {
	names := textSet{}
	return !slices.ContainsFunc(rows, func(r row) bool {
		return len(r.kinds) == 0 || r.kinds[0] != kind.Word || names.again(r.texts[0])
	})
}

// areMixed reports whether no column of the records has values of one kind.
func areMixed(rows []row) bool { return columnKinds(rows, widest(rows)).typed() == 0 }

// isList reports whether the records, which follow each other in a text of tables, are such a list: the second cells are not all of one
// kind, or have no header. A value may go on in further lines, without a name, and some names look like codes (1人当たり).
func isList(rows []row) bool {
	var named, words []row
	for _, r := range rows {
		if r.width != listCells {
			return false
		}
		if r.kinds[0] != kind.Empty {
			named = append(named, r)
			if !isCode(r.kinds[0], r.kinds[0]) {
				words = append(words, r)
			}
		}
	}
	kinds := kindsOfValues(named)
	return nameEach(words) && share(len(rows)-len(words), len(rows)) <= withoutName &&
		(dominant(kinds) == kind.Word || kinds[rows[0].kinds[1]] == len(rows))
}

// isMixedList reports whether the records are a list whose values are of several kinds.
func isMixedList(rows []row) bool {
	kinds := kindsOfValues(rows)
	values := len(rows) - kinds[kind.Word] - kinds[kind.Empty]
	return isList(rows) && values > 0 && share(len(rows)-values, len(rows)) < columnOfKind && dominant(kinds) == kind.Word
}

// kindsOfValues counts the kinds of the second cells.
func kindsOfValues(rows []row) map[kind.Kind]int {
	kinds := map[kind.Kind]int{}
	for _, r := range rows {
		kinds[r.kinds[1]]++
	}
	return kinds
}

// haveValues reports whether the records, of which the first was taken for the header of a table, have names and values of several kinds.
func haveValues(rows []row) bool {
	if rows[0].filled < narrow {
		return false
	}
	rows = withoutBlank(rows)
	other := func(r row) bool { return r.broken || r.width != narrow }
	return !slices.ContainsFunc(rows, other) && nameEach(rows) && areMixed(rows[1:])
}

// areNamesWithValues reports whether the records, which stand below a table and are padded to its width, have nothing but a name in the
// first cell and a value behind it. Some values are missing, but not all, and none of the records sums up.
func areNamesWithValues(rows []row) bool {
	values := 0
	for _, r := range rows {
		if r.broken || r.width != rows[0].width || r.filled > listCells || r.isSum() {
			return false
		}
		values += r.filled - 1
	}
	return values >= narrow && nameEach(rows)
}

// arePairs reports whether the records, which stand above a table and have its width, have nothing but names with their values, each with
// as many. One of the values is no word, and as in no table, no column has values of one kind below words alone.
//
//	Customer,Acme,Invoice,2025-11
//	Street,Main St 5,Day,2025-02-03
//	City,Oslo,Terms,30 days
func arePairs(rows []row) bool {
	names, values := textSet{}, 0
	for _, r := range rows {
		for i, k := range r.kinds {
			switch {
			case i%2 == 1 && k > kind.Word:
				values++
			case i%2 == 1:
			case k != kind.Word || names.again(r.texts[i]) || len(r.kinds)%2 == 1:
				return false
			}
		}
	}
	return values > 0 && (!onlyWords(rows[0]) || areMixed(rows[1:]))
}

// areSettings reports whether the records, which stand above a table, are few and have a name, its value and the unit each.
//
//	Thickness,2.01,mm
//	Width,12.50,mm
//	Rate,5.00,mm/min
func areSettings(rows []row) bool {
	other := func(r row) bool {
		return len(r.kinds) != listCells+1 || r.kinds[1] == kind.Word || r.kinds[listCells] != kind.Word
	}
	return len(rows) <= maxPadded && nameEach(rows) && !slices.ContainsFunc(rows, other)
}

// isListOrTitle reports whether each of the records is a text alone, or a name with its value.
func isListOrTitle(rows []row) bool {
	for _, r := range rows {
		if r.filled > narrow && r.colons == 0 {
			return false
		}
	}
	return true
}

// namesWithValues counts the records that are a name with its value, unless the first one names two columns.
func namesWithValues(rows []row) (n int) {
	for _, r := range rows {
		if r.filled == narrow {
			n++
		}
	}
	body := columnKinds(rows[1:], rows[0].width)
	if body.n >= evidence && body.isUnlike(rows[0]) && rows[0].colons == 0 {
		return 0
	}
	return n
}

// pairsOf returns the records that are a name with its value, without the empty cells behind these.
func pairsOf(rows []row) (pairs []row) {
	for _, r := range rows {
		if r.filled == listCells && r.isPrefix() {
			r.dropTrailing(r.width, r.width-listCells)
			pairs = append(pairs, r)
		}
	}
	return pairs
}
