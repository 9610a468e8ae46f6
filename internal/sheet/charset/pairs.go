package charset

import "unicode/utf8"

// bytePair is how often two bytes are neighbours.
type bytePair struct {
	left, right byte
	n           uint32
}

// pairCounts counts the pairs of neighbouring bytes of which at least one is beyond ASCII, by their left and right byte.
type pairCounts [1 << 16]uint32

func (c *pairCounts) add(b []byte) {
	last := byte('\n')
	for i, r := range b {
		if i > 0 {
			last = b[i-1]
		}
		if last >= utf8.RuneSelf || r >= utf8.RuneSelf {
			c[int(last)<<8|int(r)]++
		}
	}
}

// list returns the pairs that occur.
func (c *pairCounts) list() (pairs []bytePair) {
	for i, n := range c {
		if n > 0 {
			pairs = append(pairs, bytePair{byte(i >> 8), byte(i), n})
		}
	}
	return pairs
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
