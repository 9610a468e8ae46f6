package types

import "bytes"

// era is a Japanese era.
type era struct {
	firstYear   int // the year of the calendar that is its year 1
	first, last date
}

// eras are the supported eras, in the order of the signs that fold assigns to them.
//
// The day on which Meiji became Taisho and the one on which Taisho became Showa belong to both eras: the edicts that
// name the new era, issued on that day, apply from the day itself and are dated in the old one. Since Showa the new era
// begins at the next midnight. Meiji begins with its 6th year: on 1 January 1873 Japan adopted the Gregorian calendar,
// and earlier dates follow another calendar.
//
// Sources: the edicts 明治45年7月30日詔書 and 大正15年12月25日詔書; the cabinet orders 昭和64年政令第1号 (in force on 8 January 1989) and
// 平成31年政令第143号 (in force on 1 May 2019); 明治5年太政官布告第337号 for the calendar.
var eras = [...]era{
	{1868, date{1873, 1, 1}, date{1912, 7, 30}},
	{1912, date{1912, 7, 30}, date{1926, 12, 25}},
	{1926, date{1926, 12, 25}, date{1989, 1, 7}},
	{1989, date{1989, 1, 8}, date{2019, 4, 30}},
	{2019, date{2019, 5, 1}, date{9999, 12, 31}},
}

// eraOf returns the era of a sign or a Latin initial.
func eraOf(c byte) *era {
	switch c {
	case 'M':
		c = meijiSign
	case 'T':
		c = taishoSign
	case 'S':
		c = showaSign
	case 'H':
		c = heiseiSign
	case 'R':
		c = reiwaSign
	}
	if c < meijiSign || c > reiwaSign {
		return nil
	}
	return &eras[c-meijiSign]
}

// cutEra reads 令和3年1月5日, 令和元年5月1日, R3.1.5 and the like. A day outside its era is not a date.
func (d *days) cutEra(s []byte) (rest []byte, ok bool) {
	e := eraOf(s[0])
	if e == nil {
		return nil, false
	}
	if s = bytes.TrimLeft(s[1:], " "); len(s) == 0 {
		return nil, false
	}
	year, n := cutDigits(s, 2)
	if s[0] == firstYear {
		year, n = 1, 1
	}
	if year == 0 || len(s) == n {
		return nil, false
	}
	rest, ok = d.cutMonthDay(s[n:], e.firstYear+year-1)
	d.seen = eraSeen
	if ok && (d.day.before(e.first) || e.last.before(d.day)) {
		d.orders = 0
	}
	return rest, ok
}

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
