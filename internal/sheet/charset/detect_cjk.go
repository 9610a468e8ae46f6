package charset

import "sync"

// cjkRun is a run of non-ASCII characters in what may be Chinese or Korean.
type cjkRun struct {
	*evidence
	*script
}

// script is what Chinese and Korean texts are made of.
type script struct {
	common, usual                      *runeSet // common ones are usual, too
	commonBits, usualBits, unusualBits int
}

var (
	simplified = sync.OnceValue(func() *script {
		return &script{newRuneSet(simplifiedCharacters), gb18030.rows(0xB0, 0xD7), commonHanziBits, hanziBits, rareHanziBits}
	})
	traditional = sync.OnceValue(func() *script {
		return &script{newRuneSet(traditionalCharacters), big5.rows(0xA4, 0xC6), commonHanziBits, hanziBits, rareHanziBits}
	})
	hangul = sync.OnceValue(func() *script {
		return &script{newRuneSet(hangulSyllables), eucKR.rows(0xB0, 0xC8), commonHangulBits, hangulBits, rareHangulBits}
	})
)

// rows returns the characters whose first byte is in a range, in EUC-KR and GB18030 those of the older standards with 94 to a row. Each
// of these rows has the usual characters of its standard.
func (e *doubleByte) rows(first, last int) *runeSet {
	var s runeSet
	t := e.table()
	for lead := first; lead <= last; lead++ {
		for trail := 0x40; trail <= 0xFE; trail++ {
			if e == big5 || trail > 0xA0 {
				s.add(t.pairs[(lead-0x81)<<8|trail])
			}
		}
	}
	return &s
}

func (c *cjkRun) begin() {}

func (c *cjkRun) bad() {}

func (c *cjkRun) end() {}

func (c *cjkRun) add(r rune) {
	switch {
	case c.common.has(r):
		c.addGood(c.commonBits)
	case r >= 0x3000 && r <= 0x3015, r >= 0xFF01 && r <= 0xFF5E, r == '“', r == '”', r == '—', r == '·':
		c.addGood(fullWidthBits)
		c.symbols++
	case r >= 0x3041 && r <= 0x30FE: // kana
		c.addGood(otherCJKBits)
	case c.usual.has(r):
		c.addGood(c.usualBits)
	case isKanji(r), r >= 0xAC00 && r <= 0xD7A3:
		c.addGood(c.unusualBits)
	case r >= 0xE000 && r <= 0xF8FF:
		c.addGood(userDefinedBits)
	default:
		c.addGood(otherCJKBits)
		c.symbols++
	}
}
