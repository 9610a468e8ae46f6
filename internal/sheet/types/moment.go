package types

import "bytes"

// moment is a date, or a date with a time, or both with an offset from UTC.
type moment struct {
	days
	clock   clock
	offset  int // seconds east of UTC
	hasZone bool
	fits    set
}

// read reads the whole of s, which is folded and not empty, in the usual way or one that is known besides.
func (m *moment) read(s []byte) bool {
	if m.parse(s) {
		return true
	}
	var buffer [longestMoment]byte
	usual, ok := usualMoment(buffer[:0], s)
	*m = moment{}
	return ok && m.parse(usual)
}

// IsDay reports whether a cell is a day, whatever the order of its parts, and nothing else.
func IsDay(cell []byte) bool {
	var buffer [longestMoment]byte
	var m moment
	text, ok := fold(buffer[:0], cell)
	return ok && len(cell) <= longestMoment && len(text) > 0 && m.read(text) && m.clock == (clock{})
}

// parse reads the whole of s, which is folded and not empty.
func (m *moment) parse(s []byte) bool {
	s, ok := m.days.cut(s)
	if !ok {
		return false
	}
	if len(s) == 0 {
		m.fits = m.among(dateEvident) | m.among(stampEvident)
		if m.orders&compact != 0 {
			m.fits = dateCompact
		}
		return true
	}
	if s, ok = m.cutSeparator(s); !ok {
		return false
	}
	if s, ok = m.clock.cut(s); !ok || m.clock.fits&timeOfDay == 0 || m.clock.seconds == daySeconds && !m.endDay() {
		return false
	}
	m.seen |= m.clock.seen & clockTraits
	if m.fits = m.among(stampEvident); len(s) == 0 {
		return m.fits != 0
	}
	m.fits = m.among(zonedEvident)
	return m.fits != 0 && m.readZone(s)
}

// endDay makes 24:00 the beginning of the next day, and reports whether there is one.
func (m *moment) endDay() bool {
	m.clock.seconds = 0
	m.day, m.swap, m.early = m.day.next(), m.swap.next(), m.early.next()
	return m.day.year <= lastYear && m.swap.year <= lastYear && m.early.year <= lastYear
}

// among returns the candidates of a group; first is its candidate for evident dates.
func (m *moment) among(first set) set { return first * set(m.orders&orders) }

// cutSeparator reads the separator between date and time: a T, or spaces, which are optional after 日.
func (m *moment) cutSeparator(s []byte) (rest []byte, ok bool) {
	rest = trimSpaces(s)
	ok = len(rest) < len(s) || m.closed
	if s[0] == 'T' {
		rest, ok = s[1:], true
	}
	return rest, ok && len(rest) > 0
}

// zoneHours are the offsets of time zones by their names: those of North America as RFC 822 has them, of Europe, Japan and Korea. Names
// that are used for several, such as IST and BST, are not among them.
var zoneHours = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "JST": 9, "KST": 9,
}

// readZone reads Z, +09:00, +0900, +09, the names of zones, and GMT+9 or UTC-05:30.
func (m *moment) readZone(s []byte) bool {
	m.hasZone = true
	s = trimSpaces(s)
	if len(s) > 4 && (s[3] == '+' || s[3] == '-') && (string(s[:3]) == "GMT" || string(s[:3]) == "UTC") {
		if s = s[3:]; len(s) == 2 || s[2] == ':' { // a single digit
			return m.readZone(append([]byte{s[0], '0'}, s[1:]...))
		}
	}
	switch string(s) {
	case "Z", "UTC", "GMT":
		return true
	}
	if hours, known := zoneHours[string(s)]; known {
		m.offset = hours * 3600
		return true
	}
	if len(s) < 3 || s[0] != '+' && s[0] != '-' {
		return false
	}
	hours, n := cutDigits(s[1:], 2)
	rest := bytes.TrimPrefix(s[1+n:], []byte(":"))
	minutes, k := cutDigits(rest, 2)
	if n != 2 || k != 2 && len(s) != 3 || k != len(rest) || hours > 15 || minutes > 59 {
		return false
	}
	m.offset = hours*3600 + minutes*60
	if s[0] == '-' {
		m.offset = -m.offset
	}
	return true
}

// key orders moments; those without an offset count as UTC.
func (m *moment) key(day date) key {
	return key{day.number()*daySeconds + m.clock.seconds - int64(m.offset), uint64(m.clock.nanos)}
}

// dayOf returns the day that the text means according to one of the candidates.
func (m *moment) dayOf(candidates set) date {
	switch fits := m.fits & candidates; {
	case fits&^monthFirsts&^yearFirsts != 0:
		return m.day
	case fits&monthFirsts != 0:
		return m.swap
	}
	return m.early
}

// append writes ISO 8601: the date and, if stamp is set, the time and the offset.
func (m *moment) append(dst []byte, day date, stamp bool) []byte {
	dst = day.append(dst)
	if !stamp {
		return dst
	}
	dst = m.clock.append(append(dst, 'T'))
	switch {
	case !m.hasZone:
		return dst
	case m.offset == 0:
		return append(dst, 'Z')
	}
	offset, sign := m.offset/60, byte('+')
	if offset < 0 {
		offset, sign = -offset, '-'
	}
	dst = appendPadded(append(dst, sign), offset/60, 2)
	return appendPadded(append(dst, ':'), offset%60, 2)
}
