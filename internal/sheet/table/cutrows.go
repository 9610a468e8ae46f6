package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// dropTrailing removes the last n cells of a record of this width, if they are empty; of any wider than the table, if n is not 1.
func (r *row) dropTrailing(width, n int) {
	width -= n
	if r.width <= width || n == 1 && (r.lastText || r.width != width+n) {
		return
	}
	if n > 1 && slices.ContainsFunc(r.texts[min(width, len(r.texts)):], isSomeText) {
		return
	}
	r.width = width
	kept := min(r.width, len(r.kinds))
	r.kinds, r.texts = r.kinds[:kept], r.texts[:kept]
	r.keepPlaces(0, kept)
}

// keepPlaces tells the places of cells anew of a record that now has those from one cell to another: those of its other cells are none.
func (r *row) keepPlaces(from, to int) {
	if r.sumAt = uint16(max(0, int(r.sumAt)-from)); int(r.sumAt) >= to-from {
		r.sumAt = 0
	}
}

// dropLastOfSum removes the empty cell of a sum behind the last column, which a delimiter at its end makes.
func (r *row) dropLastOfSum(width int) {
	if r.isSum() && r.width == width+1 && len(r.kinds) == r.width {
		r.dropTrailing(r.width, 1)
	}
}

// dropLeading removes the first n cells of a record, if they are empty or have nothing but a title, or the word of a total.
func (r *row) dropLeading(n int) {
	if len(r.texts) <= n || !r.beginsAsSum() && r.filled > 1 && slices.ContainsFunc(r.texts[:n], isSomeText) {
		return
	}
	label := slices.IndexFunc(r.texts[:n], isSomeText)
	if label >= 0 && r.kinds[n] == kind.Empty {
		r.kinds[n], r.texts[n] = kind.Word, r.texts[label]
	}
	r.width -= n
	r.keepPlaces(n, len(r.kinds))
	r.kinds, r.texts = r.kinds[n:], r.texts[n:]
}

// cutTo removes the cells from that column on.
func (r *row) cutTo(to int) {
	for i, k := range r.kinds[to:] {
		if r.has(to+i, k) {
			r.filled--
		}
	}
	r.width, r.kinds, r.texts = to, r.kinds[:to], r.texts[:to]
	r.keepPlaces(0, to)
	r.blank = r.blank || r.filled <= 0
}
