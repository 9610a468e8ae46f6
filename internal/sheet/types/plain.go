package types

import (
	"math"
	"math/bits"
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
