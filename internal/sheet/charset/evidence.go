package charset

import "unicode/utf8"

// evidence is about the non-ASCII part of a text decoded in one encoding.
type evidence struct {
	good, bad int // characters, and invalid bytes
	bits      int // how surprising they are
	symbols   int // the characters that are no letters, in encodings of single bytes, Chinese and Korean
}

// fits allows for a few invalid bytes.
func (e *evidence) fits() bool { return e.bad*goodPerBad <= e.good }

// isStrange reports whether the letters of a text in single bytes surprise more than those of any language in its encoding do.
func (e *evidence) isStrange() bool {
	letters := e.good - e.symbols
	return letters >= fewLetters && e.bits-e.symbols*symbolBits > strangeLetterBits*letters
}

// share returns the share of the text that can be decoded.
func (e *evidence) share() float64 { return float64(e.good) / float64(max(1, e.good+e.bad)) }

// signsAlone returns the bits that a Chinese or Korean text without a single character of words surprises by, besides: °C in some
// encodings is a full stop.
func (e *evidence) signsAlone() int {
	if e.symbols < e.good {
		return 0
	}
	return e.good * otherCJKBits
}

func (e *evidence) addGood(bits int) {
	e.good++
	e.bits += bits
}

func (e *evidence) addBad() {
	e.bad++
	e.bits += badBits
}

func (e *evidence) addUTF8(b []byte) {
	for i := asciiLen(b); i < len(b); i += asciiLen(b[i:]) {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			e.addBad()
		} else {
			e.addGood(utf8Bits + utf8ByteBits*n)
		}
		i += n
	}
}

func (e *evidence) addCP932(b []byte) {
	pairs := cp932Pairs()
	e.addJapanese(b, func(b []byte) (rune, int) {
		if b[0] == 0x80 { // a control character
			return 0, 0
		}
		return pairs.decode(b)
	})
}

func (e *evidence) addEUCJP(b []byte) { e.addJapanese(b, jisSets().decode) }

// addJapanese adds the runs of non-ASCII characters of what may be Japanese.
func (e *evidence) addJapanese(b []byte, decode func([]byte) (rune, int)) {
	e.addRuns(b, decode, &japaneseRun{evidence: e})
}

func (e *evidence) addGB18030(b []byte) {
	e.addRuns(b, gb18030.table().decode, &cjkRun{e, simplified()})
}

func (e *evidence) addBig5(b []byte) { e.addRuns(b, big5.table().decode, &cjkRun{e, traditional()}) }

func (e *evidence) addEUCKR(b []byte) { e.addRuns(b, eucKR.table().decode, &cjkRun{e, hangul()}) }

// run is a run of non-ASCII characters.
type run interface {
	begin()
	add(r rune)
	bad() // an invalid byte follows
	end()
}

// addRuns adds the runs of non-ASCII characters.
func (e *evidence) addRuns(b []byte, decode func([]byte) (rune, int), run run) {
	for i := asciiLen(b); i < len(b); i += asciiLen(b[i:]) {
		run.begin()
		if i > 0 && isLetter(b[i-1]) {
			e.bits += strangeBits
		}
		for i < len(b) && b[i] >= utf8.RuneSelf {
			r, n := decode(b[i:])
			if n == 0 {
				e.addBad()
				run.bad()
				i++
				continue
			}
			if b[i+n-1] < utf8.RuneSelf {
				e.bits -= asciiBits
			}
			run.add(r)
			i += n
		}
		run.end()
		if i < len(b) && isLetter(b[i]) {
			e.bits += strangeBits
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
