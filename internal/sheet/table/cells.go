package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// What rules ask of a record's cells, and of several records.

// first returns the index of the first cell that is not empty; -1 if there is none.
func (r row) first() int {
	return slices.IndexFunc(r.kinds, func(k kind.Kind) bool { return k != kind.Empty })
}

// firstText returns the hash of the record's first text, that of nothing if it has none.
func (r row) firstText() uint64 {
	for _, text := range r.texts {
		if text != noText {
			return text
		}
	}
	return noText
}

// has reports whether cell i holds anything, a word for nothing too.
func (r row) has(i int) bool {
	return r.kinds[i] != kind.Empty || r.texts[i] != noText && r.texts[i] != 0
}

// lastFilled returns how many cells the record has up to the last one that is not empty.
func (r row) lastFilled() int {
	n := len(r.kinds)
	for n > 0 && !r.has(n-1) {
		n--
	}
	return n
}

// filledBehind reports whether the record has a value behind the n-th cell.
func (r row) filledBehind(n int) bool {
	return slices.ContainsFunc(r.kinds[min(n, len(r.kinds)):], func(k kind.Kind) bool { return k != kind.Empty })
}

// isPrefix reports whether the filled cells are the first ones, as those of a name with its value are.
func (r row) isPrefix() bool {
	return r.filled <= len(r.kinds) && !slices.Contains(r.kinds[:r.filled], kind.Empty)
}

// isTitle reports whether the record has nothing but a text in its first cell.
func (r row) isTitle() bool {
	return !r.broken && r.filled == 1 && len(r.kinds) > 0 && r.kinds[0] == kind.Word
}

// onlyWords reports whether no cell of the record is a value.
func onlyWords(r row) bool { return r.typed() == 0 }

// isWithoutValues reports whether no cell is a number, a day or a time: names may look like codes (Ch1, 20–64).
func (r row) isWithoutValues() bool {
	return !slices.ContainsFunc(r.kinds, func(k kind.Kind) bool { return k == kind.Number || k == kind.Moment })
}

// typed counts the cells that are values.
func (r row) typed() (n int) {
	for _, k := range r.kinds {
		if k > kind.Word {
			n++
		}
	}
	return n
}

// numbers counts the record's numbers; a record that has dates or times as well counts as none.
func (r row) numbers() int {
	n := 0
	for _, k := range r.kinds {
		switch k {
		case kind.Number:
			n++
		case kind.Moment:
			return 0
		}
	}
	return n
}

// namesAllOf reports whether the record has a name for each of so many columns, and no value.
func (r row) namesAllOf(width int) bool { return r.filled == seen(width) && onlyWords(r) }

// namesMostOf reports whether the record has names of their own for nearly all of so many columns. Merged cells have one.
func (r row) namesMostOf(width int) bool {
	n := 0
	for i, k := range r.kinds {
		if k != kind.Empty && (i == 0 || r.texts[i] != r.texts[i-1]) {
			n++
		}
	}
	return n >= width-1 || share(n, width) >= headerFilled
}

// hasEachTextOnce reports whether none of the record's texts comes twice.
func hasEachTextOnce(r row) bool {
	for i, text := range r.texts {
		if r.kinds[i] != kind.Empty && slices.Contains(r.texts[:i], text) {
			return false
		}
	}
	return true
}

// repeats reports whether two cells have the same text.
func (r row) repeats(a, b int) bool {
	return max(a, b) < len(r.texts) && r.kinds[a] != kind.Empty && r.texts[a] == r.texts[b]
}

func sameTexts(a, b row) bool { return slices.Equal(a.texts, b.texts) }

// sameShape reports whether two records have values in the same columns.
func sameShape(a, b row) bool {
	if len(a.kinds) != len(b.kinds) {
		return false
	}
	for i := range a.kinds {
		if (a.kinds[i] == kind.Empty) != (b.kinds[i] == kind.Empty) {
			return false
		}
	}
	return true
}

// pastBlank returns the index of the first record from there on that is not blank.
func pastBlank(rows []row, from int) int {
	for from < len(rows) && rows[from].blank {
		from++
	}
	return from
}

// nextBlank returns the index of the first record from there on that is blank.
func nextBlank(rows []row, from int) int {
	for from < len(rows) && !rows[from].blank {
		from++
	}
	return from
}

// blankRows counts the blank ones.
func blankRows(rows []row) (n int) {
	for _, r := range rows {
		if r.blank {
			n++
		}
	}
	return n
}

// withoutBlank returns the rows without blank ones, which may be nearly all of them.
func withoutBlank(rows []row) (kept []row) {
	for _, r := range rows {
		if !r.blank {
			kept = append(kept, r)
		}
	}
	return kept
}

// without returns the rows without repetitions of the header.
func without(rows []row, header row) []row {
	again := func(r row) bool { return sameTexts(r, header) }
	if !slices.ContainsFunc(rows, again) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), again)
}

// widest returns the width of the widest row.
func widest(rows []row) (width int) {
	for _, r := range rows {
		width = max(width, r.width)
	}
	return width
}

// isFilled reports whether all rows have a first cell.
func isFilled(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return !r.blank && len(r.kinds) > 0 && r.kinds[0] == kind.Empty })
}

// kindIn returns the kind of a column's first cell that is not empty.
func kindIn(rows []row, column int) kind.Kind {
	for _, r := range rows {
		if column < len(r.kinds) && r.kinds[column] != kind.Empty {
			return r.kinds[column]
		}
	}
	return kind.Empty
}

// isDrawn reports whether the record has drawn lines alone, in two cells or more.
func (r row) isDrawn() bool { return r.ruled && r.long && r.filled > 1 }

// isCode reports whether both are codes, whatever their shapes.
func isCode(a, b kind.Kind) bool { return min(a, b) >= kind.Code && max(a, b) < kind.Stamped }
