package charset

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// Every pair of bytes, and characters of four, are read as golang.org/x/text reads them, which has the WHATWG tables.
func TestDoubleByteAgreesWithTheWHATWGTables(t *testing.T) {
	t.Parallel()
	for _, enc := range []Encoding{GB18030, Big5, EUCKR} {
		dec := legacy[enc.Name()].NewDecoder()
		check := func(source []byte) {
			want, err := dec.Bytes(source)
			if err != nil {
				t.Fatal(err)
			}
			got, bad := decode(t, enc, string(source))
			if invalid := bytes.ContainsRune(want, utf8.RuneError); invalid != (bad >= 0) || !invalid && !bytes.Equal(got, want) {
				t.Errorf("%s: % x is %q, bad at %d; the table has %q", enc.Name(), source, got, bad, want)
			}
		}
		for lead := 0x80; lead <= 0xff; lead++ {
			for trail := range 0x100 {
				check([]byte{byte(lead), byte(trail)})
				if trail >= '0' && trail <= '9' {
					check([]byte{byte(lead), byte(trail), 0x81 + byte(lead*7%126), '0' + byte(lead%10)})
				}
			}
		}
	}
}
