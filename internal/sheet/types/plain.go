package types

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// plain is the fast path for the values of most number and date columns: 1234, 12.5, 2024-01-31, 2024/01/31 10:20:30.
// It recognises a value by the words of its text, and keeps the minimum and maximum as integers. The choice of path
// affects only speed.
type plain struct {
	kind    plainKind
	between uint64 // a date's separators, as in dateMarks
	digits  int    // number of significant digits of the longest number
	power   uint64 // the smallest number with more digits
	// In units of 10^-plainPlaces, or as yyyymmddhhmmss. There was no value if least > greatest.
	least, greatest uint64
}

// plainKind is the kind of values that take the fast path.
type plainKind uint8

const (
	notPlain plainKind = iota
	plainInteger
	plainDecimal
	plainDate
	plainStamp
)

const (
	// plainPlaces is how many digits can follow the point in a text of eight bytes.
	plainPlaces = 7
	eightZeros  = 0x3030303030303030
)

func newPlain() plain { return plain{power: 1, least: math.MaxUint64} }

// turn chooses the fast path for a column with the remaining candidates: one whose values fit each of these candidates
// and have only traits that were already seen.
func (p *plain) turn(watched set, seen trait) {
	const whole = integerPoint | integerComma | decimalPoint | decimalComma
	p.kind = notPlain
	switch {
	case watched == 0:
	case watched&^whole == 0 && seen&usual != 0:
		if p.kind = plainInteger; watched == decimalPoint {
			p.kind = plainDecimal
		}
	case watched&^(dateEvident|stampEvident) == 0 && seen&(dashSeen|slashSeen) != 0:
		p.kind = plainDate
		if p.between = dateSlashes; seen&dashSeen != 0 {
			p.between = dateDashes
		}
		if watched == stampEvident && seen&secondsSeen != 0 {
			p.kind = plainStamp
		}
	}
}

// add adds a value and reports true if it takes the fast path.
func (p *plain) add(s short) bool {
	switch p.kind {
	case plainInteger, plainDecimal:
		return s.tail == 0 && p.addNumber(s)
	case plainDate, plainStamp:
		day, ok := p.readDate(s)
		if ok {
			p.widen(day * dayUnit)
		}
		return ok
	}
	return false
}

func (p *plain) addNumber(s short) bool {
	free := uint64(bits.LeadingZeros64(s.head)) &^ 7 // the unused bits of the word
	text := s.head<<free | eightZeros&(1<<free-1)    // right-aligned: leading zeros, the last byte highest
	places := uint64(0)
	if other := otherThanDigits(text); other != 0 {
		at := uint64(bits.TrailingZeros64(other)) &^ 7
		if p.kind != plainDecimal || byte(text>>at) != '.' || at == 56 {
			return false
		}
		places = 7 - at/8
		text = text>>(at+8)<<(at+8) | (text&(1<<at-1))<<8 | '0' // removes the point and moves the digits before it up by one byte
		if otherThanDigits(text) != 0 {
			return false
		}
	}
	if byte(s.head) == '0' && free < 56 && byte(s.head>>8) != '.' {
		return false
	}
	value := eightDigits(text)
	for value >= p.power {
		p.digits++
		p.power *= 10
	}
	p.widen(value * powersOfTen[plainPlaces-places])
	return true
}

func (p *plain) widen(value uint64) {
	p.least = min(p.least, value)
	p.greatest = max(p.greatest, value)
}

// otherThanDigits returns a word with a bit set in the first byte that is not an ASCII digit, counted from the lowest;
// later bytes are undefined.
func otherThanDigits(text uint64) uint64 {
	return ((text + 0x4646464646464646) | (text - eightZeros)) & highBits
}

// eightDigits returns the value of eight ASCII digits, the first one in the lowest byte, by combining neighbours three
// times:
//
//	1 2 3 4 5 6 7 8 → 12 34 56 78 → 1234 5678 → 12345678
func eightDigits(text uint64) uint64 {
	const pairs = 0x000000ff000000ff
	text -= eightZeros
	text = text*10 + text>>8
	return ((text&pairs)*(100+1_000_000<<32) + (text>>16&pairs)*(1+10_000<<32)) >> 32
}

const (
	dateMarks   = 0xff0000ff << 32 // the bytes 4 and 7 of yyyy-mm-dd
	dateDashes  = 0x2d00002d << 32
	dateSlashes = 0x2f00002f << 32

	clockMarks  = 0x0000ff0000ff0000 // the bytes 2 and 5 of hh:mm:ss
	clockColons = 0x00003a00003a0000

	stampBytes = len("yyyy-mm-dd hh:mm:ss")
	dayUnit    = 1_000_000 // of yyyymmddhhmmss
)

// readDate reads yyyy-mm-dd.
func (p *plain) readDate(s short) (yyyymmdd uint64, ok bool) {
	text := s.head&(1<<32-1) | s.head>>8&(0xffff<<32) | s.tail<<48
	if s.head&dateMarks != p.between || s.tail>>16 != 0 || otherThanDigits(text) != 0 {
		return 0, false
	}
	yyyymmdd = eightDigits(text)
	return yyyymmdd, unpackDate(yyyymmdd).valid()
}

// addStamp takes yyyy-mm-dd hh:mm:ss, with a space or a T between.
func (p *plain) addStamp(text []byte) bool {
	if p.kind != plainStamp || len(text) != stampBytes || text[10] != ' ' && text[10] != 'T' {
		return false
	}
	day, ok := p.readDate(short{word(text), word(text[8:]) & (1<<16 - 1)})
	clock := word(text[11:])
	digits := clock&(1<<16-1) | clock>>8&(0xffff<<16) | clock>>16&(0xffff<<32) | eightZeros&(0xffff<<48)
	if !ok || clock&clockMarks != clockColons || otherThanDigits(digits) != 0 {
		return false
	}
	hhmmss := eightDigits(digits) / 100
	if hhmmss/10_000 > 23 || hhmmss/100%100 > 59 || hhmmss%100 > 59 {
		return false
	}
	p.widen(day*dayUnit + hhmmss)
	return true
}

func unpackDate(yyyymmdd uint64) date {
	return date{int(yyyymmdd / 10_000), int(yyyymmdd / 100 % 100), int(yyyymmdd % 100)}
}

// addTo adds the minimum and maximum to those of values that did not take the fast path.
func (p *plain) addTo(all *bounds, candidate set) {
	if p.least > p.greatest {
		return
	}
	for _, value := range []uint64{p.least, p.greatest} {
		text := plainText(value, candidate)
		var r reading
		r.read(text, candidate)
		all.add(r.value(candidate), text, candidate&numbers != 0)
	}
}

// plainText returns the text of a value that took the fast path.
func plainText(value uint64, candidate set) []byte {
	if candidate&numbers != 0 { // at most 15 digits, which a float holds exactly
		return strconv.AppendFloat(nil, float64(value)/float64(powersOfTen[plainPlaces]), 'f', -1, 64)
	}
	text := unpackDate(value / dayUnit).append(nil)
	if candidate&stamps != 0 {
		hhmmss := value % dayUnit
		text = fmt.Appendf(text, " %02d:%02d:%02d", hhmmss/10_000, hhmmss/100%100, hhmmss%100)
	}
	return text
}
