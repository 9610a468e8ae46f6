package csv

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes are processed as one word. The sums below stay within their bytes (0x7F + 0x7F < 0x100), so a mark never
// carries over.
//
// For example, with the delimiter ',' the word a,b<CR><LF>123, whose bytes are written here in the order of the text,
// results in the marks
//
//	text   a  ,  b  CR LF 1  2  3
//	marks  00 80 00 80 80 00 00 00
//
// and firstMark returns 1, the index of the delimiter.
const (
	low7  = 0x7f7f7f7f7f7f7f7f
	high  = 0x8080808080808080
	ones  = 0x0101010101010101
	upto0 = (0x80 - 0x0E) * ones // added to a byte of seven bits, it sets the eighth for 0x0E and above
)

// pattern returns a word that repeats the byte eight times.
func pattern(c byte) uint64 { return uint64(c) * ones }

// word returns the first eight bytes, the first one lowest.
func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// marks sets the highest bit of each byte of the word that is below 0x0E, as line ends are, or is pat's byte.
func marks(x, pat uint64) uint64 {
	y := x ^ pat
	return ^(((x&low7 + upto0) | x) & ((y&low7 + low7) | y)) & high
}

// firstMark returns the index of the first marked byte.
func firstMark(m uint64) int { return bits.TrailingZeros64(m) >> 3 }
