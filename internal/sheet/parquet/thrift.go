package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// errShort says that a struct goes on behind the bytes that there are.
var errShort = errors.New("a structure is cut off")

// The types of Thrift's compact protocol that are told apart.
const (
	typeByte   = 3
	typeInt64  = 6 // and the ones between, as varints
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
)

// The limits of a struct. The library makes room for a list before it reads it, as large as the list says it is.
const (
	maxStructDepth  = 16
	maxStructMemory = 64 << 20
	structMemory    = 1 << 10 // of an element that is a struct: more than any has
	elementMemory   = 32      // of another one
)

// walker goes through structs in Thrift's compact protocol and finds out whether the library can decode them in bounded memory.
type walker struct {
	b      []byte
	pos    int
	lastID int64
	memory int64
}

// decodeStruct decodes the struct at the beginning of b into v and returns its length.
func decodeStruct(b []byte, v any) (n int, err error) {
	w := &walker{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a structure cannot be decoded: %v", p)
		}
	}()
	return w.pos, thrift.Unmarshal(new(thrift.CompactProtocol), b[:w.pos], v)
}

func (w *walker) byte() (byte, error) {
	if w.pos >= len(w.b) {
		return 0, errShort
	}
	w.pos++
	return w.b[w.pos-1], nil
}

func (w *walker) uvarint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.pos:])
	if n == 0 {
		return 0, errShort
	}
	if n < 0 {
		return 0, errors.New("a number is too long")
	}
	w.pos += n
	return v, nil
}

func (w *walker) take(n uint64) error {
	if n > uint64(len(w.b)-w.pos) {
		return errShort
	}
	w.pos += int(n)
	return nil
}

// field returns the next field's number and type; typ is 0 at the struct's end.
func (w *walker) field() (id int64, typ byte, err error) {
	c, err := w.byte()
	if err != nil || c == 0 {
		return 0, 0, err
	}
	if delta := int64(c >> 4); delta > 0 {
		w.lastID += delta
		return w.lastID, c & 15, nil
	}
	v, err := w.uvarint()
	w.lastID = int64(v>>1) ^ -int64(v&1)
	return w.lastID, c & 15, err
}

// structure skips a struct.
func (w *walker) structure(depth int) error {
	if depth > maxStructDepth {
		return errors.New("a structure is nested too deeply")
	}
	outer := w.lastID
	w.lastID = 0
	for {
		_, typ, err := w.field()
		if err == nil && typ == 0 {
			w.lastID = outer
			return nil
		}
		if err == nil && typ > 2 { // a boolean is its type
			err = w.skip(typ, depth)
		}
		if err != nil {
			return err
		}
	}
}

// skip skips a value.
func (w *walker) skip(typ byte, depth int) error {
	switch {
	case typ >= 1 && typ <= typeByte:
		return w.take(1)
	case typ <= typeInt64:
		_, err := w.uvarint()
		return err
	case typ == typeDouble:
		return w.take(8)
	case typ == typeBinary:
		n, err := w.uvarint()
		if err != nil {
			return err
		}
		return w.take(n)
	case typ == typeList || typ == typeSet:
		n, of, err := w.list()
		for ; n > 0 && err == nil; n-- {
			err = w.skip(of, depth+1)
		}
		return err
	case typ == typeStruct:
		return w.structure(depth + 1)
	}
	return fmt.Errorf("a structure has a field of the type %d", typ) // a map, which Parquet's have not, among them
}

// list returns the number and the type of a list's elements, of which each takes a byte at least.
func (w *walker) list() (n int, typ byte, err error) {
	c, err := w.byte()
	if err != nil {
		return 0, 0, err
	}
	size := uint64(c >> 4)
	if typ = c & 15; size == 15 {
		if size, err = w.uvarint(); err != nil {
			return 0, 0, err
		}
	}
	if size > uint64(len(w.b)-w.pos) {
		return 0, 0, errShort
	}
	each := int64(elementMemory)
	if typ == typeStruct {
		each = structMemory
	}
	if w.memory += int64(size) * each; w.memory > maxStructMemory {
		return 0, 0, errors.New("a structure has too many elements")
	}
	return int(size), typ, nil
}

// elements returns where the structs of a list are, at most as many as most.
func (w *walker) elements(most int) (spans [][]byte, err error) {
	c, err := w.byte()
	if err != nil {
		return nil, err
	}
	size := uint64(c >> 4)
	if size == 15 {
		if size, err = w.uvarint(); err != nil {
			return nil, err
		}
	}
	if c&15 != typeStruct || size > uint64(most) {
		return nil, fmt.Errorf("a list has %d elements of the type %d", size, c&15)
	}
	for range size {
		start := w.pos
		w.memory = 0
		if err := w.structure(0); err != nil {
			return nil, err
		}
		spans = append(spans, w.b[start:w.pos])
	}
	return spans, nil
}
