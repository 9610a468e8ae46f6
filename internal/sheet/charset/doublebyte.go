package charset

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// doubleByte is an encoding of characters of two bytes: GB18030, Big5 with the characters of Hong Kong, or EUC-KR with those of Windows'
// code page 949, as in the WHATWG Encoding Standard. In splittable bytes a second byte of ASCII is marked as in CP932.
type doubleByte struct {
	trailMarks
	name  string
	table func() *doubleByteTable
}

// doubleByteTable has the characters by their bytes.
type doubleByteTable struct {
	euro  bool              // 0x80 is one, as in Windows' code page 936
	four  *encoding.Decoder // of characters of four bytes, whose second and fourth are digits; nil if there are none
	pairs [126 << 8]rune    // by first byte, from 0x81, and second byte; 0 if there is none, −1 and below for those in accented
}

// accented are the characters of Big5 that are two in Unicode.
var accented = [...]string{"\u00ca\u0304", "\u00ca\u030c", "\u00ea\u0304", "\u00ea\u030c"}

var (
	gb18030 = newDoubleByte("gb18030", simplifiedchinese.GB18030, true)
	big5    = newDoubleByte("big5", traditionalchinese.Big5, false)
	eucKR   = newDoubleByte("euc-kr", korean.EUCKR, false)
)

func newDoubleByte(name string, enc encoding.Encoding, chinese bool) *doubleByte {
	return &doubleByte{name: name, table: sync.OnceValue(func() *doubleByteTable {
		t := &doubleByteTable{euro: chinese}
		t.fill(enc.NewDecoder())
		if chinese {
			t.four = enc.NewDecoder()
		}
		return t
	})}
}

// fill takes the pairs from the tables in golang.org/x/text, all at once: each with a line end, which is no second byte.
func (t *doubleByteTable) fill(dec *encoding.Decoder) {
	source := make([]byte, 0, 3*len(t.pairs))
	for i := range t.pairs {
		if byte(i) >= 0x40 {
			source = append(source, byte(i>>8)+0x81, byte(i), '\n')
		}
	}
	text, _ := dec.Bytes(source) // invalid bytes are no errors, but U+FFFD
	for i := range t.pairs {
		if byte(i) < 0x40 {
			continue
		}
		var character []byte
		character, text, _ = bytes.Cut(text, []byte("\n"))
		if r, n := utf8.DecodeRune(character); n == len(character) && r != utf8.RuneError {
			t.pairs[i] = r
		} else if at := slices.Index(accented[:], string(character)); at >= 0 {
			t.pairs[i] = rune(-1 - at)
		}
	}
}

// decode returns the character at the start of b, bytes of the file, and its length in bytes; 0 if there is none.
func (t *doubleByteTable) decode(b []byte) (r rune, n int) {
	switch {
	case b[0] == 0x80 && t.euro:
		return '€', 1
	case !isDoubleLead(b[0]) || len(b) < 2:
		return 0, 0
	case isDigit(b[1]):
		return t.decodeFour(b)
	}
	if r := t.pairs[int(b[0]-0x81)<<8|int(b[1])]; r != 0 {
		return r, 2
	}
	return 0, 0
}

func (t *doubleByteTable) decodeFour(b []byte) (r rune, n int) {
	if t.four == nil || len(b) < 4 || !isDoubleLead(b[2]) || !isDigit(b[3]) {
		return 0, 0
	}
	text, err := t.four.Bytes(b[:4])
	if r, n = utf8.DecodeRune(text); err != nil || r == utf8.RuneError || n != len(text) {
		return 0, 0
	}
	return r, 4
}

// decodeMarked is decode for splittable bytes.
func (t *doubleByteTable) decodeMarked(b []byte) (r rune, n int) {
	var plain [4]byte
	size, used := 0, 0
	for size < len(plain) && used < len(b) {
		c := b[used]
		if used++; c == trailMark {
			if used == len(b) || b[used] == 0x80 {
				break
			}
			c = b[used] & 0x7F
			used++
		} else if size%2 == 1 && c < utf8.RuneSelf { // not marked, so no second byte
			break
		}
		plain[size] = c
		if size++; size == 2 && !isDigit(c) {
			break
		}
	}
	if size == 0 {
		return 0, 0
	}
	switch r, n = t.decode(plain[:size]); n {
	case 1:
		return r, 1
	case size:
		return r, used
	}
	return 0, 0
}

func (e *doubleByte) step(b []byte) (r rune, n int) { return e.table().decodeMarked(b) }

func (e *doubleByte) Name() string                 { return e.name }
func (*doubleByte) BOM() []byte                    { return nil }
func (e *doubleByte) Reader(r io.Reader) io.Reader { return &convertedReader{src: r, conv: e} }
func (*doubleByte) Direct(b []byte) bool           { return IsASCII(b) }

func (e *doubleByte) AppendText(dst, b []byte) ([]byte, int) {
	t := e.table()
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			n := asciiLen(b[i:])
			dst = append(dst, b[i:i+n]...)
			i += n
			continue
		}
		r, n := t.decodeMarked(b[i:])
		switch {
		case n == 0:
			return dst, i
		case r < 0:
			dst = append(dst, accented[-1-r]...)
		default:
			dst = utf8.AppendRune(dst, r)
		}
		i += n
	}
	return dst, -1
}

// convert leaves up to three bytes of a character at the end unless final is set.
func (e *doubleByte) convert(dst, src []byte, final bool) ([]byte, int) {
	t := e.table()
	dst = slices.Grow(dst, len(src)*2)
	i := 0
	for i < len(src) {
		rest := src[i:]
		switch c := rest[0]; {
		case c < utf8.RuneSelf:
			n := asciiLen(rest)
			dst = append(dst, rest[:n]...)
			i += n
			continue
		case c == trailMark:
			dst = append(dst, trailMark, 0x80)
			i++
			continue
		case !final && isDoubleLead(c) && (len(rest) < 2 || t.four != nil && isDigit(rest[1]) && len(rest) < 4):
			return dst, i
		}
		n := 1
		if len(rest) > 1 && rest[1] >= 0x80 && rest[1] != trailMark && isDoubleLead(rest[0]) {
			n = 2
		} else if _, size := t.decode(rest); size > 0 {
			n = size
		}
		for _, c := range rest[:n] {
			if c < utf8.RuneSelf {
				dst = append(dst, trailMark)
			}
			dst = append(dst, c|0x80)
		}
		i += n
	}
	return dst, i
}

func isDoubleLead(c byte) bool { return c >= 0x81 && c <= 0xFE }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
