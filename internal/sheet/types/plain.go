package types

import (
	"math"
	"math/bits"
)

// plain is the fast way for the values that most columns of numbers and dates have: 1234, 12.5, 2024-01-31, 2024/01/31 10:20:30. It knows
// a value by the words of its text, and keeps the least and the greatest as integers. Only speed depends on which values go this way.
type plain struct {
	kind    plainKind
	between uint64 // a date's marks, as dateMarks has them
	digits  int    // how many significant digits the longest number has
	power   uint64 // the least number that has more
	// In units of 10^-plainPlaces, or as yyyymmddhhmmss. There was no value if least is the greater one.
	least, greatest uint64
}

// plainKind says which values can go the fast way.
type plainKind uint8

const (
	notPlain plainKind = iota
	plainInteger
	plainDecimal
	plainDate
	plainStamp
)

const (
	// plainPlaces is how many digits can stand behind the point in a text of eight bytes.
	plainPlaces = 7
	eightZeros  = 0x3030303030303030
)

func newPlain() plain { return plain{power: 1, least: math.MaxUint64} }

// turn chooses the fast way for a column with these candidates left: one on which values fit each of them and have no trait but those seen.
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

// add takes a value if it is a plain one.
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
	free := uint64(bits.LeadingZeros64(s.head)) &^ 7 // the bits of the bytes that it does not have
	text := s.head<<free | eightZeros&(1<<free-1)    // zeros before it, the last byte highest
	places := uint64(0)
	if other := otherThanDigits(text); other != 0 {
		at := uint64(bits.TrailingZeros64(other)) &^ 7
		if p.kind != plainDecimal || byte(text>>at) != '.' || at == 56 {
			return false
		}
		places = 7 - at/8
		text = text>>(at+8)<<(at+8) | (text&(1<<at-1))<<8 | '0' // closes the gap
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

// otherThanDigits has a bit set in the first byte that is no ASCII digit, counted from the lowest; of later ones it says nothing.
func otherThanDigits(text uint64) uint64 {
	return ((text + 0x4646464646464646) | (text - eightZeros)) & highBits
}

// eightDigits returns the value of eight ASCII digits, the first one lowest: neighbours are joined three times.
func eightDigits(text uint64) uint64 {
	const pairs = 0x000000ff000000ff
	text -= eightZeros
	text = text*10 + text>>8
	return ((text&pairs)*(100+1_000_000<<32) + (text>>16&pairs)*(1+10_000<<32)) >> 32
}
