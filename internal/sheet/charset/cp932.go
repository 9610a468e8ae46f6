package charset

import (
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// cp932Encoding is Microsoft's code page 932: Shift JIS with the rows of NEC and IBM (①, 髙) and the user-defined
// characters, as in the WHATWG Encoding Standard's Shift_JIS decoder.
//
// A character's second byte is 0x40–0x7E or 0x80–0xFC, so it may look like a | or a backslash. In splittable bytes such
// a byte has its high bit set and trailMark before it. The byte 0xFF, which is invalid, becomes trailMark and 0x80.
type cp932Encoding struct{ trailMarks }

func (e cp932Encoding) Reader(r io.Reader) io.Reader { return &convertedReader{src: r, conv: e} }
func (cp932Encoding) Name() string                   { return "cp932" }
func (cp932Encoding) BOM() []byte                    { return nil }
func (cp932Encoding) Direct(b []byte) bool           { return IsASCII(b) }

// convert leaves a first byte at the end unless final is set.
func (cp932Encoding) convert(dst, src []byte, final bool) ([]byte, int) {
	pairs := cp932Pairs()
	dst = slices.Grow(dst, len(src)*2)
	i := 0
	for i < len(src) {
		c := src[i]
		switch {
		case c < utf8.RuneSelf:
			n := asciiLen(src[i:])
			dst = append(dst, src[i:i+n]...)
			i += n - 1
		case c == trailMark:
			dst = append(dst, trailMark, 0x80)
		case !isCP932Lead(c) || final && i+1 == len(src):
			dst = append(dst, c)
		case i+1 == len(src):
			return dst, i
		case src[i+1] >= 0x80 && src[i+1] != trailMark:
			dst = append(dst, c, src[i+1])
			i++
		case pairs.at(c, src[i+1]) != 0:
			dst = append(dst, c, trailMark, src[i+1]|0x80)
			i++
		default:
			dst = append(dst, c)
		}
		i++
	}
	return dst, i
}

func (cp932Encoding) AppendText(dst, b []byte) ([]byte, int) {
	pairs, start := cp932Pairs(), 0
	// nearly all of a cell is such a pair
	for ; start+1 < len(b) && isCP932Lead(b[start]) && b[start+1] >= 0x80 && b[start+1] != trailMark; start += 2 {
		r := pairs.at(b[start], b[start+1])
		if r == 0 {
			break
		}
		dst = utf8.AppendRune(dst, r)
	}
	dst, bad := appendDecoded(dst, b[start:], pairs.decodeMarked)
	if bad >= 0 {
		bad += start
	}
	return dst, bad
}

const (
	cp932FirstLead = 0x81
	cp932LastLead  = 0xFC
)

// cp932Table maps first and second byte to two-byte characters; 0 if there is none.
type cp932Table [(cp932LastLead - cp932FirstLead + 1) << 8]uint16

// cp932Pairs builds the table once, from the WHATWG table in golang.org/x/text and the user-defined rows 0xF0–0xF9,
// which that lacks.
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

func (cp932Encoding) step(b []byte) (r rune, n int) { return cp932Pairs().decodeMarked(b) }

// at returns a two-byte character; lead must be a possible first byte.
func (t *cp932Table) at(lead, trail byte) rune {
	return rune(t[int(lead-cp932FirstLead)<<8|int(trail)])
}

// decode returns the non-ASCII character at the start of b, bytes of the file, and its length in bytes; 0 if there is
// none.
func (t *cp932Table) decode(b []byte) (r rune, n int) {
	c := b[0]
	switch {
	case !isCP932Lead(c):
		return cp932Single(c)
	case len(b) > 1 && t.at(c, b[1]) != 0:
		return t.at(c, b[1]), 2
	}
	return 0, 0
}

// decodeMarked is decode for splittable bytes.
func (t *cp932Table) decodeMarked(b []byte) (r rune, n int) {
	if len(b) > 2 && b[1] == trailMark && isCP932Lead(b[0]) && b[2] > 0x80 {
		return t.at(b[0], b[2]&0x7F), 3
	}
	if len(b) > 1 && b[1] < 0x80 && isCP932Lead(b[0]) {
		return 0, 0
	}
	return t.decode(b)
}

func cp932Single(c byte) (r rune, n int) {
	switch {
	case c >= 0xA1 && c <= 0xDF: // half-width katakana
		return 0xFF61 + rune(c-0xA1), 1
	case c == 0x80:
		return 0x80, 1
	}
	return 0, 0
}

func isCP932Lead(c byte) bool { return c >= 0x81 && c <= 0x9F || c >= 0xE0 && c <= 0xFC }
