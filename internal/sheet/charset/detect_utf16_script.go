package charset

import "unicode/utf16"

// scriptEvidence is the evidence for UTF-16 without zero bytes in the positions where ASCII has them: text in one
// script, with hardly a blank or a digit. Some of its bytes are characters that single-byte text does not have.
type scriptEvidence struct {
	known       int // units of the expected scripts and signs, including those of surrogate pairs
	kana        int
	kanji       int
	commonKanji int
	pictures    int  // units of surrogate pairs that are emoji
	last        rune // if it is the first of a surrogate pair
}

func (e *scriptEvidence) add(r rune) {
	last := e.last
	e.last = 0
	switch {
	case utf16.IsSurrogate(r):
		if r < 0xDC00 {
			e.last = r
		} else if last != 0 {
			e.known += 2
			if last >= 0xD83C && last <= 0xD83E {
				e.pictures += 2
			}
		}
	case r >= 0x3041 && r <= 0x30FE, isHalfKatakana(r):
		e.known++
		e.kana++
	case isKanji(r):
		e.known++
		e.kanji++
		if isCommonKanji()[r-0x4E00] {
			e.commonKanji++
		}
	case isOfOtherScript(r):
		e.known++
	}
}

// isOfOtherScript distinguishes letters and signs that tables contain from what pairs of bytes look like.
func isOfOtherScript(r rune) bool {
	switch {
	case r == '\n', r == '\r', r == '\t', r >= 0x20 && r < 0x7F, r >= 0xA0 && r < 0x180: // Latin
		return true
	case r >= 0x370 && r < 0x530, r >= 0x590 && r < 0x700, r >= 0xE01 && r < 0xE5C: // Greek, Cyrillic, Hebrew, Arabic, Thai
		return true
	case r >= 0x3000 && r <= 0x3011, r >= 0xFF01 && r <= 0xFF5E, r >= 0xAC00 && r <= 0xD7A3: // full-width, Hangul
		return true
	}
	return r >= 0x2010 && r <= 0x203B || r >= 0x2600 && r < 0x27C0 || r == 0x200D || r == 0xFE0F // signs
}

// fits reports whether the units are text in a script, given the numbers of control characters and non-ASCII bytes.
// Pairs of ASCII letters look like rare kanji, those of kanji in other encodings like Hangul.
func (e *scriptEvidence) fits(units, control, high int) bool {
	if (units-e.known)*unitsPerUnknown > units || e.kanji*2 > units && e.commonKanji*kanjiPerCommon < e.kanji {
		return false
	}
	japanese := (units-e.kana-e.commonKanji)*unitsPerOther <= units && high*unitsPerStrange >= units && units >= evidentUnits
	return control >= evidentControls && control*unitsPerStrange >= units || japanese || e.pictures*unitsPerPicture >= units
}

// decideByScript returns nil if the text is not UTF-16 in one script.
func (e *utf16Evidence) decideByScript() (enc Encoding, lead int) {
	n, m := e.little.script, e.big.script
	little, big := n.fits(e.units, e.control, e.high), m.fits(e.units, e.control, e.high)
	lead = unitBits * (n.known + n.commonKanji - m.known - m.commonKanji)
	switch {
	case little && (!big || lead > 0):
		return UTF16LE, max(lead, unitBits)
	case big && (!little || lead < 0):
		return UTF16BE, max(-lead, unitBits)
	}
	return nil, 0
}
