package types

import (
	"bytes"
	"strconv"
)

// clock is a time of day, or an elapsed time.
type clock struct {
	seconds  int64
	nanos    int
	places   int // of the seconds' fraction, as written
	negative bool
	fits     set
	seen     trait
}

// meridiem is the half of the day that the hours count in.
type meridiem uint8

const (
	wholeDay meridiem = iota
	am                // 1 to 12 AM
	pm
	gozen // 午前 0 to 11
	gogo  // 午後
)

const daySeconds = 24 * 60 * 60

// read reads the whole of s, which is folded and not empty, in the usual way or one that is known besides.
func (c *clock) read(s []byte) bool {
	if rest, ok := c.cut(s); ok && len(rest) == 0 {
		return true
	}
	var buffer [longestMoment]byte
	usual, ok := usualClock(buffer[:0], s)
	if !ok {
		return false
	}
	*c = clock{}
	rest, ok := c.cut(usual)
	return ok && len(rest) == 0
}

// cut reads a clock at the beginning of s and returns what follows it.
func (c *clock) cut(s []byte) (rest []byte, ok bool) {
	half, s := cutMeridiemBefore(s)
	hours, n := cutDigits(s, 6)
	s = s[n:]
	if n == 0 || len(s) == 0 {
		return nil, false
	}
	c.seconds = int64(hours) * 3600
	switch s[0] {
	case ':':
		s, ok = c.cutColons(s)
	case hourSign:
		s, ok = c.cutKanji(s[1:])
	}
	if !ok {
		return nil, false
	}
	if half == wholeDay {
		half, s = cutMeridiemAfter(s)
	}
	if half != wholeDay && !c.takeHalf(half, hours) {
		return nil, false
	}
	if half == wholeDay && c.seen&kanjiSeen == 0 {
		c.fits = elapsed
	}
	if midnight := c.seconds == daySeconds && c.nanos == 0; n <= 2 && (c.seconds < daySeconds || midnight) {
		c.fits |= timeOfDay
	}
	return s, c.fits != 0
}

// cutColons reads :mm, :mm:ss, :mm:ss.fff and :mm:ss:fff.
func (c *clock) cutColons(s []byte) (rest []byte, ok bool) {
	for unit := int64(60); unit > 0 && len(s) > 0 && s[0] == ':'; unit /= 60 {
		v, n := cutDigits(s[1:], 2)
		if n != 2 || v > 59 {
			return nil, false
		}
		c.seconds += int64(v) * unit
		s = s[3:]
		if unit == 1 {
			c.seen |= secondsSeen
			s = c.cutFraction(s)
		}
	}
	return s, true
}

// cutFraction reads up to nine digits after a point or a comma, and three, of milliseconds, after a colon.
func (c *clock) cutFraction(s []byte) []byte {
	if len(s) < 2 || s[0] != '.' && s[0] != ',' && s[0] != ':' {
		return s
	}
	v, n := cutDigits(s[1:], 9)
	if n == 0 || s[0] == ':' && n != 3 {
		return s
	}
	c.seen |= fractionSeen
	c.places = n
	c.nanos = v * int(powersOfTen[9-n])
	return s[1+n:]
}

// cutKanji reads what follows 時: nothing, m分, m分s秒.
func (c *clock) cutKanji(s []byte) (rest []byte, ok bool) {
	c.seen |= kanjiSeen
	minutes, s := cutUnit(s, minuteSign)
	seconds, s := cutUnit(s, secondSign)
	c.seconds += int64(minutes)*60 + int64(seconds)
	return s, minutes <= 59 && seconds <= 59
}

// cutUnit reads a number and its sign, if they are there.
func cutUnit(s []byte, sign byte) (value int, rest []byte) {
	trimmed := bytes.TrimLeft(s, " ")
	value, n := cutDigits(trimmed, 2)
	if n == 0 || n == len(trimmed) || trimmed[n] != sign {
		return 0, s
	}
	return value, trimmed[n+1:]
}

// cutMeridiemBefore reads 午前, 上午 or 오전, and what stands for the afternoon.
func cutMeridiemBefore(s []byte) (half meridiem, rest []byte) {
	switch s[0] {
	case beforeNoon:
		half = gozen
	case afterNoon:
		half = gogo
	case amSign:
		half = am
	case pmSign:
		half = pm
	default:
		return wholeDay, s
	}
	return half, trimSpaces(s[1:])
}

