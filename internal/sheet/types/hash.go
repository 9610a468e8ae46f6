package types

import (
	"encoding/binary"
	"math/bits"
)

const highBits = 0x8080808080808080

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func halfWord(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) }

// The constants are the first fractional bits of the square roots of 2, 3 and 5, made odd if they were even:
// nothing-up-my-sleeve numbers. They must never change, so that a file always results in the same estimate.
const (
	seedA = 0x6a09e667f3bcc909
	seedB = 0xbb67ae8584caa73b
	seedC = 0x3c6ef372fe94f82b
)

// shortBytes is the length of the longest text that fits into a short.
const shortBytes = 16

// short is a text of up to shortBytes bytes, none of them zero, followed by zeros. The first byte is the lowest of
// head:
//
//	"2024-01-31 10" = head '2'<<0 | '0'<<8 | … | '1'<<48 | '-'<<56, tail '3'<<0 | '1'<<8 | ' '<<16 | '1'<<24 | '0'<<32
type short struct{ head, tail uint64 }

// makeShort returns the short of a text of 1 to shortBytes bytes.
func makeShort(text []byte) short {
	if len(text) <= 8 {
		return short{head: headOf(text)}
	}
	return short{word(text), tailOf(text)}
}

// tailOf returns the bytes after the first eight of a text of 9 to 16.
func tailOf(text []byte) uint64 { return word(text[len(text)-8:]) >> (8 * (16 - uint(len(text))) % 64) }

// headOf returns the bytes of a text of 1 to 8, read as overlapping parts.
func headOf(text []byte) uint64 {
	n := uint(len(text))
	if n >= 4 {
		return halfWord(text) | halfWord(text[n-4:])<<(8*n-32)
	}
	return uint64(text[0]) | uint64(text[n/2])<<(n/2*8) | uint64(text[n-1])<<(8*n-8)
}

// length returns the length of the text in bytes.
func (s short) length() int {
	if s.tail != 0 {
		return 8 + (bits.Len64(s.tail)+7)/8
	}
	return (bits.Len64(s.head) + 7) / 8
}

// text appends the text to dst.
func (s short) text(dst []byte) []byte {
	n := len(dst) + s.length()
	dst = binary.LittleEndian.AppendUint64(dst, s.head)
	return binary.LittleEndian.AppendUint64(dst, s.tail)[:n]
}

// hash spreads the text over 64 bits. It multiplies words and folds the halves of the product into one another, which
// is wyhash's way of mixing (Wang Yi, https://github.com/wangyi-fudan/wyhash). It does not protect against texts made
// to collide: they spoil an estimate, and nothing else.
func (s short) hash() uint64 { return fold128(fold128(s.head^seedA, s.tail^seedB), seedC) }

// hashLong does the same for a text of more than shortBytes bytes.
func hashLong(text []byte) uint64 {
	h := uint64(len(text))
	for ; len(text) > shortBytes; text = text[shortBytes:] {
		h = fold128(word(text)^h^seedA, word(text[8:])^seedB)
	}
	return fold128(makeShort(text).hash()^h, seedC)
}

// hashOf returns the hash of a text that is not empty.
func hashOf(text []byte) uint64 {
	if len(text) > shortBytes {
		return hashLong(text)
	}
	return makeShort(text).hash()
}

// place is a faster hash, for a table of 1<<recentBits slots.
func (s short) place() uint64 { return (s.head*seedB + s.tail*seedC) >> (64 - recentBits) }

func fold128(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}
