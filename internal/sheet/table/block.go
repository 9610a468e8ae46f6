package table

import (
	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// block is a group of columns between empty ones.
type block struct {
	from, to int // columns, to excluded
	cells    int
	rows     []bool // whether the row has a value there
	first    int    // row
	last     int
	count    int // rows
}

// blocks returns the groups of columns that are empty in no row with two values: titles may stand anywhere.
func blocks(rows []row, width int) []block {
	width = min(width, dialect.MaxColumns)
	filled := make([]int, width)
	for _, r := range rows {
		if r.blank || r.broken || r.filled < narrow {
			continue
		}
		for i, k := range r.kinds[:min(len(r.kinds), width)] {
			if r.has(i, k) {
				filled[i]++
			}
		}
	}
	var list []block
	for i := 0; i < width; i++ {
		if filled[i] == 0 {
			continue
		}
		b := block{from: i, first: -1, rows: make([]bool, len(rows))}
		for i < width && filled[i] > 0 {
			b.cells += filled[i]
			i++
		}
		b.to = i
		b.look(rows)
		list = append(list, b)
	}
	return list
}

// has reports whether cell i holds anything, a word for nothing too.
func (r row) has(i int, k kind.Kind) bool {
	return k != kind.Empty || r.texts[i] != noText && r.texts[i] != 0
}

func (b *block) look(rows []row) {
	for n, r := range rows {
		for i := b.from; i < min(b.to, len(r.kinds)); i++ {
			if !r.has(i, r.kinds[i]) {
				continue
			}
			if b.first < 0 {
				b.first = n
			}
			b.last, b.rows[n] = n, true
			b.count++
			break
		}
	}
}

// isRun reports whether the block has a value in each row between its first and its last one.
func (b block) isRun() bool { return b.count == b.last-b.first+1 }

// rowsOf counts the rows in which both blocks have a value.
func (b block) rowsOf(main block) (n int) {
	for i, filled := range b.rows {
		if filled && main.rows[i] {
			n++
		}
	}
	return n
}
