package charset

import (
	"bytes"
	"math"
	"slices"
)

// Sample is a piece of a text.
type Sample struct {
	Bytes []byte // begins at an even offset, or UTF-16 is not seen
	Head  bool   // it begins where a character does
	Tail  bool   // it ends where the text does
}

// Decision is what a Detector decided.
type Decision struct {
	Encoding   Encoding
	Confidence float64 // 0.5–1: how far the encoding is ahead of the next best one, less the share of the characters that it cannot read
	Found      bool    // false where the samples are ASCII, which every encoding can be; Encoding is then UTF8
}

// Sure reports whether more samples can hardly change the decision.
func (d Decision) Sure() bool { return d.Found && d.Confidence >= sureConfidence }

// Detector decides between the encodings that have no byte order mark, on samples of one text. The same samples give the same decision in
// any order.
//
// NULs in the places where UTF-16 has them make UTF-16, and so do other control characters, or nearly nothing but kana and common kanji,
// where all of it is in one of the greater scripts; escape sequences that choose a Japanese set make ISO-2022-JP, and bytes that are
// valid UTF-8, but for a few, make UTF-8. Between the others a text is read in each, and the reading that is the least surprising wins.
// Surprise is counted in bits, as what a code made for such texts would need: few for ひらがな, kanji of everyday use and accented letters
// within words, many for rare kanji, symbols and letters in odd company, most for bytes that are no text.
//
// What is left open: two or three katakana of half width alone, or a single accented capital or symbol between delimiters, can be taken
// for each other; and a few characters of UTF-16 without a single delimiter, line end, blank or digit are not seen.
type Detector struct {
	found   bool // more than ASCII
	utf16   utf16Evidence
	iso2022 iso2022Evidence
	utf8    evidence
	// The encodings to read the text in, the likelier first where the evidence is the same.
	cp932, eucJP, windows1252 evidence
}

// Detect decides on samples.
func Detect(samples ...Sample) Decision {
	var d Detector
	for _, s := range samples {
		d.Add(s)
	}
	return d.Decide()
}

// Add takes a sample into account.
func (d *Detector) Add(s Sample) {
	d.utf16.add(s.Bytes)
	d.iso2022.add(s.Bytes)
	if IsASCII(s.Bytes) {
		return
	}
	d.found = true
	b := s.characters()
	d.utf8.addUTF8(b)
	d.cp932.addCP932(b)
	d.eucJP.addEUCJP(b)
	d.windows1252.addWindows1252(b)
}

// Decide returns the decision on the samples so far.
func (d *Detector) Decide() Decision {
	if enc, lead := d.utf16.decide(); enc != nil {
		return Decision{enc, confidence(lead), true}
	}
	if lead := d.iso2022.lead(); lead > 0 {
		return Decision{ISO2022JP, confidence(lead), true}
	}
	if !d.found {
		return Decision{UTF8, 1, false}
	}
	type candidate struct {
		Encoding
		evidence
	}
	candidates := []candidate{{UTF8, d.utf8}, {CP932, d.cp932}, {EUCJP, d.eucJP}, {Windows1252, d.windows1252}}
	if !d.utf8.fits() {
		slices.SortStableFunc(candidates, func(a, b candidate) int { return a.bits - b.bits })
	}
	best := candidates[0]
	lead := math.MaxInt
	for _, c := range candidates[1:] {
		lead = min(lead, c.bits-best.bits)
	}
	return Decision{best.Encoding, max(leastConfidence, confidence(lead)*best.share()), true}
}

// confidence turns a lead in bits into a number from 0.5 to 1.
func confidence(lead int) float64 { return 1 - math.Exp2(-1-float64(max(lead, 0))/dependence) }

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
