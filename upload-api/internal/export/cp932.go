package export

import (
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
)

// The values of PageInput.
const (
	encodingCP932  = "cp932"
	encodingSJIS   = "shift_jis" // its other name
	unmappableGeta = "geta"
)

func (in PageInput) japanese() bool {
	return in.Encoding == encodingCP932 || in.Encoding == encodingSJIS
}

// geta is what Japanese printers set for a character that they do not have.
const geta = '〓'

// twins are characters that Unicode has twice for one of JIS X 0208; CP932 knows the other one. Macs and Java write these.
var twins = map[rune]rune{'〜': '～', '‖': '∥', '−': '－', '¢': '￠', '£': '￡', '¬': '￢', '—': '―', '¦': '￤'}

// cp932 encodes text. It remembers the characters that it has met, since the library takes its time for each.
type cp932 struct {
	replace bool // a character that CP932 does not have by 〓; otherwise it is an error
	encoder *encoding.Encoder
	known   [1 << 16]uint16 // one byte, or two, of each character: 0 if it has not been met, absent if CP932 does not have it
}

const absent = 1

func newCP932(replace bool) *cp932 {
	return &cp932{replace: replace, encoder: japanese.ShiftJIS.NewEncoder()}
}

// missing returns the first character of a text that CP932 does not have.
func (c *cp932) missing(text []byte) (rune, bool) {
	if c == nil {
		return 0, false
	}
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if c.code(r) == absent {
			return r, true
		}
		i += size
	}
	return 0, false
}

// append appends a text in CP932.
func (c *cp932) append(dst, text []byte) ([]byte, error) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			dst = append(dst, text[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		code := c.code(r)
		if code == absent && !c.replace {
			return dst, fmt.Errorf("a character has come that CP932 does not have: %q", r) // since they were inspected
		}
		if code == absent {
			code = c.code(geta)
		}
		if code > 0xFF {
			dst = append(dst, byte(code>>8))
		}
		dst = append(dst, byte(code))
		i += size
	}
	return dst, nil
}

// code returns the bytes of a character as a number, or absent.
func (c *cp932) code(r rune) uint16 {
	if int(r) >= len(c.known) {
		return absent
	}
	if c.known[r] == 0 {
		c.known[r] = c.look(r)
	}
	return c.known[r]
}

// look asks the library for a character, or for its twin.
func (c *cp932) look(r rune) uint16 {
	if twin, found := twins[r]; found {
		r = twin
	}
	encoded, err := c.encoder.Bytes([]byte(string(r)))
	switch {
	case err != nil:
		return absent
	case len(encoded) == 1:
		return uint16(encoded[0])
	}
	return uint16(encoded[0])<<8 | uint16(encoded[1])
}
