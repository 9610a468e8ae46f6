package grid

import (
	"cmp"
	"slices"
)

// Range is a rectangle of cells, its columns and rows from 1.
type Range struct {
	Left, Right int
	Top, Bottom int64
}

// Known is what a workbook itself says of a worksheet's tables. Everything is missing where it says nothing.
type Known struct {
	Tables []Table // what the program calls tables, in the order of their places
	// the last row of the header, as far as a filter, titles that are printed on each page, or frozen rows tell; 0 if none does
	HeaderEnd int64
	Merged    []Range // merged cells, if they were asked for
}

// Table is a table that somebody has made one in the program.
type Table struct {
	Range
	Header int64 // rows
	Totals int64 // rows at its end
}

// SortTables sorts tables by their places.
func SortTables(tables []Table) {
	slices.SortFunc(tables, func(a, b Table) int { return cmp.Or(cmp.Compare(a.Top, b.Top), cmp.Compare(a.Left, b.Left)) })
}

// knownMerged is how many merged ranges are remembered while a worksheet is read: those of its header are among the first ones.
const knownMerged = 1 << 12

// Merge remembers merged cells, if they are several and not too many are known.
func (k *Known) Merge(r Range) {
	if (r.Right > r.Left || r.Bottom > r.Top) && len(k.Merged) < knownMerged {
		k.Merged = append(k.Merged, r)
	}
}

// Informed are Rows of a workbook that says such things. What stands in front of a worksheet's rows is known once the first
// row was read.
type Informed interface {
	// Known returns what is known; merged cells, for which the worksheet may have to be read once more unless its end is reached, if merged
	// is set.
	// Errors are as for Book.Rows.
	Known(merged bool) (Known, error)
}

// ParseRange parses the reference of a range, such as A1:C9, $A$1:$C$9, a single cell, or whole rows, $1:$3, whose columns
// are 0.
func ParseRange(ref string) (r Range, ok bool) {
	first, last := ref, ref
	for i := range len(ref) {
		if ref[i] == ':' {
			first, last = ref[:i], ref[i+1:]
			break
		}
	}
	var ok2 bool
	r.Left, r.Top, ok = parseCorner(first)
	r.Right, r.Bottom, ok2 = parseCorner(last)
	return r, ok && ok2 && r.Left <= r.Right && r.Top <= r.Bottom
}

// parseCorner parses a cell's reference, or a row's, with or without dollar signs.
func parseCorner(ref string) (column int, row int64, ok bool) {
	plain := make([]byte, 0, len(ref))
	for i := range len(ref) {
		if ref[i] != '$' {
			plain = append(plain, ref[i])
		}
	}
	if row, ok = ParseRow(plain); ok {
		return 0, row, true
	}
	return ParseReference(plain)
}
