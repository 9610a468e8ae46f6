package types

import "bytes"

var monthNames = [...]string{
	"january",
	"february",
	"march",
	"april",
	"may",
	"june",
	"july",
	"august",
	"september",
	"october",
	"november",
	"december",
}

// cutDayMonthName reads what follows a day: 5 January 2024, 05-Jan-2024.
func (d *days) cutDayMonthName(s []byte, day int) (rest []byte, ok bool) {
	mark := s[0]
	month, s := cutName(s[1:])
	if month == 0 || len(s) == 0 || s[0] != mark {
		return nil, false
	}
	return d.cutNamedYear(s[1:], month, day)
}

// cutMonthName reads January 5, 2024 and Jan 5 2024.
func (d *days) cutMonthName(s []byte) (rest []byte, ok bool) {
	month, s := cutName(s)
	if month == 0 || len(s) == 0 || s[0] != ' ' {
		return nil, false
	}
	day, n := cutDigits(s[1:], 2)
	s = bytes.TrimPrefix(s[1+n:], []byte(","))
	if len(s) == 0 || s[0] != ' ' {
		return nil, false
	}
	return d.cutNamedYear(s[1:], month, day)
}

func (d *days) cutNamedYear(s []byte, month, day int) (rest []byte, ok bool) {
	year, n := cutDigits(s, 5)
	d.seen |= monthNameSeen
	if d.day = (date{year, month, day}); n == 4 && d.day.valid() {
		d.orders = evident
	}
	return s[n:], n == 4
}

// cutName reads the English name of a month, in full or its first three letters. month is 0 if there is none.
func cutName(s []byte) (month int, rest []byte) {
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	for i, name := range monthNames {
		if n == 3 && equalFold(s[:n], name[:3]) || equalFold(s[:n], name) {
			return i + 1, s[n:]
		}
	}
	return 0, s
}

// equalFold compares ASCII text with a word in small letters.
func equalFold(s []byte, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i, c := range s {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}
