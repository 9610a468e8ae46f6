package words

import (
	"unicode"
	"unicode/utf8"
)

// IsColumnMark reports whether the cell is a letter, a number of two digits at most, or begins with one and says how it is computed: 3=1x2.
func IsColumnMark(cell []byte) bool {
	digits := 0
	for digits < len(cell) && cell[digits] >= '0' && cell[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		return digits <= 2 && (digits == len(cell) || cell[digits] == '=' || cell[digits] == ' ' && cell[digits+1] == '=')
	}
	r, size := utf8.DecodeRune(cell)
	return size == len(cell) && unicode.IsUpper(r)
}
