package target

import "math"

// Confidence returns how far a rule alone speaks for the column that it found, from 0 to 1. A name as it stands, or what a person
// has said, leaves no doubt; letters that had to be folded leave a little, and a synonym is a word that may mean other things, too.
func (r Rule) Confidence() float64 {
	switch r {
	case ByRequest, ByChoice, ByName:
		return 1
	case ByFolded:
		return 0.95
	case BySynonym:
		return 0.9
	}
	return 0
}

// Candidate is a column that a header merely resembles.
type Candidate struct {
	Column     string
	Confidence float64 // from 0 to 1; those of one header are 1 at most, together
}

// likely is the confidence in a header that is a column's name but for nothing that is counted, such as the order of its words.
const likely = 0.9

// byEdits returns the confidence of a text of which n of so many letters differ from a column's.
func byEdits(n, letters int) float64 { return likely * (1 - float64(n)/float64(letters)) }

// byWords returns the confidence of two texts that share words: Dice's coefficient of their words.
func byWords(shared, ofOne, ofOther int) float64 {
	return likely * 2 * float64(shared) / float64(ofOne+ofOther)
}

// share scales confidences down where they are more than 1 together: a header means one column.
func share(candidates []Candidate) {
	sum := 0.0
	for _, c := range candidates {
		sum += c.Confidence
	}
	for i := range candidates {
		candidates[i].Confidence = Rounded(candidates[i].Confidence / max(sum, 1))
	}
}

// Rounded returns a confidence with the two digits that are worth to be told.
func Rounded(confidence float64) float64 { return math.Round(confidence*100) / 100 }
