package types

import (
	"fmt"
	"strconv"
)

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
