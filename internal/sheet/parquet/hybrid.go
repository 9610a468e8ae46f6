package parquet

import (
	"encoding/binary"
	"errors"
)

// errValues says that a page has fewer values than it says, or other ones.
var errValues = errors.New("it has fewer values than it says, or invalid ones")

// hybrid reads numbers of a fixed width that are stored as runs, of equal ones or of packed ones.
type hybrid struct {
	b      []byte // behind the current run
	width  uint   // bits of a number, at most 32
	left   uint64 // numbers of the run
	packed []byte // of a run of packed ones
	bit    uint64 // of the next one in packed
	value  uint32 // of a run of equal ones
	equal  bool
}

const maxRun = 1 << 32

func (h *hybrid) next() (uint32, error) {
	for h.left == 0 {
		if h.width == 0 && len(h.b) == 0 { // there is nothing but zeros
			return 0, nil
		}
		if err := h.run(); err != nil {
			return 0, err
		}
	}
	h.left--
	if h.equal {
		return h.value, nil
	}
	v, ok := bitsAt(h.packed, h.bit, h.width)
	if !ok {
		return 0, errValues
	}
	h.bit += uint64(h.width)
	return uint32(v), nil
}

// run begins the next run.
func (h *hybrid) run() error {
	u, n := binary.Uvarint(h.b)
	if n <= 0 || u>>1 > maxRun {
		return errValues
	}
	h.b = h.b[n:]
	if h.equal = u&1 == 0; h.equal {
		size := int(h.width+7) / 8
		if size > len(h.b) {
			return errValues
		}
		var word [4]byte
		copy(word[:], h.b[:size])
		h.left, h.value, h.b = u>>1, binary.LittleEndian.Uint32(word[:]), h.b[size:]
		return nil
	}
	size := min(u>>1*uint64(h.width), uint64(len(h.b))) // the last run may end with its last value
	h.left, h.bit, h.packed, h.b = u>>1*8, 0, h.b[:size], h.b[size:]
	return nil
}

// bitsAt returns the number of width bits, at most 64, that begins at a bit.
func bitsAt(b []byte, bit uint64, width uint) (uint64, bool) {
	if bit+uint64(width) > uint64(len(b))*8 {
		return 0, false
	}
	from, shift := b[bit/8:], uint(bit%8)
	var v uint64
	if len(from) >= 8 {
		v = binary.LittleEndian.Uint64(from)
	} else {
		for i, c := range from {
			v |= uint64(c) << (8 * i)
		}
	}
	v >>= shift
	if shift+width > 64 { // of a ninth byte
		v |= uint64(from[8]) << (64 - shift)
	}
	if width < 64 {
		v &= 1<<width - 1
	}
	return v, true
}
