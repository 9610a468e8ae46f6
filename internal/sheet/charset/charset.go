// Package charset detects the text encodings of spreadsheets and decodes them strictly: invalid bytes are reported with
// their position and never become U+FFFD.
//
// CSV is split into cells before it is decoded, so decoding has two steps. Reader returns splittable bytes: in them
// commas, quotes and line ends, like every other ASCII character, stand only for themselves. Text then decodes one cell
// of these bytes. For example, the second byte of ソ in CP932 is a backslash, 0x83 0x5C; its splittable bytes contain no
// byte 0x5C.
//
// A Detector decides from samples which encoding a text without a byte order mark has.
package charset

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Encoding is a text encoding.
type Encoding interface {
	// Name returns the encoding's name in options and reports.
	Name() string
	// BOM returns the byte order mark that may precede the text; nil if there is none.
	BOM() []byte
	// Reader returns r's text as splittable bytes.
	Reader(r io.Reader) io.Reader
	// Width returns the number of bytes in the file from which b, a part of the splittable bytes, was made.
	Width(b []byte) int64
	// AppendSource appends the bytes of the file from which b was made.
	AppendSource(dst, b []byte) []byte
	// Direct reports whether b, a whole record, already is valid UTF-8.
	Direct(b []byte) bool
	// AppendText appends b, a whole cell, to dst as UTF-8. It stops at the first invalid byte of b and returns its
	// index, otherwise -1.
	AppendText(dst, b []byte) (text []byte, bad int)
}

// The supported encodings. Latin9 differs from windows-1252 in eight characters.
var (
	UTF8        Encoding = utf8Encoding{}
	UTF16LE     Encoding = utf16Encoding{name: "utf-16le", low: 0}
	UTF16BE     Encoding = utf16Encoding{name: "utf-16be", low: 1}
	CP932       Encoding = cp932Encoding{}
	EUCJP       Encoding = eucJPEncoding{}
	ISO2022JP   Encoding = iso2022JPEncoding{}
	GB18030     Encoding = gb18030
	Big5        Encoding = big5
	EUCKR       Encoding = eucKR
	Windows1250 Encoding = windows1250
	Windows1251 Encoding = windows1251
	Windows1252 Encoding = windows1252
	Windows1253 Encoding = windows1253
	Windows1254 Encoding = windows1254
	Windows1256 Encoding = windows1256
	Windows1257 Encoding = windows1257
	Latin9      Encoding = latin9
	KOI8R       Encoding = koi8r
	Macintosh   Encoding = macintosh

	Windows874  Encoding = windows874
	Windows1255 Encoding = windows1255
	Windows1258 Encoding = windows1258
	Latin2      Encoding = latin2
	ISO88595    Encoding = iso88595
	ISO88596    Encoding = iso88596
	ISO88597    Encoding = iso88597
	KOI8U       Encoding = koi8u
	CP437       Encoding = cp437
	CP850       Encoding = cp850
	CP852       Encoding = cp852
	CP862       Encoding = cp862
	CP866       Encoding = cp866
	MacCyrillic Encoding = macCyrillic

	ISO88594   Encoding = iso88594
	CP737      Encoding = cp737
	CP775      Encoding = cp775
	CP855      Encoding = cp855
	CP857      Encoding = cp857
	CP860      Encoding = cp860
	CP861      Encoding = cp861
	CP863      Encoding = cp863
	CP865      Encoding = cp865
	MacCE      Encoding = xMacCE
	MacGreek   Encoding = xMacGreek
	MacTurkish Encoding = macTurkish
)

var all = []Encoding{
	UTF8, UTF16LE, UTF16BE, CP932, EUCJP, ISO2022JP, GB18030, Big5, EUCKR,
	Windows1250, Windows1251, Windows1252, Windows1253, Windows1254, Windows1256, Windows1257, Latin9, KOI8R, Macintosh,
	Windows874, Windows1255, Windows1258, Latin2, ISO88595, ISO88596, ISO88597, KOI8U, CP437, CP850, CP852, CP862, CP866, MacCyrillic,
	ISO88594, CP737, CP775, CP855, CP857, CP860, CP861, CP863, CP865, MacCE, MacGreek, MacTurkish,
}

