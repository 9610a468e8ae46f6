package sheet

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"sheetdrop/internal/sheet/dialect"
)

// partSums adds up a worksheet's rows, so that a row among them with a word for a sum is known to be one, even if it lacks nothing.
//
//	Wages,   21000,22500
//	Security, 4300, 4610
//	Total staff,25300,27110
type partSums struct {
	part  sums // since the last sum
	block sums // since the last title, or a sum of several parts
	whole sums
}

// sums are those of the columns.
type sums []columnSum

type columnSum struct {
	total float64
	n     int // of values
}

// see adds a row up, or reports that it sums up others above: it has a word for a sum, or stands out as the titles of the parts do, as
// strong has it.
func (p *partSums) see(cells [][]byte, strong bool) (isSum, certain bool) {
	named := dialect.IsNamedSum(cells)
	if named || strong && dialect.IsComputed(cells) {
		for _, s := range []*sums{&p.part, &p.block, &p.whole} {
			if ok, several := s.are(cells); ok {
				if p.part = p.part[:0]; s != &p.part {
					p.block = p.block[:0]
				}
				return true, several
			}
		}
		if named {
			return false, false
		}
	}
	filled := 0
	for column, cell := range cells {
		if cell = bytes.TrimSpace(cell); len(cell) == 0 {
			continue
		}
		filled++
		if v, err := strconv.ParseFloat(string(cell), 64); err == nil {
			p.part.add(column, v)
			p.block.add(column, v)
			p.whole.add(column, v)
		}
	}
	if filled == 1 {
		p.part, p.block = p.part[:0], p.block[:0]
	}
	return false, false
}

func (s *sums) add(column int, v float64) {
	for len(*s) <= column {
		*s = append(*s, columnSum{})
	}
	c := &(*s)[column]
	c.total, c.n = c.total+v, c.n+1
}

// are reports whether the numbers of the row are the sums, of which a third may be shares or averages, and whether they sum up several
// rows.
func (s *sums) are(cells [][]byte) (ok, several bool) {
	same, other, digits := 0, 0, 0
	for column, cell := range cells {
		cell = bytes.TrimSpace(cell)
		v, err := strconv.ParseFloat(string(cell), 64)
		if err != nil {
			continue
		}
		var c columnSum
		if column < len(*s) {
			c = (*s)[column]
		}
		if math.Abs(c.total-v) > math.Pow10(-decimals(cell))/2+1e-9 {
			other++
			continue
		}
		if v != 0 {
			same++
			digits += len(bytes.Trim(bytes.ReplaceAll(cell, []byte("."), nil), "-0"))
			several = several || c.n > 1
		}
	}
	return same > 0 && digits >= partSumDigits && 2*other <= same, several
}

// lookForSums decides whether sums among the rows are to be looked for, and whether the first row sums up all others.
func (x *gridRows) lookForSums() {
	if x.layout.Among == nil {
		return
	}
	first := slices.IndexFunc(x.ahead.rows, func(r *keptRow) bool { return r.No > x.headEnd })
	if first < 0 {
		return
	}
	rows, found := x.ahead.rows[first:], false
	var p partSums
	var top [][]byte
	numbers, n, i := gridNumbers(rows, rows[0].No-1), 0, 0
	for cells := range x.texts(rows, rows[0].No-1, x.right, nil) {
		for i+1 < len(rows) && rows[i].No < numbers[n] {
			i++
		}
		strong := rows[i].No == numbers[n] && x.layout.Among.HasStrongTitles() && isStrong(rows[i].Cells)
		n++
		if isSum, certain := p.see(cells, strong); isSum && certain {
			found = true
		}
		if top == nil {
			top = slices.Clone(cells)
		}
	}
	if found {
		x.sums = &partSums{}
	}
	if ok, several := p.whole.are(top); ok && several && errors.Is(x.err, io.EOF) && dialect.IsNamedSum(top) {
		x.sumAbove = rows[0].No
	}
}

// sumsUp reports whether the current row sums up others.
func (x *gridRows) sumsUp(cells [][]byte) bool {
	if x.row.No == x.sumAbove {
		return true
	}
	if x.sums == nil {
		return false
	}
	isSum, _ := x.sums.see(cells, x.layout.Among.HasStrongTitles() && isStrong(x.row.Cells))
	return isSum
}

// keepAddends decides that rows with few cells right above a sum below the table belong to it, if the sum includes them. rows are those
// below the header.
//
//	Receivables,   7,1565
//	Cash,           , 705
//	Current assets, ,2270
func (x *gridRows) keepAddends(rows []*keptRow) {
	if x.lastNo > 0 || x.below == 0 || len(x.known.Tables) > 0 {
		return
	}
	var p partSums
	numbers, n := gridNumbers(rows, rows[0].No-1), 0
	for cells := range x.texts(rows, rows[0].No-1, x.right, nil) {
		no := numbers[n]
		if n++; no < x.below {
			p.see(cells, false)
			continue
		}
		if dialect.MayBeAdded(cells) && no < x.below+maxAddends {
			p.see(cells, false)
			continue
		}
		if isSum, several := p.see(cells, false); isSum && several && no > x.below {
			x.below = no
		}
		return
	}
}

// decimals returns how many digits the number has behind its point, as far as a sum is exact.
func decimals(number []byte) int {
	const exact = 6
	if i := bytes.IndexByte(number, '.'); i >= 0 {
		return min(len(number)-i-1, exact)
	}
	return exact
}
