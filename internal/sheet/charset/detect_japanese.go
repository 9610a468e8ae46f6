package charset

import "strings"

// japaneseRun is a run of non-ASCII characters in what may be Japanese.
type japaneseRun struct {
	*evidence
	last   rune // 0 at the start, and after an invalid byte
	length int
	kanji  int // in a row up to last
}

func (j *japaneseRun) add(r rune) {
	bits := japaneseBits(r)
	half, lastHalf := isHalfKatakana(r), isHalfKatakana(j.last)
	switch {
	case half:
		bits += voicingBits(r, j.last)
		if j.last != 0 && !lastHalf {
			bits += strangeBits
		}
	case lastHalf:
		bits += strangeBits
	}
	if !isKanji(r) {
		j.kanji = 0
	} else if j.kanji++; j.kanji > longKanji {
		bits += strangeBits / 2
	}
	j.addGood(bits)
	j.last = r
	j.length++
}

func (j *japaneseRun) begin() { *j = japaneseRun{evidence: j.evidence} }

func (j *japaneseRun) bad() { j.last = 0 }

// end counts a single half-width katakana as unusual.
func (j *japaneseRun) end() {
	if j.length == 1 && isHalfKatakana(j.last) {
		j.bits += 2 * strangeBits
	}
}

// japaneseBits returns the surprise of a character in Japanese text.
func japaneseBits(r rune) int {
	switch {
	case r >= 0x3041 && r <= 0x3096: // hiragana
		return hiraganaBits
	case r >= 0x30A1 && r <= 0x30FE: // katakana
		return katakanaBits
	case isHalfKatakana(r):
		return halfKatakanaBits
	case r >= 0x3000 && r <= 0x3015, r >= 0xFF01 && r <= 0xFF5E: // full-width punctuation and Latin
		return fullWidthBits
	case isKanji(r) && isCommonKanji()[r-0x4E00]:
		return commonKanjiBits
	case isKanji(r):
		return kanjiBits
	case r >= 0xE000 && r <= 0xF8FF: // user-defined
		return userDefinedBits
	}
	return otherJapaneseBits
}

func isHalfKatakana(r rune) bool { return r >= '｡' && r <= 'ﾟ' }

// voicingBits returns the additional surprise of a half-width katakana after last: a voicing mark follows only some of
// them, and small ones, the long mark and ﾝ do not begin a word.
func voicingBits(r, last rune) int {
	switch {
	case r == 'ﾞ':
		if strings.ContainsRune("ｳｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾊﾋﾌﾍﾎ", last) {
			return -voicedBits
		}
		return 2 * strangeBits
	case r == 'ﾟ':
		if strings.ContainsRune("ﾊﾋﾌﾍﾎ", last) {
			return -voicedBits
		}
		return 2 * strangeBits
	case r <= '･' || r == 'ｦ':
		return markBits
	case r <= 'ｰ' || r == 'ﾝ': // small ones, the long mark
		if !isHalfKatakana(last) || last <= '･' {
			return strangeBits
		}
	}
	return 0
}
