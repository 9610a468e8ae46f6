package dialect

import "encoding/binary"

// hash is FNV-1a, of eight bytes at a time as long as there are so many.
func hash(b []byte) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
		h ^= h >> 32
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * prime
	}
	return h
}
