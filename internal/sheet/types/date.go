package types

import "bytes"

// date is a day of the Gregorian calendar, from year 1 to 9999.
type date struct{ year, month, day int }

const (
	lastYear   = 9999
	mostMonths = 12
)

func (d date) valid() bool {
	return d.year >= 1 && d.year <= lastYear && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= d.daysInMonth()
}

func (d date) daysInMonth() int {
	if d.month == 2 && d.isLeapYear() {
		return 29
	}
	return int(monthDays[d.month])
}

func (d date) isLeapYear() bool { return d.year%4 == 0 && (d.year%100 != 0 || d.year%400 == 0) }

// before reports whether a day is an earlier one; both are valid, or the answer means nothing.
func (d date) before(other date) bool {
	return d.year<<9|d.month<<5|d.day < other.year<<9|other.month<<5|other.day
}

// next returns the day after a valid one; any other stays invalid.
func (d date) next() date {
	switch {
	case !d.valid():
	case d.day < d.daysInMonth():
		d.day++
	case d.month < 12:
		d.month, d.day = d.month+1, 1
	default:
		d = date{d.year + 1, 1, 1}
	}
	return d
}

var (
	monthDays  = [13]uint8{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	daysBefore = [13]int{0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}
)

// number counts the days since the last day of the year 0.
func (d date) number() int64 {
	y := d.year - 1
	days := y*365 + y/4 - y/100 + y/400 + daysBefore[d.month] + d.day
	if d.month > 2 && d.isLeapYear() {
		days++
	}
	return int64(days)
}

func (d date) append(dst []byte) []byte {
	dst = appendPadded(dst, d.year, 4)
	dst = append(dst, '-')
	dst = appendPadded(dst, d.month, 2)
	dst = append(dst, '-')
	return appendPadded(dst, d.day, 2)
}

// appendPadded writes the number with exactly this many digits.
func appendPadded(dst []byte, number, digits int) []byte {
	const zeros = "00000000000000000000"
	start := len(dst)
	dst = append(dst, zeros[:digits]...)
	for i := len(dst) - 1; i >= start; i-- {
		dst[i] = '0' + byte(number%10)
		number /= 10
	}
	return dst
}

// order is a set of possible orders of the parts of a date.
type order uint8

const (
	evident order = 1 << iota
	dayFirst
	monthFirst
	shortYearFirst // years of two digits
	shortDayFirst
	shortMonthFirst
	compact

	orders = compact - 1 // all but compact
)

// days are the days that a text may mean: the one whose order is evident or has the day first, and the one with the
// month first.
type days struct {
	orders order
	day    date
	swap   date // the month first
	early  date // the year first, in two digits
	closed bool // it ends with 日
	seen   trait
}

// cut reads a date at the beginning of s and returns what follows it.
func (d *days) cut(s []byte) (rest []byte, ok bool) {
	switch c := s[0]; {
	case isDigit(c):
		rest, ok = d.cutNumeric(s)
	case isLetter(c) && len(s) > 1 && isLetter(s[1]):
		rest, ok = d.cutMonthName(s)
	default:
		rest, ok = d.cutEra(s)
	}
	return rest, ok && d.orders != 0
}

func (d *days) cutNumeric(s []byte) (rest []byte, ok bool) {
	v, n := cutDigits(s, 9)
	rest = s[n:]
	switch {
	case n == 8:
		d.readCompact(v)
		return rest, true
	case len(rest) == 0:
		return nil, false
	case n == 4:
		return d.cutMonthDay(rest, v)
	case n > 2:
		return nil, false
	case rest[0] == ' ' || rest[0] == '-' && len(rest) > 1 && isLetter(rest[1]):
		return d.cutDayMonthName(rest, v)
	}
	return d.cutYearLast(rest, v, n == 2)
}

// readCompact reads yyyymmdd. Eight digits that are not a plausible day are a number; plausible are days from 1900 to
// 2099, and 9999-12-31, which means "no end".
func (d *days) readCompact(v int) {
	d.day = date{v / 10_000, v / 100 % 100, v % 100}
	if d.day.valid() && (d.day.year >= 1900 && d.day.year <= 2099 || v == 99991231) {
		d.orders = compact
	}
}

// cutMonthDay reads what follows a year: month and day, with - or / or . before each, or in 年月日.
func (d *days) cutMonthDay(s []byte, year int) (rest []byte, ok bool) {
	afterMonth := s[0]
	end := 0 // of the letters after the day
	switch s[0] {
	case '-':
		d.seen |= dashSeen
	case '/':
		d.seen |= slashSeen
	case '.':
		d.seen |= dotSeen
	case yearSign:
		d.seen |= kanjiSeen
		d.closed = true
		afterMonth, end = monthSign, 1
	default:
		return nil, false
	}
	month, s := cutPart(s[1:], end)
	if len(s) == 0 || s[0] != afterMonth {
		return nil, false
	}
	day, s := cutPart(s[1:], end)
	if end > 0 && (len(s) == 0 || s[0] != daySign) {
		return nil, false
	}
	if d.day = (date{year, month, day}); d.day.valid() {
		d.orders = evident
	}
	return s[end:], true
}

// cutPart reads a month or a day of one or two digits; between 年月日 a space may precede it.
func cutPart(s []byte, kanji int) (value int, rest []byte) {
	if kanji > 0 {
		s = bytes.TrimLeft(s, " ")
	}
	value, n := cutDigits(s, 2)
	return value, s[n:]
}

// cutYearLast reads what follows a day or a month: the other one, and a year of four digits or two. With points the day
// comes before the month. padded says whether the first part has two digits.
func (d *days) cutYearLast(s []byte, first int, padded bool) (rest []byte, ok bool) {
	mark := s[0]
	switch mark {
	case '-':
		d.seen |= dashSeen
	case '/':
		d.seen |= slashSeen
	case '.':
		d.seen |= dotSeen
	default:
		return nil, false
	}
	second, n := cutDigits(s[1:], 2)
	s = s[1+n:]
	if len(s) == 0 || s[0] != mark {
		return nil, false
	}
	year, k := cutDigits(s[1:], 5)
	if k == 2 {
		d.readShort(first, second, year, mark, padded && n == 2)
		return s[1+k:], true
	}
	if k != 4 {
		return nil, false
	}
	if d.day = (date{year, second, first}); d.day.valid() {
		d.orders = dayFirst
	}
	if d.swap = (date{year, first, second}); d.swap.valid() && mark != '.' {
		d.orders |= monthFirst
	}
	return s[1+k:], true
}

// readShort reads three parts of up to two digits, the last of which has two. 1-2-34 is a code, and 1.2.34 may be a version: what else is
// in the column tells.
func (d *days) readShort(first, second, third int, mark byte, padded bool) {
	if !padded && mark == '-' {
		return
	}
	if !padded && mark == '.' {
		d.seen |= oneDigitSeen
	}
	if first > mostMonths {
		d.seen |= certainlyDays
	}
	if d.day = (date{fullYear(third), second, first}); d.day.valid() {
		d.orders = shortDayFirst
	}
	if d.swap = (date{fullYear(third), first, second}); d.swap.valid() && mark != '.' {
		d.orders |= shortMonthFirst
	}
	if d.early = (date{fullYear(first), second, third}); d.early.valid() && padded {
		d.orders |= shortYearFirst
	}
}

// fullYear returns the year of two digits: from 1969 to 2068, as POSIX has it.
func fullYear(short int) int {
	if short >= 69 {
		return 1900 + short
	}
	return 2000 + short
}
