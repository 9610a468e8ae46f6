package charset

import (
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// singleByte is a single-byte encoding whose lower half is ASCII.
type singleByte struct {
	name string
	high [128]rune // the characters of 0x80–0xFF; 0 if there is none
	// it has marks behind their letters, as the tones of Vietnamese, which make one character with them
	marks bool
}

var (
	windows1250 = newSingleByte("windows-1250", charmap.Windows1250)
	windows1251 = newSingleByte("windows-1251", charmap.Windows1251)
	windows1252 = newSingleByte("windows-1252", charmap.Windows1252)
	windows1253 = newSingleByte("windows-1253", charmap.Windows1253)
	windows1254 = newSingleByte("windows-1254", charmap.Windows1254)
	windows1256 = newSingleByte("windows-1256", charmap.Windows1256)
	windows1257 = newSingleByte("windows-1257", charmap.Windows1257)
	latin9      = newSingleByte("iso-8859-15", charmap.ISO8859_15)
	koi8r       = newSingleByte("koi8-r", charmap.KOI8R)
	macintosh   = newSingleByte("macintosh", charmap.Macintosh)

	windows874  = newSingleByte("windows-874", charmap.Windows874)
	windows1255 = newSingleByte("windows-1255", charmap.Windows1255)
	windows1258 = newSingleByte("windows-1258", charmap.Windows1258)
	latin2      = newSingleByte("iso-8859-2", charmap.ISO8859_2)
	iso88595    = newSingleByte("iso-8859-5", charmap.ISO8859_5)
	iso88596    = newSingleByte("iso-8859-6", charmap.ISO8859_6)
	iso88597    = newSingleByte("iso-8859-7", charmap.ISO8859_7)
	koi8u       = newSingleByte("koi8-u", charmap.KOI8U)
	cp437       = newSingleByte("cp437", charmap.CodePage437)
	cp850       = newSingleByte("cp850", charmap.CodePage850)
	cp852       = newSingleByte("cp852", charmap.CodePage852)
	cp862       = newSingleByte("cp862", charmap.CodePage862)
	cp866       = newSingleByte("cp866", charmap.CodePage866)
	macCyrillic = newSingleByte("x-mac-cyrillic", charmap.MacintoshCyrillic)
	iso88594    = newSingleByte("iso-8859-4", charmap.ISO8859_4)
	cp855       = newSingleByte("cp855", charmap.CodePage855)
	cp860       = newSingleByte("cp860", charmap.CodePage860)
	cp863       = newSingleByte("cp863", charmap.CodePage863)
	cp865       = newSingleByte("cp865", charmap.CodePage865)
)

func newSingleByte(name string, table *charmap.Charmap) *singleByte {
	e := &singleByte{name: name}
	for i := range e.high {
		if r := table.DecodeByte(byte(0x80 + i)); r != utf8.RuneError {
			e.high[i] = r
			e.marks = e.marks || r == '\u0301'
		}
	}
	return e
}

func (e *singleByte) Name() string                    { return e.name }
func (*singleByte) BOM() []byte                       { return nil }
func (*singleByte) Reader(r io.Reader) io.Reader      { return r }
func (*singleByte) Width(b []byte) int64              { return int64(len(b)) }
func (*singleByte) AppendSource(dst, b []byte) []byte { return append(dst, b...) }
func (*singleByte) Direct(b []byte) bool              { return IsASCII(b) }

// asRead returns a text as it stands in the file; as it is if it has other characters.
func (e *singleByte) asRead(text string) string {
	var b []byte
	for _, r := range text {
		i := slices.Index(e.high[:], r)
		switch {
		case r < utf8.RuneSelf:
			b = append(b, byte(r))
		case i < 0:
			return text
		default:
			b = append(b, byte(utf8.RuneSelf+i))
		}
	}
	return string(b)
}

func (e *singleByte) AppendText(dst, b []byte) ([]byte, int) {
	if e.marks {
		text, bad := e.appendLetters(nil, b)
		return norm.NFC.Append(dst, text...), bad
	}
	return e.appendLetters(dst, b)
}

// appendLetters appends the characters of b one by one.
func (e *singleByte) appendLetters(dst, b []byte) ([]byte, int) {
	for i, c := range b {
		switch {
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		case e.high[c-0x80] == 0:
			return dst, i
		default:
			dst = utf8.AppendRune(dst, e.high[c-0x80])
		}
	}
	return dst, -1
}
