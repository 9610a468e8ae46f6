package charset

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
)

func splitBytes(t testing.TB, enc Encoding, source string) []byte {
	t.Helper()
	split, err := io.ReadAll(enc.Reader(strings.NewReader(source)))
	if err != nil {
		t.Fatal(err)
	}
	return split
}

// decode reads a text of one cell.
func decode(t testing.TB, enc Encoding, source string) (text []byte, bad int) {
	t.Helper()
	return enc.AppendText(nil, splitBytes(t, enc, source))
}

// Whatever the bytes are, in whatever pieces they come, they can be had back and measured, in parts cut anywhere; and where they are
// text no ASCII stands in a character of several bytes.
func TestSourceIsKept(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"\x00", "a", ",", "|", "\\", "\n", "\r\n", "\x1b", "\x1b$", "\x1b$B", "\x1b(B", "\x1b(J", "\x1b(I", "\x1b$(D", "\x1b[1m", "$\"", "F|K\\", "\x0e",
		"\x83\x7c", "\x83", "\x7c", "\x80", "\x8e\xb1", "\x8f\xb0\xa1", "\xa4\xa2", "\xff", "\xfe", "\xfa\x5c", "\xfc\x7c", "\xd8\x42\xdf\xb7", "\x42\xd8\xb7\xdf", "\xd8", "\xdc",
		"\x81\x30", "\x81\x30\x81\x30", "\x90\x30\x81\x30", "\xa4\x5c", "\xd5\x5c", "\x88\x62", "\x81\x41", "\xb0\xa1", "\x30",
	})
	rapid.Check(t, func(t *rapid.T) {
		enc := rapid.SampledFrom(all).Draw(t, "encoding")
		source := []byte(strings.Join(rapid.SliceOf(piece).Draw(t, "bytes"), ""))
		split, err := io.ReadAll(enc.Reader(bytes.NewReader(source)))
		if err != nil {
			t.Fatal(err)
		}
		piecemeal, err := io.ReadAll(enc.Reader(iotest.OneByteReader(bytes.NewReader(source))))
		if err != nil || !bytes.Equal(piecemeal, split) {
			t.Fatalf("%s: in single bytes % x, %v; whole % x", enc.Name(), piecemeal, err, split)
		}
		if back := enc.AppendSource(nil, split); !bytes.Equal(back, source) {
			t.Fatalf("%s: % x became % x and then % x", enc.Name(), source, split, back)
		}
		cut := rapid.IntRange(0, len(split)).Draw(t, "cut")
		if n := enc.Width(split[:cut]) + enc.Width(split[cut:]); n != int64(len(source)) {
			t.Fatalf("%s: % x is %d bytes wide; want %d", enc.Name(), split, n, len(source))
		}
		text, bad := enc.AppendText(nil, split)
		for _, c := range []byte(",|\\\n\"") {
			if n, want := bytes.Count(split, []byte{c}), bytes.Count(text, []byte{c}); bad < 0 && n != want {
				t.Fatalf("%s: % x has %d of %q to split at, its text %q has %d", enc.Name(), split, n, c, text, want)
			}
		}
	})
}

func TestIsASCII(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		text := bytes.Repeat([]byte("a"), n)
		if !IsASCII(text) {
			t.Errorf("%d letters: false", n)
		}
		for i := range text {
			text[i] = 0x80
			if IsASCII(text) {
				t.Errorf("byte %d of %d is 0x80: true", i, n)
			}
			text[i] = 'a'
		}
	}
}
