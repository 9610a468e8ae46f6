package sums

import (
	"bytes"
	"hash/maphash"

	"sheetdrop/internal/sheet/kind"
)

// Parts adds up the rows of a table, so that a row with a word for a sum is known to be one, even if it lacks nothing.
//
//	Wages,   21000,22500
//	Security, 4300, 4610
//	Total staff,25300,27110
type Parts struct {
	part  totals // since the last sum
	block totals // since the last title, or a sum of several parts
	whole totals
	texts []uint64 // the hashes of the cells of the last row that is none
	sumsSoFar
}

// Look is what tells of a row without a word for a sum that it may be one.
type Look uint8

// The looks of rows.
const (
	Plain        Look = iota
	TitleLook         // it is bold or coloured, as the titles of parts are
	NamelessLook      // it has nothing but numbers where others have a name first
	SumLook           // it is bold or coloured, and lacks a column as all such rows do, and no other
	BareLook          // likewise, and lacks more
	CalledLook        // likewise, and has a name before the numbers
)

// See adds a row up, or reports that it sums up others above, and whether several: it has a word for a sum, or looks as if it did.
func (p *Parts) See(cells [][]byte, look Look) (isSum, several bool) {
	named, bare, digits := p.isNamedSum(cells), look == NamelessLook || look >= BareLook, sumDigits
	if look >= SumLook {
		digits = bareDigits
	}
	if named || bare || look > Plain && (IsComputed(cells) || AreNumbers(cells)) {
		if t, several := p.totalsOf(cells, digits); t != nil && (several || !bare) {
			if p.part = p.part[:0]; t != &p.part {
				p.block = p.block[:0]
			}
			p.takeSum(cells)
			return true, several
		}
		if named && p.isSumWith(p.part, cells) {
			p.part, p.block = p.part[:0], p.block[:0]
			p.takeSum(cells)
			return true, true
		}
	}
	if named {
		return false, false
	}
	if ok, several := p.block.areClosedBy(cells); ok {
		p.part, p.block = p.part[:0], p.block[:0]
		return true, several
	}
	p.takeRow(cells)
	p.texts = p.texts[:0]
	for _, cell := range cells {
		p.texts = append(p.texts, textOf(cell))
	}
	p.part.addCells(cells)
	p.block.addCells(cells)
	if p.whole.addCells(cells) == 1 {
		p.part, p.block = p.part[:0], p.block[:0]
	}
	return false, false
}

// totalsOf returns those that the numbers of the row are, with so many digits that count, and whether they are of several rows; nil if they
// are none.
func (p *Parts) totalsOf(cells [][]byte, digits int) (t *totals, several bool) {
	for _, t := range []*totals{&p.part, &p.block, &p.whole} {
		if ok, several := t.match(cells, digits); ok {
			return t, several
		}
	}
	return nil, false
}

// SumUpTo reports whether the first row, with a word for a sum, sums up all others, which are several.
func (p *Parts) SumUpTo(first [][]byte) bool {
	ok, several := p.whole.match(first, sumDigits)
	return ok && several && p.isNamedSum(first)
}

// isNamedSum reports whether the record has a word for a sum first, and otherwise nothing but numbers, or texts that the row above has
// too, such as the unit.
func (p *Parts) isNamedSum(cells [][]byte) bool {
	cells = cells[:seen(cells)]
	first := firstOf(cells)
	if first < 0 || !namesSum(bytes.TrimSpace(cells[first])) {
		return false
	}
	kinds := kindsOf(cells)
	kinds[first] = kind.Word // 第1週計 looks like a code
	for i := first + 1; i < min(len(kinds), len(p.texts)); i++ {
		if kinds[i] != kind.Number && textOf(cells[i]) == p.texts[i] {
			kinds[i] = kind.Empty
		}
	}
	name, ok := NameAndNumbers(kinds)
	return ok && name >= 0
}

// textOf returns a hash of what stands in a cell.
func textOf(cell []byte) uint64 { return maphash.Bytes(seed, bytes.TrimSpace(cell)) }

var seed = maphash.MakeSeed()

// IncludesAll reports whether a row with a word for a sum sums up the rows above it, several of them since the last sum.
func IncludesAll(sum [][]byte, rows [][][]byte) bool {
	var p Parts
	for _, cells := range rows {
		p.See(cells, Plain)
	}
	t, several := p.totalsOf(sum, 1)
	return t != nil && several && p.isNamedSum(sum)
}
