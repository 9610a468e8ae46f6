package grid

import (
	"encoding/binary"
	"math"
	"strconv"
)

// What the binary formats of Excel, xls and xlsb, have in common.

// Fields are the bytes of a record. Its numbers are little-endian; where one would reach beyond the record's end, it is 0.
type Fields []byte

// Short returns the 16-bit number at that place.
func (f Fields) Short(at int) int {
	if at+2 > len(f) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(f[at:]))
}

// Long returns the 32-bit number at that place.
func (f Fields) Long(at int) uint32 {
	if at+4 > len(f) {
		return 0
	}
	return binary.LittleEndian.Uint32(f[at:])
}

// Double returns the floating-point number at that place.
func (f Fields) Double(at int) float64 {
	if at+8 > len(f) {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(f[at:]))
}

// RK returns the number that four bytes stand for ([MS-XLS] 2.5.217, [MS-XLSB] 2.5.123): an integer of 30 bits, or the upper bits of a
// double, either of them perhaps a hundred times as large.
func RK(bits uint32) float64 {
	value := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&2 != 0 {
		value = float64(int32(bits) >> 2)
	}
	if bits&1 != 0 {
		value /= 100
	}
	return value
}

// errorTexts are the errors that a cell may show.
var errorTexts = map[byte]string{
	0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}

// SetError sets the cell's value to the error with that number.
func (c *Cell) SetError(number byte) {
	c.Kind, c.Text = ErrorText, []byte(errorTexts[number])
	if len(c.Text) == 0 {
		c.Text = []byte("#ERROR!")
	}
}

// SetBoolean sets the cell's value to a boolean, which is 0 or 1.
func (c *Cell) SetBoolean(value byte) {
	switch value {
	case 0:
		c.Kind, c.Text = Boolean, []byte("FALSE")
	case 1:
		c.Kind, c.Text = Boolean, []byte("TRUE")
	default:
		c.Kind, c.Text = Text, strconv.AppendInt(nil, int64(value), 10)
		c.Flaw(BadValue)
	}
}

// SetDouble is SetNumber for a double, which may be no number.
func (c *Cell) SetDouble(dst []byte, value float64, f Format, date1904 bool) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		c.Kind, c.Text = ErrorText, []byte("#NUM!")
		return dst
	}
	return c.SetNumber(dst, value, f, date1904)
}
