package reading

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/internal/sheet"
	sheetcsv "sheetdrop/internal/sheet/csv"
)

// CSV that was printed is read again as the same rows, by a reader that is told the dialect and by encoding/csv.
func TestPrintedCSVIsReadAsTheSameRows(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aé東 \t,;|\"'\n=")), 0, 6, -1)
	cell := text.Filter(func(s string) bool { return !strings.HasPrefix(s, `="`) }) // ="a" is how Excel is told that a is text
	options, err := sheet.ParseOptions(map[string][]string{
		"delimiter": {","}, "quote": {`"`}, "escape": {`"`}, "header": {"1"}, "skip": {"0"}, "footer": {"none"},
	})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) { checkRoundTrip(t, rt, 1, cell, options) })
}

// The engine detects the dialect of printed CSV with several columns whose cells begin as usual ones do. (A column of nothing but quotes,
// spaces and semicolons can be read in many ways.)
func TestDialectOfPrintedCSVIsDetected(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aé東 \t,;|\"'\n=")), 0, 6, -1)
	cell := rapid.Map(text, func(s string) string { return "café " + s })
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
		text = sheetcsv.AppendRecord(text, emptyAsNothing(cells))
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
