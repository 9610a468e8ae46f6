package table

import (
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// columns is what is known about the table's columns.
type columns struct {
	kinds  []kind.Kind // of nearly all non-empty cells of a column; word if they differ
	width  int         // may exceed len(kinds)
	rows   []row       // those that are at least as wide
	n      int         // number of rows with exactly this width
	filled int         // number of their non-empty cells
	used   int         // number of columns, without those between them that are empty in all of them
	usual  []bool      // of those below a header: the columns in which nearly all rows have a value

	yearish  int // and of those that may be years
	calendar int // likewise, of our time
	inYears  int // number of rows that have years which rise from cell to cell

	sumValues textSet // words for sums that are values of rows: their hashes

	fullAbove bool // isFull, without the last rows, where notes may stand
}

// columnKinds uses the records of the usual width, except titles and notes that were padded to it, and drawn lines.
func columnKinds(rows []row, width int) columns {
	n := min(width, dialect.MaxColumns)
	c := columns{kinds: make([]kind.Kind, n), width: width, rows: rows}
	counts := make([]kindCounts, n)
	for _, r := range rows {
		if r.blank || r.broken || r.section || r.width != width || r.isDrawn() {
			continue
		}
		c.n++
		c.yearish += int(r.yearish)
		c.calendar += int(r.calendar)
		if r.years >= manyYears {
			c.inYears++
		}
		c.filled += r.filled
		if r.filled == 1 && width > narrow {
			continue
		}
		for i, k := range r.kinds {
			if k != kind.Empty {
				counts[i].add(k)
			}
		}
	}
	for i := range counts {
		all := counts[i].all()
		if c.kinds[i] = dominant(all); len(all) > 0 {
			c.used++
		}
	}
	if c.used > n-narrow { // one that is empty may be a column, more are gaps between columns
		c.used = n
	}
	return c
}

// kindCounts counts kinds that rarely change from one to the next.
type kindCounts struct {
	counts map[kind.Kind]int
	last   kind.Kind
	run    int // of the last kind, which counts does not have yet
}

func (c *kindCounts) add(k kind.Kind) {
	if k != c.last {
		c.all()
		c.last, c.run = k, 0
	}
	c.run++
}

// all returns the counts.
func (c *kindCounts) all() map[kind.Kind]int {
	if c.counts == nil {
		c.counts = map[kind.Kind]int{}
	}
	if c.run > 0 {
		c.counts[c.last] += c.run
		c.run = 0
	}
	return c.counts
}

// dominant returns the kind that nearly all cells of a column have.
func dominant(counts map[kind.Kind]int) kind.Kind {
	all, best := 0, kind.Empty
	for k, n := range counts {
		all += n
		if n > counts[best] || n == counts[best] && k < best {
			best = k
		}
	}
	if all < columnCells || share(counts[best], all) < columnOfKind {
		return kind.Word
	}
	return best
}

func (c columns) typed() int {
	n := 0
	for _, k := range c.kinds {
		if k > kind.Word {
			n++
		}
	}
	return n
}

// compare counts the typed columns in which the record's cell has the column's kind, and those in which it has another.
// Years that rise from cell to cell are names; two of them only if another cell is one, or hardly a cell below is a year: of our time, if
// they follow each other behind a name.
func (c columns) compare(r row) (same, other int) {
	numbers := 0
	for i, k := range c.kinds {
		switch {
		case k <= kind.Word || i >= len(r.kinds) || r.kinds[i] == kind.Empty:
		case r.kinds[i] != k:
			other++
		case k == kind.Number && (r.years >= fewYears || int(r.calendar) == r.filled) && !c.goesOnWithYears():
			numbers++
		default:
			same++
		}
	}
	onlyYears := numbers > 0 && same == 0 && (!r.yearsApart || numbers == int(r.years))
	without := c.isWithoutYears() || !r.yearsApart && len(r.kinds) > 0 && r.kinds[0] == kind.Word && c.isWithoutOurYears()
	if c.isNamedByYears(r) || other > 0 && !r.yearsApart || onlyYears && without {
		return same, other + numbers
	}
	return same + numbers, other
}

// isUnlike reports whether no cell of the record is of its column's kind, and one is of another: so are names above values.
func (c columns) isUnlike(r row) bool {
	same, other := c.compare(r)
	return same == 0 && other > 0
}
