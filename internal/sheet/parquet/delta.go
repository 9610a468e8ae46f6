package parquet

import "encoding/binary"

// deltas reads integers that are stored as differences (DELTA_BINARY_PACKED).
type deltas struct {
	b      []byte // behind the current block's numbers
	blocks uint64 // values of a block
	minis  uint64 // parts of a block
	left   uint64 // values that follow
	last   int64  // the value that is next
	least  int64  // difference in the block
	widths []byte // of the block's parts that follow
	packed []byte // the current part
	bit    uint64
	width  uint
	inMini uint64 // values of the current part that follow
}

const maxBlock = 1 << 20 // values

func (d *deltas) uvarint() (uint64, bool) {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		return 0, false
	}
	d.b = d.b[n:]
	return v, true
}

func (d *deltas) varint() (int64, bool) {
	v, ok := d.uvarint()
	return int64(v>>1) ^ -int64(v&1), ok
}

// newDeltas reads the header.
func newDeltas(b []byte) (*deltas, error) {
	d := &deltas{b: b}
	var ok [4]bool
	d.blocks, ok[0] = d.uvarint()
	d.minis, ok[1] = d.uvarint()
	d.left, ok[2] = d.uvarint()
	d.last, ok[3] = d.varint()
	if ok != [4]bool{true, true, true, true} || d.blocks == 0 || d.blocks > maxBlock || d.minis == 0 {
		return nil, errValues
	}
	if d.blocks%d.minis != 0 || d.blocks/d.minis%8 != 0 {
		return nil, errValues
	}
	return d, nil
}

func (d *deltas) next() (int64, error) {
	if d.left == 0 {
		return 0, errValues
	}
	v := d.last
	if d.left--; d.left == 0 {
		return v, nil
	}
	if d.inMini == 0 && !d.mini() {
		return 0, errValues
	}
	d.inMini--
	delta, ok := bitsAt(d.packed, d.bit, d.width)
	if !ok {
		return 0, errValues
	}
	d.bit += uint64(d.width)
	d.last = v + d.least + int64(delta) // may overflow, as the format wants it
	return v, nil
}

// mini begins the next part of a block.
func (d *deltas) mini() bool {
	if len(d.widths) == 0 {
		var ok bool
		if d.least, ok = d.varint(); !ok || uint64(len(d.b)) < d.minis {
			return false
		}
		d.widths, d.b = d.b[:d.minis], d.b[d.minis:]
	}
	d.width, d.widths = uint(d.widths[0]), d.widths[1:]
	size := d.blocks / d.minis * uint64(d.width) / 8
	if d.width > 64 || size > uint64(len(d.b)) {
		return false
	}
	d.packed, d.bit, d.b, d.inMini = d.b[:size], 0, d.b[size:], d.blocks/d.minis
	return true
}

// behind returns what follows the numbers. It reads none of them.
func (d *deltas) behind() ([]byte, error) {
	end := *d
	for follow := max(end.left, 1) - 1; follow > 0; follow -= min(follow, end.blocks/end.minis) {
		if !end.mini() {
			return nil, errValues
		}
	}
	return end.b, nil
}
