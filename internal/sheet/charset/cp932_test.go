package charset

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

func TestCP932KnowsMicrosoftsCharacters(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"\x87\x40":     "①", // NEC row 13
		"\x87\x8a":     "㈱",
		"\xfb\xfc":     "髙", // IBM extension
		"\xee\xe0":     "髙", // the same, NEC selected
		"\xfa\xb1":     "﨑",
		"\xed\x95":     "﨑",
		"\x81\x60":     "～", // U+FF5E, not JIS X 0208's U+301C
		"\x81\x7c":     "－", // U+FF0D, not U+2212
		"\x83\x5c":     "ソ", // its second byte is a backslash
		"\x83\x7c":     "ポ", // and this one's a |
		"\xc3\xde\xd3": "ﾃﾞﾓ",
		"\x5c\x7e":     `\~`,
		"\x80":         "\u0080",
		"\xf0\x40":     "\ue000", // the first and the last user-defined character
		"\xf9\xfc":     "\ue757",
	} {
		if got, bad := decode(t, CP932, source); string(got) != want || bad != -1 {
			t.Errorf("% x is %q (U+%04X), bad at %d; want %q", source, got, []rune(string(got)), bad, want)
		}
	}
}

func TestCP932TellsWhereTextEnds(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"ab\x81":               2, // cut off
		"\x93\x8c\x81\x20":     2, // a blank is no second byte
		"\x81\x7f":             0,
		"\xa0":                 0,
		"x\xfd":                1,
		"\x85\x9f":             0, // a row without characters
		"\x93\x8c\x8b\x9e\xff": 4,
	} {
		split := splitBytes(t, CP932, source)
		text, bad := CP932.AppendText([]byte("kept "), split)
		if bad >= 0 {
			bad = int(CP932.Width(split[:bad]))
		}
		if bad != want {
			t.Errorf("% x: bad at %d; want %d", source, bad, want)
		}
		if !bytes.HasPrefix(text, []byte("kept ")) || bytes.ContainsRune(text, utf8.RuneError) {
			t.Errorf("% x: text %q", source, text)
		}
	}
}

// Every pair of bytes is read as the WHATWG table has it; the user-defined rows are not in golang.org/x/text's.
func TestCP932AgreesWithTheWHATWGTable(t *testing.T) {
	t.Parallel()
	dec := japanese.ShiftJIS.NewDecoder()
	for lead := 0x80; lead <= 0xff; lead++ {
		if lead >= 0xf0 && lead <= 0xf9 {
			continue
		}
		for trail := range 0x100 {
			source := []byte{byte(lead), byte(trail)}
			want, err := dec.Bytes(source)
			if err != nil {
				t.Fatal(err)
			}
			got, bad := decode(t, CP932, string(source))
			if invalid := bytes.ContainsRune(want, utf8.RuneError); invalid != (bad >= 0) || !invalid && !bytes.Equal(got, want) {
				t.Fatalf("% x is %q, bad at %d; the table has %q", source, got, bad, want)
			}
		}
	}
}
