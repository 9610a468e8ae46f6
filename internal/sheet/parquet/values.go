package parquet

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// value is a value as it is stored: n of integers and booleans, and the bits of floating-point numbers; bytes of anything else, valid
// until the next one is read.
type value struct {
	n     int64
	bytes []byte
}

// decoder reads a page's values, one after the other.
type decoder interface {
	next() (value, error)
}

// oldDictionary is what older programs call a dictionary's encoding, and that of pages that refer to it.
const oldDictionary = format.PlainDictionary //nolint:staticcheck // deprecated for writers

// decoderOf returns the decoder of a page's values.
func decoderOf(l *leaf, encoding format.Encoding, b []byte, dict *dictionary) (decoder, error) {
	switch encoding {
	case format.Plain:
		return &plain{leaf: l, b: b}, nil
	case oldDictionary, format.RLEDictionary:
		if dict == nil {
			return nil, errValues
		}
		if len(b) == 0 { // a page without a value
			return &indexed{dict: dict}, nil
		}
		if b[0] > 32 {
			return nil, errValues
		}
		return &indexed{indexes: hybrid{b: b[1:], width: uint(b[0])}, dict: dict}, nil
	case format.RLE:
		if l.kind != format.Boolean || len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return nil, errValues
		}
		return &booleans{hybrid{b: b[4 : 4+binary.LittleEndian.Uint32(b)], width: 1}}, nil
	case format.DeltaBinaryPacked:
		if l.kind != format.Int32 && l.kind != format.Int64 {
			return nil, errValues
		}
		d, err := newDeltas(b)
		return &integers{d, l.kind == format.Int32}, err
	case format.DeltaLengthByteArray:
		return newLengths(l, b)
	case format.DeltaByteArray:
		return newPrefixed(l, b)
	case format.ByteStreamSplit:
		return newSplit(l, b)
	}
	return nil, fmt.Errorf("its values are in the encoding %v, which is not known", encoding)
}

// sizeOf returns the bytes of a value with a fixed length; 0 of others.
func (l *leaf) sizeOf() int {
	switch l.kind {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	case format.Int96:
		return 12
	case format.FixedLenByteArray:
		return l.length
	}
	return 0
}

// valueOf returns the value that is stored in these bytes.
func (l *leaf) valueOf(b []byte) value {
	switch l.kind {
	case format.Int32:
		return value{n: int64(int32(binary.LittleEndian.Uint32(b)))}
	case format.Float:
		return value{n: int64(binary.LittleEndian.Uint32(b))}
	case format.Int64, format.Double:
		return value{n: int64(binary.LittleEndian.Uint64(b))}
	}
	return value{bytes: b}
}

// plain reads values that follow one another.
type plain struct {
	leaf *leaf
	b    []byte
	bit  uint64
}

func (p *plain) next() (value, error) {
	size := p.leaf.sizeOf()
	switch p.leaf.kind {
	case format.Boolean:
		v, ok := bitsAt(p.b, p.bit, 1)
		if !ok {
			return value{}, errValues
		}
		p.bit++
		return value{n: int64(v)}, nil
	case format.ByteArray:
		if len(p.b) < 4 || uint64(binary.LittleEndian.Uint32(p.b)) > uint64(len(p.b)-4) {
			return value{}, errValues
		}
		size, p.b = int(binary.LittleEndian.Uint32(p.b)), p.b[4:]
	}
	if len(p.b) < size {
		return value{}, errValues
	}
	v := p.leaf.valueOf(p.b[:size])
	p.b = p.b[size:]
	return v, nil
}

// dictionary has the values that a chunk's pages refer to.
type dictionary struct {
	leaf    *leaf
	b       []byte
	offsets []uint32 // of byte arrays
	count   int
}

// newDictionary takes the values of a dictionary's page, which it keeps.
func newDictionary(l *leaf, b []byte, count int) (*dictionary, error) {
	d := &dictionary{leaf: l, b: b, count: count}
	if size := l.sizeOf(); size > 0 {
		if count > len(b)/size {
			return nil, errValues
		}
		return d, nil
	}
	if l.kind != format.ByteArray || count > len(b)/4 {
		return nil, errValues
	}
	d.offsets = make([]uint32, count)
	at := 0
	for i := range count {
		if at+4 > len(b) || uint64(binary.LittleEndian.Uint32(b[at:])) > uint64(len(b)-at-4) {
			return nil, errValues
		}
		d.offsets[i] = uint32(at)
		at += 4 + int(binary.LittleEndian.Uint32(b[at:]))
	}
	return d, nil
}