// aliases are other names in common use.
var aliases = map[string]Encoding{
	"utf8": UTF8, "utf16le": UTF16LE, "utf16be": UTF16BE,
	"shift_jis": CP932, "shift-jis": CP932, "sjis": CP932, "windows-31j": CP932, "ms932": CP932,
	"eucjp": EUCJP, "euc_jp": EUCJP, "cp51932": EUCJP, "iso2022jp": ISO2022JP, "jis": ISO2022JP,
	"cp1252": Windows1252, "latin1": Windows1252, "latin-1": Windows1252, "iso-8859-1": Windows1252, "latin9": Latin9, "latin-9": Latin9,
	"gbk": GB18030, "gb2312": GB18030, "cp936": GB18030, "euc-cn": GB18030, "big5-hkscs": Big5, "cp950": Big5,
	"euckr": EUCKR, "euc_kr": EUCKR, "cp949": EUCKR, "uhc": EUCKR, "windows-949": EUCKR, "ks_c_5601-1987": EUCKR,
	"cp1250": Windows1250, "cp1251": Windows1251, "cp1253": Windows1253, "cp1254": Windows1254, "cp1256": Windows1256, "cp1257": Windows1257,
	"koi8r": KOI8R, "koi8": KOI8R, "mac": Macintosh, "macroman": Macintosh, "mac-roman": Macintosh, "x-mac-roman": Macintosh,
	"cp874": Windows874, "tis-620": Windows874, "iso-8859-11": Windows874, "cp1255": Windows1255, "iso-8859-8": Windows1255,
	"cp1258": Windows1258,
	"latin2": Latin2, "latin-2": Latin2, "iso-8859-9": Windows1254, "latin5": Windows1254, "iso-8859-13": Windows1257,
	"ibm437": CP437, "ibm850": CP850, "cp858": CP850, "ibm852": CP852, "ibm862": CP862, "ibm866": CP866, "mac-cyrillic": MacCyrillic,
	"latin4": ISO88594, "ibm737": CP737, "ibm775": CP775, "ibm855": CP855, "ibm857": CP857, "ibm860": CP860, "ibm861": CP861,
	"ibm863": CP863, "ibm865": CP865, "mac-ce": MacCE, "mac-greek": MacGreek, "mac-turkish": MacTurkish,
}

// Names returns the encodings' names.
func Names() []string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name()
	}
	return names
}

// Lookup returns an encoding by its name or a common alias, ignoring case.
func Lookup(name string) (Encoding, bool) {
	name = strings.ToLower(name)
	if i := slices.IndexFunc(all, func(e Encoding) bool { return e.Name() == name }); i >= 0 {
		return all[i], true
	}
	e, ok := aliases[name]
	return e, ok
}

// IsASCII reports whether b contains only ASCII.
func IsASCII(b []byte) bool {
	n := len(b)
	switch {
	case n >= 8:
		for i := 0; i+8 < n; i += 8 {
			if binary.LittleEndian.Uint64(b[i:])&highBits != 0 {
				return false
			}
		}
		return binary.LittleEndian.Uint64(b[n-8:])&highBits == 0
	case n >= 4:
		return (binary.LittleEndian.Uint32(b)|binary.LittleEndian.Uint32(b[n-4:]))&(highBits>>32) == 0
	case n > 0:
		return b[0]|b[n/2]|b[n-1] < utf8.RuneSelf
	}
	return true
}

// highBits are those that no byte of ASCII has.
const highBits = 0x8080808080808080

// PlainLen returns the length of the text at the start of b that is the same in every encoding here except UTF-16:
// ASCII without the character that begins escape sequences.
func PlainLen(b []byte) int {
	b = b[:asciiLen(b)]
	if i := bytes.IndexByte(b, escape); i >= 0 {
		return i
	}
	return len(b)
}

// asciiLen returns the length of the ASCII at the start of b.
func asciiLen(b []byte) int {
	i := 0
	for ; i+32 <= len(b); i += 32 {
		w := (*[32]byte)(b[i:])
		all := binary.LittleEndian.Uint64(w[:]) | binary.LittleEndian.Uint64(w[8:]) |
			binary.LittleEndian.Uint64(w[16:]) | binary.LittleEndian.Uint64(w[24:])
		if all&highBits != 0 {
			break
		}
	}
	for ; i+8 <= len(b); i += 8 {
		if high := binary.LittleEndian.Uint64(b[i:]) & highBits; high != 0 {
			return i + bits.TrailingZeros64(high)/8
		}
	}
	for i < len(b) && b[i] < 0x80 {
		i++
	}
	return i
}

// noCharacter is returned for bytes that only change how others are decoded.
const noCharacter = -1

// appendDecoded appends the text of b, in which ASCII stands for itself and decode returns each other character and its
// length, 0 if there is none. It returns the index of the first such bytes, or -1.
func appendDecoded(dst, b []byte, decode func([]byte) (rune, int)) ([]byte, int) {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			n := asciiLen(b[i:])
			dst = append(dst, b[i:i+n]...)
			i += n
			continue
		}
		r, n := decode(b[i:])
		if n == 0 {
			return dst, i
		}
		if r != noCharacter {
			dst = utf8.AppendRune(dst, r)
		}
		i += n
	}
	return dst, -1
}
