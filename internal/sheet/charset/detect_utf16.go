package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// utf16Evidence counts the evidence for UTF-16 without a byte order mark.
type utf16Evidence struct {
	little, big orderEvidence
	units       int
	separators  int // bytes that separate cells or lines in ASCII, whatever their neighbours
	zeros       bool
	control     int // bytes that are control characters which single-byte text does not have
	high        int // bytes beyond ASCII
}

// orderEvidence is the evidence for one byte order.
type orderEvidence struct {
	separators int // units that separate cells or lines
	ascii      int // other units of ASCII text
	script     scriptEvidence
	bad        int // units that text rarely has: control characters, private use, scripts that pairs of letters and commas look like
}

const separators = "\n\r,;\t"

func (e *utf16Evidence) add(b []byte) {
	for i := range len(separators) {
		e.separators += bytes.Count(b, []byte{separators[i]})
	}
	control, high := strangeBytes(b)
	if control == 0 && utf8.Valid(b) {
		return
	}
	zeros := bytes.IndexByte(b, 0) >= 0
	if !zeros && len(b) >= longLine { // a line of UTF-16 ends with a zero byte and another one
		return
	}
	e.control += control
	e.high += high
	e.zeros = e.zeros || zeros
	e.units += len(b) / 2
	for i := 0; i+2 <= len(b); i += 2 {
		e.little.add(uint16(b[i]) | uint16(b[i+1])<<8)
		e.big.add(uint16(b[i])<<8 | uint16(b[i+1]))
	}
}

// strangeBytes counts control characters that rarely occur in single-byte text, and non-ASCII bytes.
func strangeBytes(b []byte) (control, high int) {
	for _, c := range b {
		switch {
		case c >= utf8.RuneSelf:
			high++
		case c < ' ' && (c < '\t' || c > '\r') && c != escape:
			control++
		}
	}
	return control, high
}

func (e *orderEvidence) add(u uint16) {
	e.script.add(rune(u))
	switch {
	case u < 0x80 && strings.IndexByte(separators, byte(u)) >= 0:
		e.separators++
	case u >= 0x20 && u < 0x7F:
		e.ascii++
	case u < 0x20, u >= 0x7F && u < 0xA0, u >= 0x0700 && u < 0x0E00, u >= 0x2C00 && u < 0x2E00, u >= 0xE000 && u < 0xF900, u >= 0xFFF0:
		e.bad++
	}
}

func (e *orderEvidence) weight() int { return separatorWeight*e.separators + e.ascii }

// decide returns nil if the text is not UTF-16, otherwise the encoding and its lead in bits over the other byte order.
func (e *utf16Evidence) decide() (enc Encoding, lead int) {
	order, other := &e.little, &e.big
	enc = UTF16LE
	if e.big.weight() > e.little.weight() {
		order, other = other, order
		enc = UTF16BE
	}
	separated := order.separators*separatorsPerUnit >= e.separators
	lead = unitBits * (order.weight() - other.weight())
	if !e.zeros || lead == 0 || order.bad*unitsPerBad > e.units || !separated || order.separators == 0 && order.ascii*unitsPerASCII < e.units {
		return e.decideByScript()
	}
	return enc, lead
}
