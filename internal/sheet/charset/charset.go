// Package charset decides between the text encodings of spreadsheets and reads them strictly: bytes that are no text are reported with
// their place and never become U+FFFD.
//
// CSV is split into cells before it is decoded, so an encoding has two steps. Reader gives bytes to split: in them commas, quotes and
// line ends, as every other character of ASCII, stand for themselves and for nothing else. Text then decodes one cell of these bytes.
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
	// Name is the encoding's name in options and reports.
	Name() string
	// BOM is the byte order mark that may stand before the text; nil if there is none.
	BOM() []byte
	// Reader gives r's text as bytes to split.
	Reader(r io.Reader) io.Reader
	// Width is the number of bytes in the file that b, a piece of the bytes to split, was made of.
	Width(b []byte) int64
	// AppendSource appends to dst the bytes of the file that b was made of.
	AppendSource(dst, b []byte) []byte
	// Direct reports whether b, a whole record, is valid UTF-8 text already.
	Direct(b []byte) bool
	// AppendText appends b, a whole cell, to dst as UTF-8. It ends at the first byte of b that is no text, and gives its index, else -1.
	AppendText(dst, b []byte) (text []byte, bad int)
}

// The encodings that there are. Latin9 is never detected, for its text is windows-1252's but for eight characters.
var (
	UTF8        Encoding = utf8Encoding{}
	UTF16LE     Encoding = utf16Encoding{name: "utf-16le", low: 0}
	UTF16BE     Encoding = utf16Encoding{name: "utf-16be", low: 1}
	CP932       Encoding = cp932Encoding{}
	EUCJP       Encoding = eucJPEncoding{}
	ISO2022JP   Encoding = iso2022JPEncoding{}
	Windows1252 Encoding = windows1252
	Latin9      Encoding = latin9
)

var all = []Encoding{UTF8, UTF16LE, UTF16BE, CP932, EUCJP, ISO2022JP, Windows1252, Latin9}

// aliases are other names in common use.
var aliases = map[string]Encoding{
	"utf8": UTF8, "utf16le": UTF16LE, "utf16be": UTF16BE,
	"shift_jis": CP932, "shift-jis": CP932, "sjis": CP932, "windows-31j": CP932, "ms932": CP932,
	"eucjp": EUCJP, "euc_jp": EUCJP, "cp51932": EUCJP, "iso2022jp": ISO2022JP, "jis": ISO2022JP,
	"cp1252": Windows1252, "latin1": Windows1252, "latin-1": Windows1252, "iso-8859-1": Windows1252, "latin9": Latin9, "latin-9": Latin9,
}

// Names lists the encodings' names.
func Names() []string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name()
	}
	return names
}

// Lookup finds an encoding by its name or a common alias, in upper or lower case.
func Lookup(name string) (Encoding, bool) {
	name = strings.ToLower(name)
	if i := slices.IndexFunc(all, func(e Encoding) bool { return e.Name() == name }); i >= 0 {
		return all[i], true
	}
	e, ok := aliases[name]
	return e, ok
}

// IsASCII reports whether b holds ASCII alone.
func IsASCII(b []byte) bool { return asciiLen(b) == len(b) }

// PlainLen is the length of the text at the start of b that is the same in every encoding here but UTF-16: ASCII without the character
// that escape sequences begin with.
func PlainLen(b []byte) int {
	b = b[:asciiLen(b)]
	if i := bytes.IndexByte(b, escape); i >= 0 {
		return i
	}
	return len(b)
}

// asciiLen is the length of the ASCII at the start of b.
func asciiLen(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if high := binary.LittleEndian.Uint64(b[i:]) & 0x8080808080808080; high != 0 {
			return i + bits.TrailingZeros64(high)/8
		}
	}
	for i < len(b) && b[i] < 0x80 {
		i++
	}
	return i
}

// noCharacter is what bytes stand for that change how others are read.
const noCharacter = -1

// appendDecoded appends the text of b, in which ASCII is itself and decode gives each other character and its length, 0 where there is
// none. It returns the place of the first such bytes, or -1.
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
