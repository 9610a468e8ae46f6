package table

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"sheetdrop/internal/sheet/kind"
)

// steps are numbers in a record that rise or fall.
type steps uint8

const (
	noSteps steps = iota
	wholeSteps
	pointSteps // some of which have a decimal mark
	codeSteps  // behind one word each, in any order
)

// stepsOf returns which numbers all of the cells are but names, one or more in front, of which each is greater than the one before: four
// whole ones or more, or six, which may as well fall. Or it finds four codes or more that differ in their numbers alone, behind the first
// cell.
func stepsOf(kinds []kind.Kind, cell func(i int) []byte) steps {
	if haveOneStem(kinds, cell) {
		return codeSteps
	}
	first := namesInFront(kinds)
	isOther := func(k kind.Kind) bool { return k != kind.Number }
	if first == 0 || len(kinds)-first < leastStepped || slices.ContainsFunc(kinds[first:], isOther) {
		return noSteps
	}
	rises, falls, found, last := true, true, wholeSteps, math.NaN()
	for i := first; i < len(kinds) && (rises || falls); i++ {
		text := bytes.Replace(bytes.TrimSpace(cell(i)), []byte(","), []byte("."), 1)
		no, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return noSteps
		}
		if bytes.IndexByte(text, '.') >= 0 {
			found = pointSteps
		}
		rises, falls, last = rises && !(no <= last), falls && !(no >= last), no
	}
	if rises && found == wholeSteps || (rises || falls) && len(kinds)-first >= manyStepped {
		return found
	}
	return noSteps
}

// haveOneStem reports whether all cells but the first are one word with another number behind it each: J1, J10, J11, J2.
func haveOneStem(kinds []kind.Kind, cell func(i int) []byte) bool {
	if len(kinds) <= leastStepped || kinds[1] < kind.Code || kinds[len(kinds)-1] < kind.Code {
		return false
	}
	stem, _ := cutNumber(cell(1))
	numbers := make([]string, 0, len(kinds)-1)
	for i := range len(kinds) - 1 {
		word, number := cutNumber(cell(i + 1))
		if len(stem) == 0 || !bytes.Equal(word, stem) || len(number) == 0 {
			return false
		}
		numbers = append(numbers, string(number))
	}
	slices.Sort(numbers)
	return len(slices.Compact(numbers)) == len(kinds)-1
}

// cutNumber returns the letters that a cell begins with, and the digits behind them; no digits if it is anything else.
func cutNumber(cell []byte) (word, number []byte) {
	cell = bytes.TrimSpace(cell)
	word = bytes.TrimRight(cell, "0123456789")
	if bytes.ContainsAny(word, "0123456789 ") {
		return word, nil
	}
	return word, cell[len(word):]
}

// namesInFront returns how many cells stand before the first number, the first one of them a word, none if one of them is empty: but for a
// single one, the corner of a table.
func namesInFront(kinds []kind.Kind) int {
	n := slices.Index(kinds, kind.Number)
	if n == 1 && kinds[0] == kind.Empty {
		return n
	}
	if n <= 0 || kinds[0] != kind.Word || slices.Contains(kinds[:n], kind.Empty) {
		return 0
	}
	return n
}

// isNamedBySteps reports whether the record has names and numbers that rise or fall, as stepsOf finds them and no other record has. There
// are six or more, or fewer above columns of numbers, where these or they themselves have points.
//
//	length,10,  25,  50,  100     sample,site,220.0,220.5,221.0,221.5,222.0,222.5
//	first, 6.43,7.76,9,   10.02   A1,    Ulm, 0.112,0.093,1.201,0.954,0.112,0.081
//	second,6.46,7.79,8.97,10.07   A2,    Bonn,0.108,0.099,1.187,0.932,0.131,0.077
func (c columns) isNamedBySteps(r row) bool {
	if r.steps == codeSteps {
		return c.n >= evidence && !slices.ContainsFunc(c.rows, func(b row) bool { return b.steps == codeSteps && !sameTexts(b, r) })
	}
	if r.steps == noSteps || c.n < evidence || len(c.kinds) < r.filled {
		return false
	}
	first, of := namesInFront(r.kinds), 0
	for _, k := range c.kinds[first:r.filled] {
		switch {
		case k == kind.Number:
			of++
		case k > kind.Word: // a column without values counts as one of words
			return false
		}
	}
	points, numbers := 0, 0
	for _, b := range c.rows {
		if b.steps != noSteps && !sameTexts(b, r) {
			return false
		}
		if b.width == c.width {
			points, numbers = points+int(b.points), numbers+b.numbers()
		}
	}
	n := r.filled - first
	return n >= manyStepped || 2*of > n && (r.steps == pointSteps || share(points, numbers) >= mostOften)
}

// namesByNumbers reports whether the cells of a worksheet's row are names first, then three numbers or more of which each is greater than
// the one before, and words at the end at most. The last number may stand for all above it, as of ages: 90+. Where the numbers count up to
// the last cell, names may look like codes, or lack as in the corner of a plate.
//
//	Piece,1,10,100,1000,Total
//	CD11,Name,0,1,2,3+
func namesByNumbers(cells [][]byte) bool {
	last, front, named, numbers, counts := math.Inf(-1), 0, true, 0, true
	for i, cell := range cells {
		if cell = bytes.TrimSpace(cell); i == len(cells)-1 {
			cell = bytes.TrimSuffix(cell, []byte("+"))
		}
		switch k := kind.Of(cell); {
		case k == kind.Number:
			no, err := strconv.ParseFloat(string(bytes.TrimSuffix(cell, []byte("%"))), 64)
			if err != nil || !(no > last) {
				return false
			}
			counts = counts && (numbers == 0 || no == last+1)
			last, numbers = no, numbers+1
		case numbers > 0 && k != kind.Word:
			return false
		case numbers > 0:
			counts = false
		default:
			front, named = i+1, named && k == kind.Word
		}
	}
	return front > 0 && numbers >= severalColumns && (counts || named)
}

// namesByNumbersAlone reports whether the first row names its columns by numbers that rise, as most of the rows below do not.
func namesByNumbersAlone(rows []row) bool {
	n, climbing := 0, 0
	for _, r := range rows[1:] {
		if r.filled > 1 {
			n++
		}
		if r.namedByNumbers {
			climbing++
		}
	}
	return rows[0].namedByNumbers && n >= evidence && 2*climbing < n
}
