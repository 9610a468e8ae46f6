package charset

import (
	"bytes"
	"io"
	"testing"
	"unicode/utf16"
)

func TestUTF16IsReadAsText(t *testing.T) {
	t.Parallel()
	for _, enc := range []Encoding{UTF16LE, UTF16BE} {
		source := encode(enc, utf16.Encode([]rune("名,𠮷\"\r\n")))
		text, err := io.ReadAll(enc.Reader(bytes.NewReader(source)))
		if err != nil || string(text) != "名,𠮷\"\r\n" {
			t.Errorf("%s: %q, %v", enc.Name(), text, err)
		}
	}
}

func TestUTF16TellsWhereTextEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		units []uint16
		odd   string
		bad   int
	}{
		"lone high surrogate": {units: []uint16{'a', 0xD842, 'b'}, bad: 1},
		"lone low surrogate":  {units: []uint16{0xDFB7}, bad: 0},
		"high surrogate last": {units: []uint16{'a', 'b', 0xD842}, bad: 2},
		"odd byte last":       {units: []uint16{'a'}, odd: "\x62", bad: 1},
		"whole":               {units: []uint16{'a', 0xD842, 0xDFB7}, bad: -1},
	} {
		source := append(encode(UTF16BE, c.units), c.odd...)
		text, err := io.ReadAll(UTF16BE.Reader(bytes.NewReader(source)))
		if err != nil {
			t.Fatal(err)
		}
		if _, bad := UTF16BE.AppendText(nil, text); bad != c.bad || UTF16BE.Direct(text) != (c.bad < 0) {
			t.Errorf("%s: bad at %d; want %d", name, bad, c.bad)
		}
	}
}

func encode(enc Encoding, units []uint16) (source []byte) {
	for _, u := range units {
		source = enc.(utf16Encoding).appendUnit(source, u)
	}
	return source
}
