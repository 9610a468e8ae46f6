package charset

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"
)

// Sample is a part of a text.
type Sample struct {
	Bytes []byte // begins at an even offset, otherwise UTF-16 is not detected
	Head  bool   // it begins at a character boundary
	Tail  bool   // it ends at the end of the text
}

// Decision is the result of a Detector.
type Decision struct {
	Encoding   Encoding
	Confidence float64 // 0.5–1: the lead over the next best one, less the share of characters it cannot decode; at most 0.75 for strange text
	Found      bool    // false if the samples are ASCII, which every encoding can decode; Encoding is then UTF8
	// the next best encoding whose text would be another; nil if none was compared
	Rival Encoding
}

// Sure reports whether further samples can hardly change the decision.
func (d Decision) Sure() bool { return d.Found && d.Confidence >= sureConfidence }

// Detector decides between the encodings of a text without a byte order mark, from samples of it. The order of the
// samples does not matter.
//
// NULs in the positions where UTF-16 has them indicate UTF-16, as do other control characters, or text of nearly
// nothing but kana and common kanji, if all of it is in one of the larger scripts. Escape sequences that designate a
// Japanese set indicate ISO-2022-JP, and bytes that are valid UTF-8, except for a few, indicate UTF-8. Otherwise the
// text is decoded in each of the remaining encodings, and the least surprising result wins. Surprise is measured in
// bits, like the length of a code for such texts: few for ひらがな, kanji of everyday use and accented letters inside
// words, many for rare kanji, symbols and letters with unusual neighbours, most for invalid bytes. For example, the
// CP932 bytes of 東京 cost 2 × 10 bits as common kanji; as windows-1252 they are the symbols and capitals of "“Œ‹ž",
// which cost more.
//
// Undecidable are: two or three half-width katakana alone, or a single accented capital or symbol between delimiters,
// which can be mistaken for each other; and a few characters of UTF-16 without a single delimiter, line end, blank or
// digit.
type Detector struct {
	found   bool // more than ASCII
	utf16   utf16Evidence
	iso2022 iso2022Evidence
	utf8    evidence
	// The encodings in which the text is decoded, the more likely first in case of a tie.
	cp932, eucJP, windows1252, gb18030, big5, eucKR evidence

	pairs   *pairCounts // of the samples that may be in a single-byte encoding
	unicode bool        // a sample is UTF-8 with so much beyond ASCII that the text is in none of the rarer encodings
	evident [][]byte    // the samples, as long as each of them is such a one: they are compared with other encodings when one is not
}

// Detect decides from samples.
func Detect(samples ...Sample) Decision {
	var d Detector
	for _, s := range samples {
		d.Add(s)
	}
	return d.Decide()
}

// Add adds a sample to the evidence. Its bytes must stay as they are until the last sample is added.
func (d *Detector) Add(s Sample) {
	d.utf16.add(s.Bytes)
	d.iso2022.add(s.Bytes)
	if IsASCII(s.Bytes) {
		return
	}
	b, evident := s.characters(), d.found == (len(d.evident) > 0) // all samples before it are, if there are any
	unicode := isUnicode(b)
	d.found, d.unicode, d.evident = true, d.unicode || unicode, append(d.evident, b)
	if evident && unicode {
		return
	}
	for _, b := range d.evident {
		d.compare(b)
	}
	d.evident = nil
}

// compare adds a sample to the evidence for each encoding.
func (d *Detector) compare(b []byte) {
	d.utf8.addUTF8(b)
	d.cp932.addCP932(b)
	d.eucJP.addEUCJP(b)
	d.windows1252.addWindows1252(b)
	if d.unicode {
		return
	}
	d.gb18030.addGB18030(b)
	d.big5.addBig5(b)
	d.eucKR.addEUCKR(b)
	if d.pairs == nil {
		d.pairs = new(pairCounts)
	}
	d.pairs.add(b)
}

// isUnicode reports whether the sample is UTF-8 and has more than a few characters that show it.
func isUnicode(b []byte) bool {
	return utf8.Valid(b) && len(b)-utf8.RuneCount(b) >= evidentUTF8
}

// Decide returns the decision from the samples so far.
func (d *Detector) Decide() Decision {
	if enc, lead := d.utf16.decide(); enc != nil {
		return Decision{Encoding: enc, Confidence: confidence(lead), Found: true}
	}
	if lead := d.iso2022.lead(); lead > 0 {
		return Decision{Encoding: ISO2022JP, Confidence: confidence(lead), Found: true}
	}
	if !d.found || len(d.evident) > 0 {
		return Decision{Encoding: UTF8, Confidence: 1, Found: d.found}
	}
	candidates, pairs := d.candidates()
	best, rival := candidates[0], candidate{}
	lead := math.MaxInt
	for _, c := range candidates[1:] {
		if l := c.bits + c.rare/2 - best.bits - best.rare/2; l < lead && !agree(best.Encoding, c.Encoding, pairs) {
			lead, rival = l, c
		}
	}
	sure := confidence(lead)
	if _, single := best.Encoding.(*singleByte); single && best.isStrange() {
		sure = min(sure, strangeConfidence)
	}
	return Decision{best.Encoding, max(leastConfidence, sure*best.share()), true, rival.Encoding}
}

// candidate is an encoding that the text may be in.
type candidate struct {
	Encoding
	evidence
	rare int // bits that it has to lead by, because few files have it; half of them count for how sure a decision is
}

// candidates returns the encodings that the text may be in, the best one first, and the pairs of bytes by which those of single bytes
// were compared.
func (d *Detector) candidates() ([]candidate, []bytePair) {
	list := []candidate{{UTF8, d.utf8, 0}, {CP932, d.cp932, 0}, {EUCJP, d.eucJP, 0}, {Windows1252, d.windows1252, 0}}
	if d.utf8.fits() {
		return list, nil
	}
	var pairs []bytePair
	if !d.unicode {
		rare := otherCJKEncodingBits
		if d.pairs.barsSeparate() { // ¦C is 列 in Big5
			rare *= 2
		}
		list = append(list,
			candidate{GB18030, d.gb18030, rare + d.gb18030.signsAlone()},
			candidate{Big5, d.big5, rare + d.big5.signsAlone()},
			candidate{EUCKR, d.eucKR, rare + d.eucKR.signsAlone()})
		pairs = d.pairs.list()
		list = append(list, d.pairs.languageCandidates(pairs)...)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.bits + a.rare - b.bits - b.rare })
	return list, pairs
}

// languageCandidates returns the single-byte encodings, each with the language that fits best. An old one needs more than a single
// character or a few signs, or one that stands inside words: µ, ° and ® in a table are Á, ░ and « in one of them.
func (c *pairCounts) languageCandidates(pairs []bytePair) (list []candidate) {
	known := models()
	if !(isOneCharacter(pairs) && !isInside(pairs) || c.isOfSigns(pairs)) {
		known = slices.Concat(known, oldModels())
	}
	for _, m := range known {
		e := m.evidence(c, pairs)
		if n := len(list); n == 0 || list[n-1].Encoding != Encoding(m.enc) {
			list = append(list, candidate{m.enc, e, m.rare})
		} else if e.bits < list[n-1].bits {
			list[n-1].evidence = e
		}
	}
	return list
}

// confidence converts a lead in bits into a number from 0.5 to 1.
func confidence(lead int) float64 { return 1 - math.Exp2(-1-float64(max(lead, 0))/dependence) }

// characters removes what may be part of a character: the bytes before the first and after the last byte below 0x40,
// which is a whole character in every encoding here.
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
