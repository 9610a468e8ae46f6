package types

import (
	"encoding/json"
	"strconv"
)

// exactDigits is the number of significant digits with which every decimal number survives a 64-bit float, and so any
// JSON reader.
const exactDigits = 15

// Converter converts the cells of a column to values of its type. It is safe for concurrent use.
type Converter struct {
	accept set // empty means text
	quoted bool
}

// NewConverter returns the Converter of a column with the type, format and digits of its Report. An unknown type or
// format is a *FormatError.
func NewConverter(t Type, format string, digits int) (Converter, error) {
	accept, err := parseFormat(t, format)
	return Converter{accept, digits > exactDigits}, err
}

// Value returns the cell as a value that marshals to JSON: nil for a missing cell, and in all types but text for one
// that is empty, white space or a word for no value, such as N/A; a bool; a json.Number or, if the column has numbers of
// more than 15 digits, a string; dates, times, timestamps and durations as ISO 8601 strings; text unchanged. If the cell
// does not have the type, ok is false and the value is its text.
func (c Converter) Value(cell []byte) (value any, ok bool) {
	var buffer [64]byte
	text, is := c.AppendValue(buffer[:0], cell)
	switch {
	case is == NoValue:
		return nil, true
	case is == OtherType, c.Quoted():
		return string(text), is == OwnType
	case c.accept&booleans != 0:
		return text[0] == 't', true
	}
	return json.Number(text), true
}

// Quoted reports whether the column's values are JSON strings, rather than numbers or booleans.
func (c Converter) Quoted() bool {
	return c.accept&(numbers|booleans) == 0 || c.accept&numbers != 0 && c.quoted
}

// IsText reports whether the column's type is text, whose values are the cells as they are.
func (c Converter) IsText() bool { return c.accept == 0 }

// CellType says what a cell is to a Converter.
type CellType uint8

// What a cell can be.
const (
	NoValue   CellType = iota // missing; in all types but text also empty, white space or a word for no value
	OwnType                   // a value of the column's type
	OtherType                 // something else
)

// AppendValue appends the cell's value to dst as text: what Value returns, without garbage. Of a cell of another type it appends the cell.
func (c Converter) AppendValue(dst, cell []byte) ([]byte, CellType) {
	switch {
	case cell == nil, c.accept != 0 && isBlank(cell):
		return dst, NoValue
	case c.accept == 0:
		return append(dst, cell...), OwnType
	}
	if text, ok := c.Append(dst, cell); ok {
		return text, OwnType
	}
	if c.IsNullWord(cell) {
		return dst, NoValue
	}
	return append(dst, cell...), OtherType
}

// IsNullWord reports whether a cell that does not have the type is a word for no value in such a column. No cell of a text is.
func (c Converter) IsNullWord(cell []byte) bool {
	return len(cell) > 0 && readNullWord(cell)&c.accept != 0
}

// MayBeNullWord reports whether a cell is a word for no value in columns of some type.
func MayBeNullWord(cell []byte) bool { return len(cell) > 0 && readNullWord(cell) != 0 }

// IsBlank reports whether a cell has no value in any type but text: it is missing, empty or white space.
func IsBlank(cell []byte) bool { return isBlank(cell) }

// Append appends the value of a cell that is not blank to dst, as text and without garbage: a number with a point as decimal mark and
// possibly an exponent, otherwise as Value returns it; a boolean is true or false. If the cell does not have the type, ok is false.
func (c Converter) Append(dst, cell []byte) (text []byte, ok bool) {
	switch {
	case c.accept == 0:
		return append(dst, cell...), true
	case c.accept&booleans != 0:
		fits, value, ok := parseBoolean(trim(cell))
		return strconv.AppendBool(dst, value), ok && fits&c.accept != 0
	}
	return c.append(dst, cell)
}

// append writes the value of a non-blank cell in the canonical form of its type.
func (c Converter) append(dst, cell []byte) (text []byte, ok bool) {
	s := trim(cell)
	if len(s) > maxValue {
		return dst, false
	}
	if !isASCII(s) {
		var buffer [64]byte
		if s, ok = fold(buffer[:0], s); !ok {
			return dst, false
		}
	}
	switch {
	case c.accept&numbers != 0:
		return c.appendNumber(dst, s)
	case c.accept&moments != 0:
		return c.appendMoment(dst, s)
	}
	return c.appendClock(dst, s)
}

func (c Converter) appendNumber(dst, s []byte) ([]byte, bool) {
	var n number
	core, ok := n.parse(s)
	switch {
	case !ok || n.fits&c.accept == 0:
		return dst, false
	case c.accept&pointNumbers != 0:
		return n.append(dst, core, '.'), true
	}
	return n.append(dst, core, ','), true
}

func (c Converter) appendMoment(dst, s []byte) ([]byte, bool) {
	var m moment
	if !m.read(s) || m.fits&c.accept == 0 {
		return dst, false
	}
	return m.append(dst, m.dayOf(c.accept), c.accept&(stamps|zoned) != 0), true
}

func (c Converter) appendClock(dst, s []byte) ([]byte, bool) {
	if c.accept&elapsed != 0 {
		var t clock
		ok := t.parseElapsed(s)
		return t.appendDuration(dst), ok
	}
	var t clock
	if !t.read(s) || t.fits&c.accept == 0 {
		return dst, false
	}
	return t.append(dst), true
}

// canonical returns the value as text. Numbers lose the trailing zeros of their fraction.
func (c Converter) canonical(cell []byte) string {
	text, _ := c.identity(nil, cell)
	return string(text)
}

// identity returns the text that equal values share, in dst or in the cell itself: 1,000.0 equals 1000, and R6.1.5
// equals 2024-01-05.
func (c Converter) identity(dst, cell []byte) (text []byte, ok bool) {
	switch {
	case c.accept == 0:
		return cell, true
	case c.accept&booleans != 0:
		fits, value, _ := parseBoolean(trim(cell))
		return strconv.AppendBool(dst, value), fits&c.accept != 0
	}
	text, ok = c.append(dst, cell)
	if c.accept&numbers != 0 {
		text = trimFraction(text)
	}
	return text, ok
}
