package words

import "bytes"

// ofWhich are the words before a part of what a sum says: of which women, davon weiblich.
var ofWhich = []string{
	"of which", "of whom", "thereof", "davon", "darunter", "dont", "di cui", "de los cuales", "de las cuales", "dos quais", "das quais",
	"waarvan", "varav", "därav", "herav", "heraf", "joista", "w tym", "z tego", "z toho", "ebből", "в том числе", "из них", "うち", "其中", "그중",
}

var ofWhichWords = listOf(ofWhich)

// IsOfWhich reports whether the cell has such words before others.
func IsOfWhich(cell []byte) bool {
	if !ofWhichWords.mayBegin(cell, longestTotalOf) {
		return false
	}
	for _, word := range ofWhich {
		n := len(word)
		if len(cell) > n && bytes.EqualFold(cell[:n], []byte(word)) && (cell[n] == ' ' || cell[n] == ':' || cell[n] >= 0x80 && word[0] >= 0xe3) {
			return true
		}
	}
	return false
}
