package charset

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// A delimiter that is not ASCII splits texts of all encodings, where its own bytes stand and nowhere else, and what was split comes back.
func TestDelimitersOfTwoBytes(t *testing.T) {
	t.Parallel()
	cells := []string{"番號", "1", "", "亞あ", "病院い", "12\n", "ソ|表", "本"}
	for _, c := range []struct {
		enc Encoding
		as  encoding.Encoding
	}{
		{EUCJP, japanese.EUCJP}, {CP932, japanese.ShiftJIS}, {ISO2022JP, japanese.ISO2022JP},
		{GB18030, simplifiedchinese.GB18030}, {Big5, traditionalchinese.Big5}, {EUCKR, korean.EUCKR},
	} {
		for _, delimiter := range []string{"、", "，"} {
			text := strings.Join(cells, delimiter)
			file, err := c.as.NewEncoder().Bytes([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			enc, separator := AsRead(c.enc, delimiter)
			split, err := io.ReadAll(enc.Reader(iotest.OneByteReader(bytes.NewReader(file))))
			if err != nil {
				t.Fatal(err)
			}
			if source := enc.AppendSource(nil, split); !bytes.Equal(source, file) || enc.Width(split) != int64(len(file)) {
				t.Errorf("%s %s: %q comes back as %q of %d bytes", enc.Name(), delimiter, file, source, enc.Width(split))
			}
			want := strings.Split(text, delimiter)
			for i, cell := range strings.Split(string(split), separator) {
				if got, bad := enc.AppendText(nil, []byte(cell)); bad >= 0 || i >= len(want) || string(got) != want[i] {
					t.Errorf("%s %s: cell %d is %q, not as in %q", enc.Name(), delimiter, i, got, want)
				}
			}
			if back, comma := AsRead(enc, ","); back != c.enc || comma != "," {
				t.Errorf("%s: a comma is %q in %T", enc.Name(), comma, back)
			}
		}
	}
}
