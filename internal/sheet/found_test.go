package sheet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"sheetdrop/internal/sheet"
)

// readSheets returns everything that is read of each sheet, and the options that were found.
func readSheets(t *testing.T, content []byte, opt sheet.Options) (texts []string, found []sheet.Options) {
	t.Helper()
	book, err := sheet.Open(t.Context(), bytes.NewReader(content), opt, sheet.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for {
		s, err := book.Next()
		if errors.Is(err, io.EOF) {
			return texts, found
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.LeftOut() {
			continue
		}
		records, summary := printRecords(t, s)
		texts = append(texts, string(records)+string(jsonLines(t, summary, s.Columns(), s.Dialect())))
		found = append(found, book.Found(s))
	}
}

// The options that were found, used as they stand, read the same: in JSON, as previews and tasks have them, and as a parameter.
func TestFoundOptionsReadTheSame(t *testing.T) {
	t.Parallel()
	for name, content := range corpusContents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, found := readSheets(t, content, sheet.Options{})
			for i, o := range found {
				text, err := json.Marshal(o)
				if err != nil {
					t.Fatal(err)
				}
				back, err := sheet.ParseOptions(map[string][]string{"options": {string(text)}})
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				got, again := readSheets(t, content, back)
				if len(got) != 1 || got[0] != want[i] {
					t.Errorf("with %s it reads\n%s\nwant\n%s", text, got, want[i])
				}
				if a, b := string(jsonLines(t, o)), string(jsonLines(t, again[0])); a != b {
					t.Errorf("found %s, and with it %s", a, b)
				}
			}
		})
	}
}
