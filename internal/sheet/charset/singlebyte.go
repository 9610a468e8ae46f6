package charset

import (
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// singleByte is a single-byte encoding whose lower half is ASCII.
type singleByte struct {
	name string
	high [128]rune // the characters of 0x80–0xFF; 0 if there is none
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
)

func newSingleByte(name string, table *charmap.Charmap) *singleByte {
	e := &singleByte{name: name}
	for i := range e.high {
		if r := table.DecodeByte(byte(0x80 + i)); r != utf8.RuneError {
			e.high[i] = r
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

func (e *singleByte) AppendText(dst, b []byte) ([]byte, int) {
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
