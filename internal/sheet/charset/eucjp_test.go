package charset

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

func TestJapaneseEncodingsOfUnix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		enc          Encoding
		source, want string
		bad          int
	}{
		{EUCJP, "a\xc5\xec\xb5\xfe", "a東京", -1},
		{EUCJP, "\x8e\xc3\x8e\xde", "ﾃﾞ", -1},              // single shift 2
		{EUCJP, "\x8f\xb0\xa1", "丂", -1},                   // single shift 3: JIS X 0212
		{EUCJP, "\xad\xa1\xad\xea\xfc\xe2", "①㈱髙", -1},     // NEC's rows
		{EUCJP, "\xa1\xc1\xa1\xdd", "～－", -1},              // as Microsoft reads them
		{EUCJP, "\xc5\xec\xb5", "", 2},                     // cut off
		{EUCJP, "\xc5\xec\xff", "", 2},                     //
		{EUCJP, "\x8e\xe0", "", 0},                         // no katakana
		{EUCJP, "\xc5,", "", 0},                            //
		{EUCJP, "\xa9\xa1", "", 0},                         // a row without characters
		{ISO2022JP, "a\x1b$BElI=\x1b(B,", "a東表,", -1},      //
		{ISO2022JP, "\x1b$@El\x1b(J\\", "東\\", -1},         // the older set, and JIS X 0201
		{ISO2022JP, "\x1b(IC^\x1b(B", "ﾃﾞ", -1},            //
		{ISO2022JP, "\x1b$(D0!\x1b(B", "丂", -1},            //
		{ISO2022JP, "\x1b$BEl\n,\"", "東\n,\"", -1},         // a line begins in ASCII
		{ISO2022JP, "\x1b$BElI\x1b(Bx", "", 5},             // half a character
		{ISO2022JP, "ab\xb1", "", 2},                       // no byte has eight bits
		{ISO2022JP, "a\x1b[1m", "", 1},                     // another escape sequence
		{ISO2022JP, "a\x0e1", "", 1},                       // nor shift out
		{Windows1252, "\x80 caf\xe9 \x9c", "€ café œ", -1}, //
		{Windows1252, "\x81", "", 0},
		{Windows1252, "\x8d", "", 0},
		{Windows1252, "\x8f", "", 0},
		{Windows1252, "\x90", "", 0},
		{Windows1252, "a\x9d", "", 1},    // the five that are not defined
		{Latin9, "\xa4 \xbd", "€ œ", -1}, //
		{Latin9, "\x80", "", 0},          // a control character
	} {
		split := splitBytes(t, c.enc, c.source)
		text, bad := c.enc.AppendText([]byte("kept "), split)
		if bad >= 0 {
			bad = int(c.enc.Width(split[:bad]))
		}
		if bad != c.bad || bad < 0 && string(text) != "kept "+c.want || bytes.ContainsRune(text, utf8.RuneError) {
			t.Errorf("%s % x is %q, bad at %d; want %q, %d", c.enc.Name(), c.source, text, bad, c.want, c.bad)
		}
	}
}

// Every two and three bytes are read as the WHATWG tables have them.
func TestEUCJPAgreesWithTheWHATWGTable(t *testing.T) {
	t.Parallel()
	dec := japanese.EUCJP.NewDecoder()
	for i := range 2 << 16 {
		source := []byte{byte(i >> 8), byte(i)}
		if i >= 1<<16 {
			source = []byte{singleShift3, byte(i >> 8), byte(i)}
		}
		want, err := dec.Bytes(source)
		if err != nil {
			t.Fatal(err)
		}
		got, bad := EUCJP.AppendText(nil, source)
		if invalid := bytes.ContainsRune(want, utf8.RuneError); invalid != (bad >= 0) || !invalid && !bytes.Equal(got, want) {
			t.Fatalf("% x is %q, bad at %d; the table has %q", source, got, bad, want)
		}
	}
}