// indexed reads values of a dictionary.
type indexed struct {
	indexes hybrid
	dict    *dictionary
}

func (x *indexed) next() (value, error) {
	i, err := x.indexes.next()
	d := x.dict
	if err != nil || uint64(i) >= uint64(d.count) {
		return value{}, errValues
	}
	if d.offsets == nil {
		size := d.leaf.sizeOf()
		return d.leaf.valueOf(d.b[int(i)*size:][:size]), nil
	}
	at := d.offsets[i]
	return value{bytes: d.b[at+4:][:binary.LittleEndian.Uint32(d.b[at:])]}, nil
}

// booleans reads runs of booleans.
type booleans struct{ hybrid }

func (r *booleans) next() (value, error) {
	v, err := r.hybrid.next()
	return value{n: int64(v)}, err
}

// integers reads integers that are stored as differences.
type integers struct {
	*deltas
	short bool // of 32 bits, in which the differences may overflow
}

func (r *integers) next() (value, error) {
	n, err := r.deltas.next()
	if r.short {
		n = int64(int32(n))
	}
	return value{n: n}, err
}

// lengths reads byte arrays that follow their lengths (DELTA_LENGTH_BYTE_ARRAY).
type lengths struct {
	lengths *deltas
	b       []byte
}

func newLengths(l *leaf, b []byte) (*lengths, error) {
	d, err := newDeltas(b)
	if err != nil || l.kind != format.ByteArray {
		return nil, errValues
	}
	text, err := d.behind()
	return &lengths{d, text}, err
}

func (r *lengths) next() (value, error) {
	n, err := r.lengths.next()
	if err != nil || n < 0 || n > int64(len(r.b)) {
		return value{}, errValues
	}
	v := value{bytes: r.b[:n]}
	r.b = r.b[n:]
	return v, nil
}

// prefixed reads byte arrays, of which each has the beginning of the one before (DELTA_BYTE_ARRAY).
type prefixed struct {
	leaf     *leaf
	prefixes *deltas
	suffixes *lengths
	last     []byte
}

func newPrefixed(l *leaf, b []byte) (*prefixed, error) {
	d, err := newDeltas(b)
	if err != nil || l.kind != format.ByteArray && l.kind != format.FixedLenByteArray {
		return nil, errValues
	}
	rest, err := d.behind()
	if err != nil {
		return nil, err
	}
	suffixes, err := newLengths(&leaf{kind: format.ByteArray}, rest)
	return &prefixed{leaf: l, prefixes: d, suffixes: suffixes}, err
}

func (r *prefixed) next() (value, error) {
	n, err := r.prefixes.next()
	if err != nil || n < 0 || n > int64(len(r.last)) {
		return value{}, errValues
	}
	suffix, err := r.suffixes.next()
	if err != nil || int(n)+len(suffix.bytes) > maxPage {
		return value{}, errValues
	}
	r.last = append(r.last[:n], suffix.bytes...)
	if size := r.leaf.sizeOf(); size > 0 && size != len(r.last) {
		return value{}, errValues
	}
	return value{bytes: r.last}, nil
}

// split reads values whose first bytes come first, then the second ones (BYTE_STREAM_SPLIT).
type split struct {
	leaf *leaf
	b    []byte
	i    int
	buf  []byte
}

func newSplit(l *leaf, b []byte) (*split, error) {
	size := l.sizeOf()
	if size == 0 || l.kind == format.Int96 || len(b)%size != 0 {
		return nil, errValues
	}
	return &split{leaf: l, b: b, buf: make([]byte, size)}, nil
}

func (r *split) next() (value, error) {
	count := len(r.b) / len(r.buf)
	if r.i >= count {
		return value{}, errValues
	}
	for k := range r.buf {
		r.buf[k] = r.b[k*count+r.i]
	}
	r.i++
	return r.leaf.valueOf(r.buf), nil
}
