package sheet

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// encodings are how others write what is to be read.
var encodings = map[string]encoding.Encoding{
	"utf-8":        encoding.Nop,
	"cp932":        japanese.ShiftJIS,
	"euc-jp":       japanese.EUCJP,
	"iso-2022-jp":  japanese.ISO2022JP,
	"windows-1252": charmap.Windows1252,
	"utf-16le":     unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":     unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
}

func encodeText(t testing.TB, name, text string) string {
	t.Helper()
	b, err := encodings[name].NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// textIn is text that the encoding can hold, with bytes like those of a comma, a quote, a | or a backslash in other characters.
func textIn(name string) string {
	if name == "windows-1252" {
		return "Größe für Françoise"
	}
	return "表示,ポスト,髙橋㈱"
}

// A file whose first character beyond ASCII stands anywhere, between the samples too, is read in its true encoding: at once where the
// file is in memory or who reads asks for it, else once that character is met.
func TestEncodingThatShowsLate(t *testing.T) {
	t.Parallel()
	for name := range encodings {
		if strings.HasPrefix(name, "utf-16") {
			continue
		}
		for _, rows := range []int{0, 10, 300_000, 700_000, 700_001} {
			t.Run(fmt.Sprint(name, " after ", rows), func(t *testing.T) {
				t.Parallel()
				ascii := strings.Repeat("1,2\n", rows)
				last := `"` + textIn(name) + `"`
				content := "a,b\n" + ascii + encodeText(t, name, "3,"+last+"\n") + ascii + "4,\x1b\xff\n"
				blockSize := blockBytes
				if rows%2 == 1 { // in pieces that cut the escape sequences elsewhere
					blockSize = 4099
				}
				book, err := open(t.Context(), strings.NewReader(content), opening{limits: DefaultLimits(), blockSize: blockSize})
				if err != nil {
					t.Fatal(err)
				}
				defer book.Close()
				if known := book.Encoding() == name; !known && len(content) <= keptBytes {
					t.Errorf("it is read as %s at first", book.Encoding())
				}
				if rows%200_000 == 100_000 { // asked before
					if err := book.SettleEncoding(); err != nil || book.Encoding() != name {
						t.Errorf("it is settled as %s: %v", book.Encoding(), err)
					}
				}
				checkLateText(t, book, int64(rows)+2, textIn(name), name, content)
			})
		}
	}
}

// checkLateText wants the text in the record given and a reject as the last one.
func checkLateText(t *testing.T, book *Book, no int64, text, name, content string) {
	t.Helper()
	s, err := book.Next()
	if err != nil {
		t.Fatal(err)
	}
	var found bool
	var rejects []int64
	for rec := range recordsOf(t, s) {
		if rec.Kind == Reject {
			rejects = append(rejects, rec.Offset)
			if string(rec.Raw) != "4,\x1b\xff" || rec.Errors[0].Code != InvalidEncoding {
				t.Errorf("reject %q, %+v", rec.Raw, rec.Errors)
			}
			continue
		}
		found = found || rec.No == no && string(rec.Cells[1]) == text
	}
	if !found || book.Encoding() != name {
		t.Errorf("the text is found: %v; read as %s (%g)", found, book.Encoding(), book.EncodingConfidence())
	}
	wantRejects := 1
	if name == "windows-1252" { // in which 0xFF is a letter
		wantRejects = 0
	}
	if len(rejects) != wantRejects || wantRejects == 1 && rejects[0] != int64(len(content)-5) {
		t.Errorf("rejects at %d of %d", rejects, len(content))
	}
}

// Escape sequences of terminals tell nothing of the encoding, and what comes after them still does.
func TestOtherEscapeSequencesSettleNothing(t *testing.T) {
	t.Parallel()
	const rows = lookBytes / 10
	content := "a,b\n" + strings.Repeat("1,\x1b[31m2\x1b[0m\n", rows) + encodeText(t, "cp932", "3,\""+textIn("cp932")+"\"\n") + "4,\x1b\xff\n"
	book, err := Open(t.Context(), strings.NewReader(content), Options{}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	checkLateText(t, book, rows+2, textIn("cp932"), "cp932", content)
}

// UTF-16 needs no byte order mark, and characters whose bytes look like commas, quotes and line ends split nothing.
func TestEveryEncodingIsRead(t *testing.T) {
	t.Parallel()
	for name := range encodings {
		text := textIn(name)
		content := encodeText(t, name, "a,b\r\n1,\""+text+"\"\r\n")
		want := []string{"header 1: a|b", "row 2: 1|" + text}
		for _, opt := range []Options{{}, {Encoding: name}} {
			if got := read(t, content, opt, DefaultLimits()); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %+v: %q", name, opt, got)
			}
		}
	}
}
