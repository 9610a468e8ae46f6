package typedcopy

import (
	"bytes"
	"math"
	"time"
	"unicode/utf8"

	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/target"
)

// value adds a value, which has the form of types.Converter.Append.
func (c *column) value(b *binarycopy.Buffer, text []byte) problem {
	switch c.Type {
	case target.Integer:
		return addInteger(b, text)
	case target.Decimal:
		return c.addDecimal(b, text)
	case target.Boolean:
		b.Bool(len(text) == len("true"))
	case target.Date:
		b.Int32(int32(readDay(text).Unix()/daySeconds - epoch/daySeconds))
	case target.Time:
		return addInt64(b)(readClock(text))
	case target.Timestamp:
		return addInt64(b)(timestamp(text))
	case target.Instant:
		return c.addInstant(b, text)
	case target.Duration:
		length, problem := readDuration(text)
		if problem == fits {
			b.Interval(length)
		}
		return problem
	default:
		if c.MaxLength > 0 && len(text) > c.MaxLength && utf8.RuneCount(text) > c.MaxLength {
			return tooLong
		}
		b.Bytes(text)
	}
	return fits
}

func addInt64(b *binarycopy.Buffer) func(int64, problem) problem {
	return func(value int64, p problem) problem {
		if p == fits {
			b.Int64(value)
		}
		return p
	}
}

func addInteger(b *binarycopy.Buffer, text []byte) problem {
	digits, negative := bytes.CutPrefix(text, []byte("-"))
	value := uint64(0)
	for _, d := range digits {
		if value > math.MaxInt64/10 {
			return beyondInt64
		}
		value = value*10 + uint64(d-'0')
	}
	switch {
	case negative && value <= -math.MinInt64:
		b.Int64(-int64(value))
	case !negative && value <= math.MaxInt64:
		b.Int64(int64(value))
	default:
		return beyondInt64
	}
	return fits
}

func (c *column) addDecimal(b *binarycopy.Buffer, text []byte) problem {
	text, negative := bytes.CutPrefix(text, []byte("-"))
	whole, fraction := c.split(text)
	whole = bytes.TrimLeft(whole, "0")
	if c.Digits > 0 {
		if len(bytes.TrimRight(fraction, "0")) > c.Scale {
			return tooManyPlaces
		}
		if len(whole) > c.Digits-c.Scale {
			return tooManyDigits
		}
		fraction = fraction[:min(len(fraction), c.Scale)]
	}
	b.Numeric(negative, whole, fraction)
	return fits
}

// split returns the digits before and after the point of a number that may have an exponent.
func (c *column) split(text []byte) (whole, fraction []byte) {
	exponent := 0
	if at := bytes.IndexAny(text, "eE"); at >= 0 {
		exponent, text = readSigned(text[at+1:]), text[:at]
	}
	whole, fraction, _ = bytes.Cut(text, []byte("."))
	if exponent == 0 {
		return whole, fraction
	}
	point := len(whole) + exponent
	all := c.digits[:0]
	for range -point {
		all = append(all, '0')
	}
	all = append(append(all, whole...), fraction...)
	point = max(point, 0)
	for len(all) < point {
		all = append(all, '0')
	}
	c.digits = all
	return all[:point], all[point:]
}

// readSigned reads the few digits of an exponent.
func readSigned(text []byte) (value int) {
	negative := text[0] == '-'
	for _, d := range bytes.TrimLeft(text, "+-") {
		value = value*10 + int(d-'0')
	}
	if negative {
		return -value
	}
	return value
}

const (
	daySeconds = 24 * 60 * 60
	epoch      = 946_684_800 // 2000-01-01 as seconds since 1970, from which PostgreSQL counts
	second     = 1_000_000   // microseconds
)

// digitsAt reads n digits.
func digitsAt(text []byte, at, n int) (value int) {
	for _, d := range text[at : at+n] {
		value = value*10 + int(d-'0')
	}
	return value
}

// readDay reads yyyy-mm-dd.
func readDay(text []byte) time.Time {
	return time.Date(digitsAt(text, 0, 4), time.Month(digitsAt(text, 5, 2)), digitsAt(text, 8, 2), 0, 0, 0, 0, time.UTC)
}

