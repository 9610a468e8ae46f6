package charset

import "strings"

// japaneseRun is a run of characters beyond ASCII in what may be Japanese.
type japaneseRun struct {
	*evidence
	last   rune // 0 at the start, and after a byte that is no text
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

// end takes a single katakana of half width for odd.
func (j *japaneseRun) end() {
	if j.length == 1 && isHalfKatakana(j.last) {
		j.bits += strangeBits
	}
}

// japaneseBits is the surprise at a character of Japanese text.
func japaneseBits(r rune) int {
	switch {
	case r >= 0x3041 && r <= 0x3096: // hiragana
		return hiraganaBits
	case r >= 0x30A1 && r <= 0x30FE: // katakana
		return katakanaBits
	case isHalfKatakana(r):
		return halfKatakanaBits
	case r >= 0x3000 && r <= 0x3015, r >= 0xFF01 && r <= 0xFF5E: // punctuation and Latin of full width
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

// voicingBits is what the place after last adds to a katakana of half width: a voicing mark belongs to few others, and small
// ones, the long mark and ﾝ begin no word.
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
