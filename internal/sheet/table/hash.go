package table

import "encoding/binary"

// noText is the hash of an empty cell.
const noText uint64 = 14695981039346656037

// isSomeText reports whether it is the hash of any other cell.
func isSomeText(text uint64) bool { return text != noText }

// hash is FNV-1a, of eight bytes at a time as long as there are so many.
func hash(b []byte) uint64 {
	const prime = 1099511628211
	h := noText
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
		h ^= h >> 32
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * prime
	}
	return h
}
