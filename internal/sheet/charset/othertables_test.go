package charset

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// Some places of each table, as the Unicode Consortium has them.
func TestOtherTables(t *testing.T) {
	t.Parallel()
	for e, want := range map[*singleByte]map[byte]rune{
		cp737:      {0x80: 'Α', 0xAF: 'ψ', 0xE1: 'ά'},
		cp857:      {0x98: 'İ', 0x9E: 'Ş', 0x8D: 'ı'},
		cp775:      {0xD0: 'ą', 0xD1: 'č', 0xBE: 'Š'},
		cp861:      {0x8C: 'ð', 0x8D: 'Þ', 0x98: 'ý'},
		xMacCE:     {0x84: 'Ą', 0x8B: 'č', 0xCC: 'Ő'},
		xMacGreek:  {0xE1: 'α', 0xB0: 'Α', 0xA1: 'Γ'},
		macTurkish: {0xDD: 'ı', 0xDE: 'Ş', 0xDB: 'ğ'},
	} {
		for c, r := range want {
			if got := e.high[c-utf8.RuneSelf]; got != r {
				t.Errorf("%s has %q at %#x, not %q", e.name, got, c, r)
			}
		}
	}
}

// tableEncoding writes an encoding of which golang.org/x/text has no table.
type tableEncoding struct{ *singleByte }

func (tableEncoding) NewDecoder() *encoding.Decoder { return nil }

func (t tableEncoding) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: tableWriter{places: t.places()}}
}

// places are the bytes of the characters.
func (t tableEncoding) places() map[rune]byte {
	places := map[rune]byte{}
	for i, r := range &t.high {
		if r != 0 {
			places[r] = byte(i + utf8.RuneSelf)
		}
	}
	return places
}

type tableWriter struct {
	transform.NopResetter

	places map[rune]byte
}

func (w tableWriter) Transform(dst, src []byte, _ bool) (written, read int, err error) {
	for read < len(src) {
		r, n := utf8.DecodeRune(src[read:])
		c, known := w.places[r]
		switch {
		case written == len(dst):
			return written, read, transform.ErrShortDst
		case r < utf8.RuneSelf:
			c = byte(r)
		case !known:
			return written, read, encoding.ErrInvalidUTF8
		}
		dst[written] = c
		written, read = written+1, read+n
	}
	return written, read, nil
}
