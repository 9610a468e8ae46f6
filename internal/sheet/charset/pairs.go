package charset

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// bytePair is how often two bytes are neighbours.
type bytePair struct {
	left, right byte
	n           uint32
}

// pairCounts counts the pairs of neighbouring bytes of which at least one is beyond ASCII, by their left and right byte.
type pairCounts struct {
	pairs  [1 << 16]uint32
	alone  [256]uint32 // bytes beyond ASCII without a letter or another such byte beside them
	inside [256]uint32 // those between two letters of ASCII
	second [256]uint32 // those between a capital and a small letter of ASCII
	powers [256]uint32 // those behind the metre of m² and m³
	bars   bars
}

// brokenBar is ¦ in windows-1252, with which programs separate cells.
const brokenBar = 0xA6

// bars tells whether each line has as many broken bars.
type bars struct {
	line, usual, lines int
	differ             bool
}

func (b *bars) endLine() {
	if b.lines == 0 {
		b.usual = b.line
	}
	b.differ = b.differ || b.line != b.usual
	b.line, b.lines = 0, b.lines+1
}

// pound and yen are £ and ¥ in windows-1252.
const pound, yen = 0xA3, 0xA5

// barsSeparate reports whether broken bars are a delimiter: on average each line but the first has one beside a digit, or the sign of a
// currency before digits, as no letter stands. The last line may have no end.
func (c *pairCounts) barsSeparate() bool {
	b := c.bars
	if b.lines <= 1 || b.usual <= 1 || b.differ || b.line != 0 && b.line != b.usual {
		return false
	}
	beside := 0
	for digit := '0'; digit <= '9'; digit++ {
		beside += int(c.pairs[int(digit)<<8|brokenBar] + c.pairs[brokenBar<<8|int(digit)])
		for _, sign := range []int{pound, yen} {
			beside += int(min(c.pairs[brokenBar<<8|sign], c.pairs[sign<<8|int(digit)]))
		}
	}
	return beside >= b.lines-1
}

func (c *pairCounts) add(b []byte) {
	first, before, last := byte('\n'), byte('\n'), byte('\n')
	for _, r := range b {
		if r == '\n' {
			c.bars.endLine()
		} else if r == brokenBar {
			c.bars.line++
		}
		if last >= utf8.RuneSelf || r >= utf8.RuneSelf {
			c.pairs[int(last)<<8|int(r)]++
			switch {
			case isApart(before) && isApart(r):
				c.alone[last]++
			case isLetter(before) && isLetter(r):
				c.inside[last]++
				if isUpper(before) && isLower(r) {
					c.second[last]++
				}
			case before == 'm' && isPower(last) && isApart(r) && r != '.' && (isApart(first) || strings.IndexByte(metres, first) >= 0):
				c.powers[last]++
			}
		}
		first, before, last = before, last, r
	}
}

// metres are the letters before the metre of units: cm³, Nm³.
const metres = "cdkmN"

// isPower reports whether a byte is ² or ³ in the encodings of Western Europe.
func isPower(c byte) bool { return c == 0xB2 || c == 0xB3 }

// isApart reports whether a byte is ASCII and no letter.
func isApart(c byte) bool { return c < utf8.RuneSelf && !isLetter(c) }

// list returns the pairs that occur.
func (c *pairCounts) list() (pairs []bytePair) {
	for i, n := range &c.pairs {
		if n > 0 {
			pairs = append(pairs, bytePair{byte(i >> 8), byte(i), n})
		}
	}
	return pairs
}

// isInside reports whether bytes beyond ASCII stand inside words: behind letters of ASCII, and before small ones.
func isInside(pairs []bytePair) bool {
	behind, before := false, false
	for _, p := range pairs {
		behind = behind || isLetter(p.left)
		before = before || isLower(p.right)
	}
	return behind && before
}

// isOneCharacter reports whether all bytes beyond ASCII are the same.
func isOneCharacter(pairs []bytePair) bool {
	first := byte(0)
	for _, p := range pairs {
		switch {
		case p.right < utf8.RuneSelf:
		case first == 0:
			first = p.right
		case p.right != first:
			return false
		}
	}
	return true
}

// isOfSigns reports whether the bytes beyond ASCII are few different ones, all of them signs in windows-1252, and none stands where only a
// letter can: between two letters, or right behind one though it opens something.
func (c *pairCounts) isOfSigns(pairs []bytePair) bool {
	var signs []byte
	for _, p := range pairs {
		switch {
		case p.right < utf8.RuneSelf:
		case westernKinds[p.right-utf8.RuneSelf] < symbol, c.standsInside(p.right), isLetter(p.left) && opens(p.right):
			return false
		case !slices.Contains(signs, p.right):
			signs = append(signs, p.right)
		}
	}
	return len(signs) <= fewSigns
}

// standsInside reports whether a sign stands between two letters, and is no delimiter.
func (c *pairCounts) standsInside(sign byte) bool {
	return c.inside[sign] > 0 && !(sign == brokenBar && c.barsSeparate())
}

// opens reports whether a byte is a sign in windows-1252 that stands before what it belongs to, behind a blank: • is the ò of DOS in però.
func opens(c byte) bool {
	return strings.ContainsRune("•—–“„‘‚«¡¿", windows1252.high[c-utf8.RuneSelf])
}

// agree reports whether both encodings have the same text of the bytes.
func agree(a, b Encoding, pairs []bytePair) bool {
	one, single := a.(*singleByte)
	two, too := b.(*singleByte)
	if !single || !too {
		return false
	}
	for _, p := range pairs {
		if p.right >= utf8.RuneSelf && one.high[p.right-utf8.RuneSelf] != two.high[p.right-utf8.RuneSelf] {
			return false
		}
	}
	return true
}
