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
)

// stepsOf returns which numbers all of the cells are but names, one or more in front, of which each is greater than the one before: four
// whole ones or more, or six, which may as well fall.
func stepsOf(kinds []kind.Kind, cell func(i int) []byte) steps {
	first := namesInFront(kinds)
	if n := len(kinds) - first; first == 0 || n < leastStepped || slices.ContainsFunc(kinds[first:], func(k kind.Kind) bool { return k != kind.Number }) {
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

// namesInFront returns how many cells stand before the first number, the first one of them a word, none if one of them is empty.
func namesInFront(kinds []kind.Kind) int {
	n := slices.Index(kinds, kind.Number)
	if n <= 0 || kinds[0] != kind.Word || slices.Contains(kinds[:n], kind.Empty) {
		return 0
	}
	return n
}

// isNamedBySteps reports whether the record has names and numbers that rise or fall, as stepsOf finds them and no other one has, above
// columns of numbers. Above whole numbers they are no names, unless they have points themselves.
//
//	length,10,  25,  50,  100     sample,site,220.0,220.5,221.0,221.5,222.0,222.5
//	first, 6.43,7.76,9,   10.02   A1,    Ulm, 0.112,0.093,1.201,0.954,0.112,0.081
//	second,6.46,7.79,8.97,10.07   A2,    Bonn,0.108,0.099,1.187,0.932,0.131,0.077
func (c columns) isNamedBySteps(r row) bool {
	if r.steps == noSteps || c.n < evidence || len(c.kinds) < r.filled {
		return false
	}
	for _, k := range c.kinds[namesInFront(r.kinds):r.filled] {
		if k != kind.Number {
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
	return r.steps == pointSteps || share(points, numbers) >= mostOften
}
