package sums

import (
	"bytes"

	"sheetdrop/internal/sheet/kind"
)

// Leading finds rows of which each sums up those below it, up to the next such row.
//
//	North, 310,46500
//	Kiel,  120,18000
//	Lübeck,190,28500
//	South, 270,40500
//	Ulm,   270,40500
type Leading struct {
	head   []addend // the numbers of the last such row
	heads  totals   // of all such rows
	part   totals
	rows   int  // below that row
	parts  int  // that were summed up
	large  int  // of several rows
	digits int  // of all sums that count
	closed bool // a sum of all such rows was found
	broken bool
}

// See looks at the next row, which is strong if it is bold or coloured, and reports whether it may sum up those below it.
func (s *Leading) See(cells [][]byte, strong bool) (may bool) {
	if s.broken = s.broken || s.closed; s.broken || hasSumWord(cells) {
		return false
	}
	if s.closed = s.isSumOfHeads(cells); s.closed {
		return true
	}
	if may = maySumBelow(cells, strong); may {
		s.end()
		s.head, s.part, s.rows = s.head[:0], s.part[:0], 0
	} else {
		s.rows++
	}
	named := !may
	for column, cell := range cells[:seen(cells)] {
		f, ok := figureOf(bytes.TrimSpace(cell))
		if named = named || len(cell) > 0 && !ok; !named { // its number or code stands before its name
			continue
		}
		switch {
		case !ok:
		case may:
			s.head = append(s.head, addend{column: column, last: f})
			s.heads.at(column).add(f)
		default:
			s.part.at(column).add(f)
		}
	}
	s.broken = s.broken || len(s.head) == 0 // a row above the first sum, or a sum of nothing
	return may
}

// isSumOfHeads reports whether the record has nothing but numbers, behind an empty cell, and is the sum of two rows or more that sum up
// those below them.
func (s *Leading) isSumOfHeads(cells [][]byte) bool {
	if s.parts == 0 || len(cells) == 0 || len(cells[0]) > 0 || !AreNumbers(cells) {
		return false
	}
	ok, several := s.heads.match(cells, bareDigits)
	return ok && several
}

// end ends the part below the last sum.
func (s *Leading) end() {
	if s.parts++; len(s.head) == 0 {
		s.parts = 0
		return
	}
	if s.rows > 1 {
		s.large++
	}
	for _, sum := range s.head {
		if of := s.part.of(sum.column); !of.equals(sum.last, point) {
			s.broken = true
			return
		}
		s.digits += sum.last.digits
	}
}

// Found reports whether all rows that may sum up others do: two or more, each of them of several rows.
func (s *Leading) Found() bool {
	if !s.broken {
		s.end()
	}
	return !s.broken && s.large >= severalParts && s.digits >= severalParts*bareDigits
}

// maySumBelow reports whether the record may sum up those below it: it has a name, a number before it at most, and numbers, and is bold or
// coloured, as strong has it; or it has its name in the first column, which others lack, and nothing in the second.
func maySumBelow(cells [][]byte, strong bool) bool {
	if len(cells) <= narrow {
		return false
	}
	if !strong {
		return len(bytes.TrimSpace(cells[1])) == 0 && IsComputed(cells)
	}
	return IsComputed(cells) || kind.Of(bytes.TrimSpace(cells[0])) == kind.Number && IsComputed(cells[1:])
}
