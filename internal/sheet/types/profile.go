package types

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"
)

const (
	maxExamples = 5
	// shownBytes is how much of a text reports show.
	shownBytes = 64
)

// profile is what is known of a column's values as texts.
type profile struct {
	distinct distinct
	examples []string
	longest  int // in characters
	least    extreme
	greatest extreme
}

// extreme is the first or last text in the order of bytes, as far as it is shown.
type extreme struct {
	key  uint64 // its first eight bytes
	text []byte
}

// addShort takes a text of up to shortBytes bytes.
func (p *profile) addShort(s short) {
	if p.distinct.add(s.hash()) && len(p.examples) < maxExamples {
		var buffer [shortBytes]byte
		p.showExample(s.text(buffer[:0]))
	}
	if n := s.length(); n > p.longest {
		var buffer [shortBytes]byte
		p.longest = max(p.longest, characters(s.text(buffer[:0])))
	}
	if k := bits.ReverseBytes64(s.head); k <= p.least.key || k >= p.greatest.key {
		var buffer [shortBytes]byte
		p.widen(s.text(buffer[:0]), k)
	}
}

// addLong takes a text of more than shortBytes bytes.
func (p *profile) addLong(text []byte) {
	if p.distinct.add(hashLong(text)) {
		p.showExample(text)
	}
	if len(text) > p.longest {
		p.longest = max(p.longest, characters(text))
	}
	p.widen(text, binary.BigEndian.Uint64(text))
}

func (p *profile) showExample(text []byte) {
	if len(p.examples) < maxExamples {
		p.examples = append(p.examples, shown(text))
	}
}

// widen takes a text whose first eight bytes are a key that sorts like them.
func (p *profile) widen(text []byte, k uint64) {
	if k <= p.least.key {
		p.least.take(k, text, -1)
	}
	if k >= p.greatest.key {
		p.greatest.take(k, text, +1)
	}
}

// take takes a text that is below the extreme (sign −1) or above it (sign +1). It keeps a byte more than is shown, to see where the last
// character ends.
func (e *extreme) take(k uint64, text []byte, sign int) {
	if k == e.key && len(text) == len(e.text) && len(text) <= 8 {
		return
	}
	text = text[:min(len(text), shownBytes+1)]
	if e.text == nil || bytes.Compare(text, e.text) == sign {
		e.key = k
		e.text = append(e.text[:0], text...)
	}
}

// characters counts the characters of a UTF-8 text: the bytes that do not continue one, eight at a time.
func characters(text []byte) int {
	n := len(text)
	for ; len(text) >= 8; text = text[8:] {
		w := word(text)
		n -= bits.OnesCount64(w & ^(w << 1) & highBits)
	}
	for _, c := range text {
		if c&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// shown cuts a text for people, between characters.
func shown(text []byte) string {
	if len(text) <= shownBytes {
		return string(text)
	}
	n := shownBytes
	for n > shownBytes-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return string(text[:n])
}

func newProfile() profile { return profile{least: extreme{key: math.MaxUint64}} }