// cutMeridiemAfter reads AM, a.m., a. m. or π.μ., and what stands for the afternoon.
func cutMeridiemAfter(s []byte) (half meridiem, rest []byte) {
	word := trimSpaces(s)
	if len(word) == 0 {
		return wholeDay, s
	}
	switch word[0] {
	case 'a', 'A':
		half = am
	case 'p', 'P':
		half = pm
	case amSign:
		return am, word[1:]
	case pmSign:
		return pm, word[1:]
	default:
		return wholeDay, s
	}
	word, dotted := bytes.CutPrefix(word[1:], []byte("."))
	if dotted {
		word = trimSpaces(word)
	}
	if len(word) == 0 || word[0]|0x20 != 'm' {
		return wholeDay, s
	}
	if word = word[1:]; dotted {
		word = bytes.TrimPrefix(word, []byte("."))
	}
	return half, word
}

// trimSpaces returns what follows spaces of any width.
func trimSpaces(s []byte) []byte {
	for len(s) > 0 && isSpaceOf(s[0]) {
		s = s[1:]
	}
	return s
}

// takeHalf converts hours of one half of the day to hours of the day.
func (c *clock) takeHalf(half meridiem, hours int) bool {
	c.seen |= meridiemSeen
	first, last := 1, 12
	if half == gozen || half == gogo {
		first, last = 0, 11
	}
	if hours < first || hours > last {
		return false
	}
	if hours == 12 {
		c.seconds -= daySeconds / 2
	}
	if half == pm || half == gogo {
		c.seconds += daySeconds / 2
	}
	return true
}

func (c *clock) key() key {
	if c.negative {
		return key{-c.seconds - 1, uint64(1_000_000_000 - c.nanos)}
	}
	return key{c.seconds, uint64(c.nanos)}
}

// append writes hh:mm:ss, with the fraction as written.
func (c *clock) append(dst []byte) []byte {
	dst = appendPadded(dst, int(c.seconds/3600), 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, int(c.seconds/60%60), 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, int(c.seconds%60), 2)
	return c.appendFraction(dst)
}

func (c *clock) appendFraction(dst []byte) []byte {
	if c.places == 0 {
		return dst
	}
	dst = append(dst, '.')
	return appendPadded(dst, c.nanos/int(powersOfTen[9-c.places]), c.places)
}

// parseElapsed reads the whole of s as an elapsed time: 27:30, -1:05:10.5, or ISO 8601's PT27H30M.
func (c *clock) parseElapsed(s []byte) bool {
	c.negative = s[0] == '-'
	if c.negative {
		s = s[1:]
	}
	switch {
	case len(s) == 0:
		return false
	case s[0] == 'P':
		c.seen = isoDurationSeen
		c.fits = elapsed
		return c.readISO(s[1:])
	}
	ok := c.read(s)
	c.fits &= elapsed
	return ok && c.fits != 0
}

// readISO reads what follows the P of an ISO 8601 duration of days, hours, minutes and seconds. Years and months have no fixed length.
func (c *clock) readISO(s []byte) bool {
	if len(s) > 0 && s[0] != 'T' {
		days, n := cutDigits(s, 6)
		if n == 0 || n == len(s) || s[n] != 'D' {
			return false
		}
		c.seconds = int64(days) * daySeconds
		if s = s[n+1:]; len(s) == 0 {
			return true
		}
	}
	if len(s) < 2 || s[0] != 'T' {
		return false
	}
	return c.readISOTime(s[1:])
}

func (c *clock) readISOTime(s []byte) bool {
	unit := int64(3600)
	for _, sign := range []byte("HMS") {
		v, n := cutDigits(s, 9)
		if n == 0 {
			break
		}
		rest := s[n:]
		if sign == 'S' {
			rest = c.cutFraction(rest)
		}
		if len(rest) > 0 && rest[0] == sign {
			c.seconds += int64(v) * unit
			s = rest[1:]
		}
		unit /= 60
	}
	return len(s) == 0
}

// appendDuration writes an ISO 8601 duration of hours, minutes and seconds; a minus stands before it, as ISO 8601-2 has it.
func (c *clock) appendDuration(dst []byte) []byte {
	if c.negative {
		dst = append(dst, '-')
	}
	dst = append(dst, "PT"...)
	empty := len(dst)
	if hours := c.seconds / 3600; hours > 0 {
		dst = append(strconv.AppendInt(dst, hours, 10), 'H')
	}
	if minutes := c.seconds / 60 % 60; minutes > 0 {
		dst = append(strconv.AppendInt(dst, minutes, 10), 'M')
	}
	if seconds := c.seconds % 60; seconds > 0 || c.places > 0 || len(dst) == empty {
		dst = c.appendFraction(strconv.AppendInt(dst, seconds, 10))
		dst = append(dst, 'S')
	}
	return dst
}
