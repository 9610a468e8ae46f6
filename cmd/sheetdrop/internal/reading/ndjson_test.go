package reading

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"sheetdrop/internal/sheet"
)

// printed returns the output of a printer for that text.
func printed(t testing.TB, text string, p printer, out *output) string {
	t.Helper()
	return printedUnder(t, text, sheet.Options{}, p, out)
}

func printedUnder(t testing.TB, text string, options sheet.Options, p printer, out *output) string {
	t.Helper()
	var b bytes.Buffer
	out.to = &b
	if err := printText(t, text, options, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func printText(t testing.TB, text string, options sheet.Options, p printer) error {
	f := File{MaxLine: sheet.DefaultLimits().RecordBytes, options: options}
	return f.print(t.Context(), &input{SectionReader: io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))}, p)
}

// P9: records that are skipped before the header are not kept in memory however many they are, and the sheet's line has its columns.
func TestNDJSONBuffersLittle(t *testing.T) {
	t.Parallel()
	const blanks = 100_000
	out := newOutput(nil)
	lines := strings.Split(printed(t, strings.Repeat("\n", blanks)+"a\n1\n", newNDJSON(out, false), out), "\n")
	if len(lines) != 1+blanks+4+1 {
		t.Errorf("%d lines", len(lines))
	}
	sheets := 0
	for _, line := range lines {
		if strings.HasPrefix(line, `{"type":"sheet"`) {
			sheets++
			if !strings.Contains(line, `"columns":["a"]`) {
				t.Error(line)
			}
		}
	}
	if sheets != 1 || cap(out.pending) > 3*heldBytes {
		t.Errorf("%d sheets, %d bytes of memory", sheets, cap(out.pending))
	}
}

// P9: a record allocates nothing; ten thousand more of them make no difference.
func TestNDJSONAllocatesNothingPerRecord(t *testing.T) { //nolint:paralleltest // it counts allocations
	cost := func(rows int) float64 {
		text := "a,b\n" + strings.Repeat("1,\"東\"\"京\n\"\n\n", rows/2)
		return testing.AllocsPerRun(5, func() {
			if err := printText(t, text, sheet.Options{}, newNDJSON(newOutput(io.Discard), false)); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := cost(10_000), cost(20_000)
	if many-few > 100 {
		t.Errorf("%v allocations more", many-few)
	}
}

func BenchmarkNDJSON(b *testing.B) {
	var text strings.Builder
	text.WriteString("id,date,customer,address,quantity,price,note\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "%d,2024/04/%02d,株式会社髙橋商店 %d,\"12 High Street, Town\",%d,%d.50,\n", i, i%28+1, i%1000, i%100, i%9973)
	}
	out := newOutput(nil)
	b.SetBytes(int64(len(printed(b, text.String(), newNDJSON(out, false), out))))
	b.ReportAllocs()
	for b.Loop() {
		if err := printText(b, text.String(), sheet.Options{}, newNDJSON(newOutput(io.Discard), false)); err != nil {
			b.Fatal(err)
		}
	}
}
