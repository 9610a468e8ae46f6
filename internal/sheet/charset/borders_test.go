package charset

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
	"pgregory.net/rapid"
)

// shuffled is n times one line and m times another, in any order.
func shuffled(t *rapid.T, one string, n int, other string, m int) string {
	lines := append(slices.Repeat([]string{one}, n), slices.Repeat([]string{other}, m)...)
	return strings.Join(rapid.Permutation(lines).Draw(t, "lines"), "")
}

// Some kanji in EUC-JP are letters of UTF-8 by chance. A text is UTF-8 as long as a broken byte comes on ten letters at
// the least, and EUC-JP where more of it is broken and reads well there.
func TestBorderOfBrokenUTF8(t *testing.T) {
	t.Parallel()
	letters, broken := eucJP(t, "年表,文物,名店\n"), eucJP(t, "山川\n") // six letters of UTF-8; and four bytes that are none
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(60, 300).Draw(t, "lines")
		few := rapid.IntRange(1, n*6/10/4).Draw(t, "few")
		if d := Detect(whole(shuffled(t, letters, n, broken, few))); d.Encoding != UTF8 {
			t.Errorf("%d lines of letters and %d broken ones: %s", n, few, d.Encoding.Name())
		}
		many := rapid.IntRange(n*6/4/4+1, n*6/3/4).Draw(t, "many")
		if d := Detect(whole(shuffled(t, letters, n, broken, many))); d.Encoding != EUCJP {
			t.Errorf("%d lines of letters and %d broken ones: %s", n, many, d.Encoding.Name())
		}
	})
}

func eucJP(t *testing.T, text string) string {
	t.Helper()
	b, err := japanese.EUCJP.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What has zero bytes in the places of UTF-16 and one unit in fifty that no text has is UTF-16; with one in ten it is another thing.
func TestBorderOfOddUnits(t *testing.T) {
	t.Parallel()
	text, odd := utf16le("ab,12\n"), utf16le("\ue000\n") // of private use
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(60, 300).Draw(t, "lines")
		if d := Detect(whole(shuffled(t, text, n, odd, n*6/51))); d.Encoding != UTF16LE {
			t.Errorf("%d lines with an odd unit in fifty: %s", n, d.Encoding.Name())
		}
		if d := Detect(whole(shuffled(t, text, n, odd, n))); d.Encoding == UTF16LE {
			t.Errorf("%d lines with an odd unit in eight are taken for UTF-16", n)
		}
	})
}
