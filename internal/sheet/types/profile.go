package types

import (
	"bytes"
	"math"
	"math/bits"
	"unicode/utf8"

	"sheetdrop/internal/sheet/types/distinct"
)

const (
	maxExamples = 5
	// shownBytes is how many bytes of a text reports include.
	shownBytes = 64
)

// profile is what is known about a column's values as texts.
type profile struct {
	distinct distinct.Counter
	examples []string
	longest  int // in characters

	examplesKept int // the maximum

	least    extreme
	greatest extreme
}

// extreme is the first or last text in the order of bytes, as far as it is shown.
type extreme struct {
	high, low uint64 // its first sixteen bytes, which compare like the text
	text      []byte
}

func newProfile() profile {
	return profile{examplesKept: maxExamples, least: extreme{high: math.MaxUint64, low: math.MaxUint64}}
}

// addFew adds a value while distinct values are counted exactly, and reports whether that has just ended.
func (p *profile) addFew(hash uint64, text []byte) bool {
	if p.distinct.AddExact(hash) && len(p.examples) < p.examplesKept {
		p.examples = append(p.examples, shown(text))
	}
	return p.distinct.Sketch() != nil
}

// isExtreme reports whether a text with this beginning may be the first or the last one.
func (p *profile) isExtreme(high, low uint64) bool {
	return high < p.least.high || high == p.least.high && low <= p.least.low ||
		high > p.greatest.high || high == p.greatest.high && low >= p.greatest.low
}

// stretch adds a text that may be the longest, the first or the last one.
func (p *profile) stretch(text []byte, high, low uint64) {
	if len(text) > p.longest {
		p.longest = max(p.longest, characters(text))
	}
	text = text[:min(len(text), shownBytes+1)] // one byte more than is shown, to see where the last character ends
	for _, e := range []struct {
		*extreme
		sign int
	}{{&p.least, -1}, {&p.greatest, +1}} {
		if e.text == nil || bytes.Compare(text, e.text) == e.sign {
			e.high, e.low = high, low
			e.extreme.text = append(e.extreme.text[:0], text...)
		}
	}
}

// characters counts the characters of a UTF-8 text, which are the bytes other than continuation bytes, eight at a time.
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

// shown truncates a text for a report, between characters.
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
