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
	known   map[rune][]byte // nil for a character that CP932 does not have
}

func newCP932(replace bool) *cp932 {
	return &cp932{replace: replace, encoder: japanese.ShiftJIS.NewEncoder(), known: map[rune][]byte{}}
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
		if c.bytes(r) == nil {
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
		encoded := c.bytes(r)
		if encoded == nil && !c.replace {
			return dst, fmt.Errorf("a character has come that CP932 does not have: %q", r) // since the survey
		}
		if encoded == nil {
			encoded = c.bytes(geta)
		}
		dst = append(dst, encoded...)
		i += size
	}
	return dst, nil
}

// bytes returns a character in CP932, nil if that does not have it.
func (c *cp932) bytes(r rune) []byte {
	encoded, known := c.known[r]
	if known {
		return encoded
	}
	asked := r
	if twin, found := twins[r]; found {
		asked = twin
	}
	encoded, err := c.encoder.Bytes([]byte(string(asked)))
	if err != nil {
		encoded = nil
	}
	c.known[r] = encoded
	return encoded
}
