package charset

import (
	"io"
)

// iso2022JPEncoding is ISO-2022-JP (RFC 1468) with the sets of its extensions: half-width katakana and JIS X 0212.
//
// Escape sequences designate the set of the bytes after them. The splittable bytes are EUC-JP's, with each escape
// sequence preserved, its bytes with their high bit set; a byte that is invalid in this encoding is preserved as
// appendStray does. So a comma in them is a comma, and they can be converted back and measured.
type iso2022JPEncoding struct{}

func (iso2022JPEncoding) Name() string         { return "iso-2022-jp" }
func (iso2022JPEncoding) BOM() []byte          { return nil }
func (iso2022JPEncoding) Direct(b []byte) bool { return IsASCII(b) }

func (iso2022JPEncoding) Reader(r io.Reader) io.Reader {
	return &convertedReader{src: r, conv: new(jisConverter)}
}

// Width examines only single bytes, so b may begin and end within a character.
func (iso2022JPEncoding) Width(b []byte) int64 {
	var n int64
	for _, c := range b {
		if c&0xF0 != 0x80 { // the two shifts and the halves of a stray byte
			n++
		}
	}
	return n
}

// AppendSource stops at an incomplete stray byte at the end of b.
func (iso2022JPEncoding) AppendSource(dst, b []byte) []byte {
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == strayByte:
			if i+3 > len(b) {
				return dst
			}
			dst = append(dst, b[i+1]&0xF<<4|b[i+2]&0xF)
			i += 2
		case c&0xF0 != 0x80:
			dst = append(dst, c&0x7F)
		}
	}
	return dst
}

func (iso2022JPEncoding) AppendText(dst, b []byte) ([]byte, int) {
	return appendDecoded(dst, b, iso2022JPEncoding{}.step)
}

func (iso2022JPEncoding) step(b []byte) (r rune, n int) {
	if b[0] == escape|0x80 {
		n, _ := designation(b, 0x80)
		return noCharacter, n
	}
	return jisSets().decode(b)
}

const (
	escape   = 0x1B
	shiftOut = 0x0E
	shiftIn  = 0x0F
)

// jisConverter converts ISO-2022-JP to splittable bytes. Its zero value is at the start of a line.
type jisConverter struct {
	set  characterSet
	half bool // the first byte of two was read
}

type characterSet uint8

const (
	latin characterSet = iota // ASCII, and JIS X 0201 Roman, which everybody treats as ASCII
	halfWidthKatakana
	x0208
	x0212
)

// designations are the escape sequences, without the escape character, and the sets that they designate.
var designations = []struct {
	sequence string
	set      characterSet
}{{"(B", latin}, {"(J", latin}, {"(I", halfWidthKatakana}, {"$@", x0208}, {"$B", x0208}, {"$(D", x0212}}

const longestDesignation = 4

// designation returns the length of the escape sequence at the start of b and the set that it designates; 0 if there is
// none. high is the high bit of all bytes.
func designation(b []byte, high byte) (n int, set characterSet) {
	for _, d := range designations {
		if len(b) > len(d.sequence) && continues(b[1:], d.sequence, high) {
			return len(d.sequence) + 1, d.set
		}
	}
	return 0, latin
}

func continues(b []byte, sequence string, high byte) bool {
	for i := range len(sequence) {
		if b[i] != sequence[i]|high {
			return false
		}
	}
	return true
}

// convert leaves an incomplete escape sequence unless final is set. By RFC 1468 a line ends in ASCII, so a line that
// does not affects only itself.
func (c *jisConverter) convert(dst, src []byte, final bool) ([]byte, int) {
	i := 0
	for ; i < len(src); i++ {
		b := src[i]
		switch {
		case b == escape:
			if len(src)-i < longestDesignation && !final {
				return dst, i
			}
			n, set := designation(src[i:], 0)
			if n == 0 {
				dst = appendStray(dst, b)
				continue
			}
			for _, e := range src[i : i+n] {
				dst = append(dst, e|0x80)
			}
			c.set, c.half = set, false
			i += n - 1
		case b >= 0x80 || b == shiftOut || b == shiftIn:
			dst = appendStray(dst, b)
		case b <= ' ' || b == 0x7F || c.set == latin: // control characters and the blank are outside the sets
			if b == '\n' || b == '\r' {
				c.set = latin
			}
			c.half = false
			dst = append(dst, b)
		default:
			dst = c.appendCharacter(dst, b)
		}
	}
	return dst, i
}

// appendCharacter appends a byte of a set other than ASCII.
func (c *jisConverter) appendCharacter(dst []byte, b byte) []byte {
	switch {
	case c.set == halfWidthKatakana:
		return append(dst, singleShift2, b|0x80)
	case c.set == x0212 && !c.half:
		dst = append(dst, singleShift3)
	}
	c.half = !c.half
	return append(dst, b|0x80)
}
