package charset

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Encoding is UTF-16 with the low byte of a unit at index low.
//
// Its splittable bytes are UTF-8. What is invalid in UTF-16 is preserved as invalid UTF-8, so that every record can be
// converted back into the file's bytes and measured: a lone surrogate becomes the three bytes of UTF-8's pattern, and
// an odd last byte becomes 0xFF and its halves in two continuation bytes.
type utf16Encoding struct {
	name string
	low  int
}

// strayByte precedes the halves of a byte that has no other representation in splittable bytes.
const strayByte = 0xFF

func appendStray(dst []byte, c byte) []byte { return append(dst, strayByte, 0x80|c>>4, 0x80|c&0xF) }

func (e utf16Encoding) Name() string                 { return e.name }
func (e utf16Encoding) BOM() []byte                  { return e.appendUnit(nil, 0xFEFF) }
func (e utf16Encoding) Reader(r io.Reader) io.Reader { return &convertedReader{src: r, conv: e} }
func (e utf16Encoding) Direct(b []byte) bool         { return utf8.Valid(b) }

func (e utf16Encoding) AppendText(dst, b []byte) ([]byte, int) { return UTF8.AppendText(dst, b) }

// Width examines only single bytes, so b may begin and end within a character.
func (utf16Encoding) Width(b []byte) int64 {
	var n int64
	for _, c := range b {
		switch {
		case c == strayByte:
			n++
		case c >= 0xF0:
			n += 4
		case c < 0x80 || c >= 0xC0:
			n += 2
		}
	}
	return n
}

// AppendSource stops at an incomplete character at the end of b.
func (e utf16Encoding) AppendSource(dst, b []byte) []byte {
	for i := 0; i < len(b); {
		if r, n := utf8.DecodeRune(b[i:]); n != 1 || r != utf8.RuneError {
			for _, u := range utf16.AppendRune(nil, r) {
				dst = e.appendUnit(dst, u)
			}
			i += n
			continue
		}
		if i+3 > len(b) {
			break
		}
		switch b[i] {
		case strayByte:
			dst = append(dst, b[i+1]&0xF<<4|b[i+2]&0xF)
		case 0xED:
			dst = e.appendUnit(dst, 0xD000|uint16(b[i+1]&0x3F)<<6|uint16(b[i+2]&0x3F))
		default:
			return dst
		}
		i += 3
	}
	return dst
}

func (e utf16Encoding) appendUnit(dst []byte, u uint16) []byte {
	if e.low == 0 {
		return binary.LittleEndian.AppendUint16(dst, u)
	}
	return binary.BigEndian.AppendUint16(dst, u)
}

func (e utf16Encoding) unit(b []byte) uint16 { return uint16(b[e.low]) | uint16(b[1-e.low])<<8 }

// convert leaves an odd byte and a high surrogate at the end unless final is set.
func (e utf16Encoding) convert(dst, src []byte, final bool) ([]byte, int) {
	i := 0
	for ; i+2 <= len(src); i += 2 {
		u := rune(e.unit(src[i:]))
		switch {
		case !utf16.IsSurrogate(u):
			dst = utf8.AppendRune(dst, u)
			continue
		case i+4 > len(src) && !final:
			return dst, i
		case i+4 <= len(src):
			if r := utf16.DecodeRune(u, rune(e.unit(src[i+2:]))); r != utf8.RuneError {
				dst = utf8.AppendRune(dst, r)
				i += 2
				continue
			}
		}
		dst = append(dst, 0xED, 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
	}
	if final && i < len(src) {
		dst = appendStray(dst, src[i])
		i++
	}
	return dst, i
}
