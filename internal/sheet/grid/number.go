package grid

import (
	"bytes"
	"math"
	"strconv"
)

// AppendNumber appends a number as the shortest text with exactly this value, without an exponent if 21 digits suffice.
// An integer written as digits stays as it is, because a double holds only 15 to 17 digits. ok is false if the text is
// not a number.
func AppendNumber(dst, text []byte) (number []byte, ok bool) {
	if isShortest(text) {
		return append(dst, text...), true
	}
	f, ok := ParseNumber(text)
	if !ok {
		return dst, false
	}
	return AppendFloat(dst, f), true
}

// AppendFloat appends a finite number likewise.
func AppendFloat(dst []byte, f float64) []byte {
	const most = 1 << 53 // the integers up to which are all doubles
	if i := int64(f); float64(i) == f && -most <= i && i <= most {
		return strconv.AppendInt(dst, i, 10) // also for minus zero
	}
	layout := byte('f')
	if a := math.Abs(f); a < 1e-7 || a >= 1e21 {
		layout = 'E'
	}
	return strconv.AppendFloat(dst, f, layout, -1, 64)
}

// isShortest reports whether AppendNumber would return the text unchanged: plain digits, of which a double
// distinguishes any 15, or an integer of any length.
func isShortest(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	whole, fraction := 0, 0
	for whole < len(digits) && isDigit(digits[whole]) {
		whole++
	}
	if whole == 0 || digits[0] == '0' && (whole > 1 || len(digits) == 1 && len(text) > 1) {
		return false
	}
	if whole == len(digits) {
		return true
	}
	for rest := digits[whole+1:]; fraction < len(rest) && isDigit(rest[fraction]); {
		fraction++
	}
	return digits[whole] == '.' && fraction > 0 && whole+1+fraction == len(digits) && whole+fraction <= 15 &&
		digits[len(digits)-1] != '0' && (digits[0] != '0' || !bytes.HasPrefix(digits, []byte("0.000000")))
}

// ParseNumber reads a finite number in decimal digits, with an exponent or without.
func ParseNumber(text []byte) (float64, bool) {
	for _, c := range text {
		if !isDigit(c) && c != '.' && c != '-' && c != '+' && c != 'E' && c != 'e' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return f, err == nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
