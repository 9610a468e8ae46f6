package csv_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	ours "sheetdrop/internal/sheet/csv"
)

// Cells come back as they were, and a record is a record whatever is in it: encoding/csv would skip a blank line.
func TestAppendRecord(t *testing.T) {
	t.Parallel()
	cell := rapid.StringOfN(rapid.SampledFrom([]rune("a東 　\t,;\"\n")), 0, 4, -1)
	rapid.Check(t, func(rt *rapid.T) {
		row := rapid.SliceOfN(cell, 1, 4).Draw(rt, "row")
		cells := make([][]byte, len(row))
		for i, c := range row {
			if cells[i] = []byte(c); rapid.Bool().Draw(rt, "is nil") && c == "" {
				cells[i] = nil
			}
		}
		text := string(ours.AppendRecord(nil, cells))
		read, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(read) != 1 || !slices.Equal(read[0], row) {
			rt.Fatalf("%q is written as %q and read as %q, %v", row, text, read, err)
		}
	})
}

// An empty cell and none are told apart, but in a record that has nothing at all.
func TestAppendRecordTellsEmptyFromNone(t *testing.T) {
	t.Parallel()
	for want, cells := range map[string][][]byte{
		"a,,\"\"\r\n": {[]byte("a"), nil, {}},
		"\"\",,\r\n":  {nil, nil, nil},
		"\"\"\r\n":    {nil},
		"\"　\"\r\n":   {[]byte("　")},
	} {
		if got := string(ours.AppendRecord(nil, cells)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
