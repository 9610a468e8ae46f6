package database

import (
	"encoding/binary"
	"errors"
)

// The binary form of an array is that of array_send in PostgreSQL's src/backend/utils/adt/arrayfuncs.c: dimensions, flags, type, then
// length
// and lower bound of each dimension, then each element behind its length.
const (
	arrayHead      = 12
	arrayDimension = 8
	arrayNull      = 1<<32 - 1
)

var errNoTextArray = errors.New("not a one-dimensional text[] in binary form")

// TextArrayLen returns the number of elements of a one-dimensional text[] in binary form, whose lengths it has checked.
func TextArrayLen(array []byte) (int, error) {
	if len(array) < arrayHead {
		return 0, errNoTextArray
	}
	dimensions := binary.BigEndian.Uint32(array)
	if dimensions == 0 && len(array) == arrayHead {
		return 0, nil
	}
	if dimensions != 1 || len(array) < arrayHead+arrayDimension {
		return 0, errNoTextArray
	}
	count := binary.BigEndian.Uint32(array[arrayHead:])
	rest := array[arrayHead+arrayDimension:]
	for range count {
		if len(rest) < 4 {
			return 0, errNoTextArray
		}
		size := binary.BigEndian.Uint32(rest)
		if rest = rest[4:]; size == arrayNull {
			continue
		}
		if uint64(size) > uint64(len(rest)) {
			return 0, errNoTextArray
		}
		rest = rest[size:]
	}
	if len(rest) > 0 {
		return 0, errNoTextArray
	}
	return int(count), nil
}

// AppendTextArray appends the elements of an array that TextArrayLen accepts to dst. They point into the array; NULL is nil.
func AppendTextArray(dst [][]byte, array []byte) [][]byte {
	if len(array) == arrayHead {
		return dst
	}
	for rest := array[arrayHead+arrayDimension:]; len(rest) > 0; {
		size := binary.BigEndian.Uint32(rest)
		if rest = rest[4:]; size == arrayNull {
			dst = append(dst, nil)
			continue
		}
		dst = append(dst, rest[:size:size])
		rest = rest[size:]
	}
	return dst
}