// readClock reads hh:mm:ss with a fraction, in microseconds.
func readClock(text []byte) (int64, problem) {
	seconds := digitsAt(text, 0, 2)*3600 + digitsAt(text, 3, 2)*60 + digitsAt(text, 6, 2)
	fraction, problem := readFraction(text[len("hh:mm:ss"):])
	return int64(seconds)*second + fraction, problem
}

// readFraction reads a point and up to nine digits, in microseconds.
func readFraction(text []byte) (micros int64, p problem) {
	unit := int64(second / 10)
	for _, d := range bytes.TrimPrefix(text, []byte(".")) {
		if unit == 0 && d != '0' {
			return 0, tooFine
		}
		micros += int64(d-'0') * unit
		unit /= 10
	}
	return micros, fits
}

// local reads a timestamp's wall clock, in microseconds since 2000, and returns its offset as text.
func local(text []byte) (micros int64, offset []byte, p problem) {
	const day = len("yyyy-mm-ddT")
	clock := text[day:]
	if at := bytes.IndexAny(clock, "Z+-"); at >= 0 {
		clock, offset = clock[:at], clock[at:]
	}
	micros, p = readClock(clock)
	return micros + (readDay(text).Unix()-epoch)*second, offset, p
}

func timestamp(text []byte) (int64, problem) {
	micros, offset, problem := local(text)
	if problem == fits && offset != nil {
		problem = hasOffset
	}
	return micros, problem
}

func (c *column) addInstant(b *binarycopy.Buffer, text []byte) problem {
	at, problem := c.instant(text)
	switch {
	case problem != fits:
		return problem
	case c.min != nil && at < *c.min:
		return tooEarly
	case c.max != nil && at > *c.max:
		return tooLate
	}
	b.Int64(at)
	return fits
}

func (c *column) instant(text []byte) (int64, problem) {
	wall, offset, problem := local(text)
	switch {
	case problem != fits:
		return 0, problem
	case len(offset) == 1: // Z
		return wall, fits
	case offset != nil:
		east := int64(digitsAt(offset, 1, 2)*60 + digitsAt(offset, 4, 2))
		if offset[0] == '-' {
			east = -east
		}
		return wall - east*60*second, fits
	case c.zone == nil:
		return 0, noOffset
	}
	return inZone(wall, c.zone)
}

// inZone returns the instant at which the clocks of a zone show the wall time. Where they do so twice, it is the second time, in winter, as
// for PostgreSQL; where they never do, it is none.
func inZone(wall int64, zone *time.Location) (int64, problem) {
	seconds := wall/second + epoch
	if wall%second < 0 {
		seconds--
	}
	// The offset in force is one of those a day before and after it, whatever changes between them.
	at, found := int64(0), false
	for _, nearby := range [2]int64{seconds - daySeconds, seconds + daySeconds} {
		_, east := time.Unix(nearby, 0).In(zone).Zone()
		candidate := seconds - int64(east)
		if _, there := time.Unix(candidate, 0).In(zone).Zone(); there == east && (!found || candidate > at) {
			at, found = candidate, true
		}
	}
	if !found {
		return 0, skippedHour
	}
	return wall - (seconds-at)*second, fits
}

// readDuration reads -PT1H2M3.5S, in microseconds.
func readDuration(text []byte) (micros int64, p problem) {
	text, negative := bytes.CutPrefix(text, []byte("-"))
	text = text[len("PT"):]
	for len(text) > 0 && p == fits {
		n := bytes.IndexAny(text, "HMS")
		number, unit := text[:n], text[n]
		text = text[n+1:]
		whole, fraction, _ := bytes.Cut(number, []byte("."))
		value := int64(digitsAt(whole, 0, len(whole))) * second
		switch unit {
		case 'H':
			value *= 3600
		case 'M':
			value *= 60
		}
		var part int64
		part, p = readFraction(fraction)
		micros += value + part
	}
	if negative {
		micros = -micros
	}
	return micros, p
}
