package charset

import (
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// eucJPEncoding is EUC-JP as in the WHATWG Encoding Standard: JIS X 0208 with the rows of NEC and IBM, with Microsoft's
// mapping of ～ and －, half-width katakana, and JIS X 0212. All bytes of a character are non-ASCII.
type eucJPEncoding struct{}

func (eucJPEncoding) Name() string                      { return "euc-jp" }
func (eucJPEncoding) BOM() []byte                       { return nil }
func (eucJPEncoding) Reader(r io.Reader) io.Reader      { return r }
func (eucJPEncoding) Width(b []byte) int64              { return int64(len(b)) }
func (eucJPEncoding) AppendSource(dst, b []byte) []byte { return append(dst, b...) }
func (eucJPEncoding) Direct(b []byte) bool              { return IsASCII(b) }

func (eucJPEncoding) step(b []byte) (r rune, n int) { return jisSets().decode(b) }

func (eucJPEncoding) AppendText(dst, b []byte) ([]byte, int) {
	return appendDecoded(dst, b, jisSets().decode)
}

// The bytes before a character of a set other than JIS X 0208.
const (
	singleShift2 = 0x8E // half-width katakana
	singleShift3 = 0x8F // JIS X 0212
)

// jisSet maps row and cell to the characters of a set of 94 rows of 94; 0 if there is none.
type jisSet [94 * 94]uint16

// jisTables are the two sets of two-byte characters.
type jisTables struct{ x0208, x0212 jisSet }

// jisSets builds the tables once, from those in golang.org/x/text.
var jisSets = sync.OnceValue(func() *jisTables {
	var t jisTables
	t.x0208.fill()
	t.x0212.fill(singleShift3)
	return &t
})

func (s *jisSet) fill(shift ...byte) {
	dec := japanese.EUCJP.NewDecoder()
	for i := range s {
		out, err := dec.Bytes(append(slices.Clip(shift), 0xA1+byte(i/94), 0xA1+byte(i%94)))
		if r, n := utf8.DecodeRune(out); err == nil && n == len(out) && r != utf8.RuneError {
			s[i] = uint16(r)
		}
	}
}

// decode returns the non-ASCII character at the start of b, and its length in bytes; 0 if there is none.
func (t *jisTables) decode(b []byte) (r rune, n int) {
	switch c := b[0]; {
	case c == singleShift2:
		if len(b) > 1 && b[1] >= 0xA1 && b[1] <= 0xDF {
			return 0xFF61 + rune(b[1]-0xA1), 2
		}
	case c == singleShift3:
		if r := t.x0212.at(b[1:]); r != 0 {
			return r, 3
		}
	default:
		if r := t.x0208.at(b); r != 0 {
			return r, 2
		}
	}
	return 0, 0
}

// at returns the character whose two bytes b begins with, or 0.
func (s *jisSet) at(b []byte) rune {
	if len(b) < 2 || b[0] < 0xA1 || b[0] == 0xFF || b[1] < 0xA1 || b[1] == 0xFF {
		return 0
	}
	return rune(s[int(b[0]-0xA1)*94+int(b[1]-0xA1)])
}
