package main

import (
	"encoding/csv"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/internal/sheet"
)

// What was printed once is read as the same and printed as the same by whoever knows the dialect; and encoding/csv reads it so too.
func TestCleanCSVRoundTrip(t *testing.T) {
	t.Parallel()
	cell := rapid.StringOfN(rapid.SampledFrom([]rune("aé東 \t,;|\"'\n=")), 0, 6, -1)
	options, err := sheet.ParseOptions(map[string][]string{"delimiter": {","}, "quote": {`"`}, "escape": {`"`}, "header": {"1"}, "skip": {"0"}, "footer": {"none"}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) { checkRoundTrip(t, rt, 1, cell, options) })
}

// So it is by the engine's own guess, where there are several columns and cells begin as people's do. (A column of nothing but quotes, spaces and
// semicolons can be read in many ways.)
func TestCleanCSVIsGuessed(t *testing.T) {
	t.Parallel()
	cell := rapid.Map(rapid.StringOfN(rapid.SampledFrom([]rune("aé東 \t,;|\"'\n=")), 0, 6, -1), func(s string) string { return "café " + s })
	rapid.Check(t, func(rt *rapid.T) { checkRoundTrip(t, rt, 2, cell, sheet.Options{}) })
}

func checkRoundTrip(t *testing.T, rt *rapid.T, narrowest int, cell *rapid.Generator[string], options sheet.Options) {
	width := rapid.IntRange(narrowest, 4).Draw(rt, "width")
	rows := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 0, 8).Draw(rt, "rows")
	names := []string{"name", "b;c", "d,e", `f"g`}[:width]
	var text []byte
	for _, row := range slices.Concat([][]string{names}, rows) {
		cells := make([][]byte, width)
		for i, c := range row {
			cells[i] = []byte(c)
		}
		text = sheet.AppendCSV(text, absent(cells))
	}
	out := newOutput(nil)
	if again := printedUnder(t, string(text), options, &csvPrinter{out: out}, out); again != string(text) {
		rt.Fatalf("%q became %q", text, again)
	}
	read, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(read) != 1+len(rows) || !slices.EqualFunc(read[1:], rows, slices.Equal) {
		rt.Fatalf("%q: %q, %v; want %q", text, read, err, rows)
	}
}

// The samples' accepted rows come out as CSV that is all accepted, through a pipe and from a file.
func TestParseCSV(t *testing.T) {
	t.Parallel()
	for file, rows := range map[string]int{"orders.csv": 60, "prices.csv": 40} {
		_, p := run(t, "parse", "--format=csv", filepath.Join("samples", file))
		first := p.out.String()
		status, p := runOn(t, first, "parse", "--format=csv", "-")
		if status != 0 || p.out.String() != first {
			t.Errorf("%s: exit status %d, and the second pass differs", file, status)
		}
		records, err := csv.NewReader(strings.NewReader(first)).ReadAll()
		if err != nil || len(records) != rows+1 {
			t.Errorf("%s: %d records, %v", file, len(records), err)
		}
		path := filepath.Join(t.TempDir(), file)
		write(t, path, first)
		if _, p := run(t, "parse", path); !strings.Contains(p.out.String(), "0 rejected, 0 skipped\n") {
			t.Errorf("%s: %s", file, p.out)
		}
	}
}

// A header without rows is a table too.
func TestParseCSVWithoutRows(t *testing.T) {
	t.Parallel()
	status, p := runOn(t, "a,\"b,c\",d;e\n\n", "parse", "--format=csv", "-")
	if got := p.out.String(); status != 0 || got != "a,\"b,c\",\"d;e\"\r\n" { // whoever guesses the delimiter guesses right
		t.Errorf("exit status %d, %q", status, got)
	}
}
