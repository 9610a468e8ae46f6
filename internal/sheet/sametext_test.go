package sheet_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// P6: a file is read in the same way however its lines end, and whatever blank lines stand above and below everything else.
func TestSameTextWrittenOtherwise(t *testing.T) {
	t.Parallel()
	ways := map[string]func(text string) string{
		"a blank line above":     func(text string) string { return "\n" + text },
		"blank lines below":      func(text string) string { return strings.TrimRight(text, "\n") + "\n\n\n" },
		"no line end at the end": func(text string) string { return strings.TrimRight(text, "\n") },
		"line ends of DOS":       func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	}
	unseen, err := filepath.Glob(filepath.Join("testdata", "unseen", "set*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := filepath.Glob(filepath.Join("testdata", "corpus", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range append(unseen, corpus...) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !mayBeWrittenOtherwise(content) {
			continue
		}
		n++
		want := read(t, content)
		for name, write := range ways {
			if got := read(t, []byte(write(string(content)))); !reflect.DeepEqual(got.Sheets, want.Sheets) || got.What != want.What {
				t.Errorf("%s with %s:\n%+v\nwant\n%+v", path, name, got, want)
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d texts", n)
	}
}

// mayBeWrittenOtherwise reports whether a file is a text of which blank lines and the ends of lines are no part: it has nothing between
// quotes, and is no document that needs its first line.
func mayBeWrittenOtherwise(content []byte) bool {
	plain := utf8.Valid(content) && !bytes.ContainsAny(content, "\x00\x1a\x1b\"\r'`<{[\f")
	return plain && len(bytes.TrimSpace(content)) > 0 && !bytes.HasPrefix(content, []byte("sep=")) && !bytes.HasPrefix(content, []byte("\ufeff"))
}
