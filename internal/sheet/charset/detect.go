package charset

import (
	"bytes"
	"unicode/utf8"
)

// Sample is a piece of a text.
type Sample struct {
	Bytes []byte
	Head  bool // it begins where a character does
	Tail  bool // it ends where the text does
}

// Detect decides between the encodings that have no byte order mark, on samples of one text. found is false where the samples are ASCII,
// which every encoding can be; the answer is then UTF-8.
func Detect(samples ...Sample) (enc Encoding, found bool) {
	var asUTF8, asCP932 tally
	for _, s := range samples {
		b := s.characters()
		asUTF8.add(b, decodeUTF8)
		asCP932.add(b, cp932Pairs().decode)
	}
	switch {
	case asUTF8.good+asUTF8.bad == 0:
		return UTF8, false
	case asUTF8.fits():
		return UTF8, true
	case asCP932.fits() || asCP932.bad < asUTF8.bad:
		return CP932, true
	}
	return UTF8, true
}

// characters leaves out what may be a part of a character: the bytes before the first and after the last byte below 0x40, which is a
// character of its own in every encoding here.
func (s Sample) characters() []byte {
	low := func(c rune) bool { return c < 0x40 }
	b := s.Bytes
	if !s.Head {
		b = b[max(0, bytes.IndexFunc(b, low)):]
	}
	if !s.Tail {
		b = b[:bytes.LastIndexFunc(b, low)+1]
	}
	return b
}

// tally counts what stands beside ASCII in a text read as one encoding.
type tally struct{ good, bad int }

// fits allows for a few broken bytes: an encoding read as another one fails more often than one time in ten.
func (t tally) fits() bool { return t.bad*10 <= t.good }

func (t *tally) add(b []byte, decode func([]byte) (rune, int)) {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		_, n := decode(b)
		if n == 0 {
			t.bad++
			n = 1
		} else {
			t.good++
		}
		b = b[n:]
	}
}

func decodeUTF8(b []byte) (rune, int) {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 {
		return 0, 0
	}
	return r, n
}
