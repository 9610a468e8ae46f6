package charset

import (
	"io"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// cp932Encoding is Microsoft's code page 932: Shift JIS with the rows of NEC and IBM (①, 髙) and the user-defined characters, as the
// WHATWG Encoding Standard's Shift_JIS decoder has them.
//
// A character's second byte is 0x40–0x7E or 0x80–0xFC, so a comma, semicolon, tab, quote or line end is never a part of another
// character and records can be split before they are decoded. It is not so for delimiters from 0x40 on, such as |.
type cp932Encoding struct{}

func (cp932Encoding) Name() string                      { return "cp932" }
func (cp932Encoding) BOM() []byte                       { return nil }
func (cp932Encoding) Reader(r io.Reader) io.Reader      { return r }
func (cp932Encoding) Width(b []byte) int64              { return int64(len(b)) }
func (cp932Encoding) AppendSource(dst, b []byte) []byte { return append(dst, b...) }
func (cp932Encoding) Direct(b []byte) bool              { return IsASCII(b) }

func (cp932Encoding) AppendText(dst, b []byte) ([]byte, int) {
	pairs := cp932Pairs()
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			dst = append(dst, b[i])
			i++
			continue
		}
		r, n := pairs.decode(b[i:])
		if n == 0 {
			return dst, i
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst, -1
}

const (
	cp932FirstLead = 0x81
	cp932LastLead  = 0xFC
)

// cp932Table holds the characters of two bytes, by first and second byte; 0 where there is none.
type cp932Table [(cp932LastLead - cp932FirstLead + 1) << 8]uint16

// cp932Pairs makes the table once, from the WHATWG table in golang.org/x/text and the user-defined rows 0xF0–0xF9, which that lacks.
var cp932Pairs = sync.OnceValue(func() *cp932Table {
	var t cp932Table
	dec := japanese.ShiftJIS.NewDecoder()
	for i := range t {
		lead, trail := byte(i>>8)+cp932FirstLead, byte(i)
		if !isCP932Lead(lead) || trail < 0x40 || trail == 0x7F || trail > 0xFC {
			continue
		}
		if lead >= 0xF0 && lead <= 0xF9 {
			t[i] = 0xE000 + uint16(lead-0xF0)*188 + uint16(trail-0x40)
			if trail > 0x7F {
				t[i]--
			}
			continue
		}
		out, err := dec.Bytes([]byte{lead, trail})
		if r, n := utf8.DecodeRune(out); err == nil && n == len(out) && r != utf8.RuneError {
			t[i] = uint16(r)
		}
	}
	return &t
})

// decode gives the character at the start of b, which is not ASCII, and its length in bytes; 0 where there is none.
func (t *cp932Table) decode(b []byte) (r rune, n int) {
	switch c := b[0]; {
	case isCP932Lead(c):
		if len(b) < 2 {
			return 0, 0
		}
		if r := t[int(c-cp932FirstLead)<<8|int(b[1])]; r != 0 {
			return rune(r), 2
		}
	case c >= 0xA1 && c <= 0xDF: // katakana of half width
		return 0xFF61 + rune(c-0xA1), 1
	case c == 0x80:
		return 0x80, 1
	}
	return 0, 0
}

func isCP932Lead(c byte) bool { return c >= 0x81 && c <= 0x9F || c >= 0xE0 && c <= 0xFC }
