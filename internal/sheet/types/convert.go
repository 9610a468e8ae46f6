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
	switch {
	case cell == nil:
		return nil, true
	case c.accept == 0:
		return string(cell), true
	case isBlank(cell):
		return nil, true
	case c.accept&booleans != 0:
		fits, value, ok := parseBoolean(trim(cell))
		if !ok || fits&c.accept == 0 {
			return c.noValue(cell)
		}
		return value, true
	}
	var buffer [64]byte
	text, ok := c.append(buffer[:0], cell)
	switch {
	case !ok:
		return c.noValue(cell)
	case c.accept&numbers != 0 && !c.quoted:
		return json.Number(text), true
	}
	return string(text), true
}

// noValue returns nil for a cell that stands for no value, and the text of any other.
func (c Converter) noValue(cell []byte) (value any, ok bool) {
	if readNullWord(cell)&c.accept != 0 {
		return nil, true
	}
	return string(cell), false
}

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
	if !m.parse(s) || m.fits&c.accept == 0 {
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
	rest, ok := t.cut(s)
	if !ok || len(rest) > 0 || t.fits&c.accept == 0 {
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
