package xlsx

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/sheet/grid"
)

// A table of texts comes back as it was, in whichever of the format's ways it is written: strings shared, inline or a formula's, plain or
// in runs, cells in any order, references where they can be left out.
func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := &writer{t: rt}
		want := []string{}
		table := rapid.MapOf(rapid.Int64Range(1, 40), rapid.MapOfN(rapid.IntRange(1, 40), rapid.StringN(1, 12, -1), 1, 8)).Draw(rt, "table")
		for _, no := range slices.Sorted(maps.Keys(table)) {
			row := grid.Row{No: no}
			for _, column := range slices.Sorted(maps.Keys(table[no])) {
				text := []byte(table[no][column])
				row.Cells = append(row.Cells, grid.Cell{Column: column, Kind: grid.Text, Text: text, Fault: grid.TextFault(text)})
			}
			want = append(want, show(&row))
			w.row(row)
		}
		got, err := read(t, workbookOf(w.sheet.String(), w.shared).zip(t, 0), Options{})
		if err != nil || !slices.Equal(got, want) {
			rt.Fatalf("got %q, %v, want %q", got, err, want)
		}
	})
}

// writer writes rows in ways of a test's choice.
type writer struct {
	t      *rapid.T
	sheet  strings.Builder
	shared []string
	last   int64
}

func (w *writer) choose(what string) bool { return rapid.Bool().Draw(w.t, what) }

func (w *writer) row(row grid.Row) {
	no := fmt.Sprintf(` r="%d"`, row.No)
	if row.No == w.last+1 && w.choose("no row number") {
		no = ""
	}
	w.last = row.No
	fmt.Fprintf(&w.sheet, "<row%s>", no)
	shuffled := w.choose("shuffled")
	if shuffled {
		row.Cells = rapid.Permutation(row.Cells).Draw(w.t, "order")
	}
	column := 0
	for _, c := range row.Cells {
		ref := ` r="` + grid.Reference(c.Column, row.No) + `"`
		if c.Column == column+1 && !shuffled && w.choose("no reference") {
			ref = ""
		}
		column = c.Column
		w.cell(ref, string(c.Text))
	}
	w.sheet.WriteString("</row>")
}

func (w *writer) cell(ref, text string) {
	rich := w.rich(text)
	switch rapid.IntRange(0, 2).Draw(w.t, "stored") {
	case 0:
		fmt.Fprintf(&w.sheet, `<c%s t="s"><v>%d</v></c>`, ref, len(w.shared))
		w.shared = append(w.shared, "<si>"+rich+"</si>")
	case 1:
		fmt.Fprintf(&w.sheet, `<c%s t="inlineStr"><is>%s</is></c>`, ref, rich)
	default:
		fmt.Fprintf(&w.sheet, `<c%s t="str"><f>A1</f><v>%s</v></c>`, ref, escaped(text))
	}
}

func (w *writer) rich(text string) string {
	if !w.choose("in runs") {
		return "<t>" + escaped(text) + "</t>"
	}
	runes := []rune(text)
	cut := rapid.IntRange(0, len(runes)).Draw(w.t, "cut")
	return "<r><t>" + escaped(string(runes[:cut])) + "</t></r><r><rPr><b/></rPr><t>" + escaped(string(runes[cut:])) +
		`</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh>`
}

// escaped writes a text as Excel does: what XML has no place for, and what would be taken for such, as _xHHHH_.
func escaped(text string) string {
	var b bytes.Buffer
	for _, r := range strings.ReplaceAll(text, "_x", "_x005F_x") {
		switch {
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			fmt.Fprintf(&b, "_x%04X_", r)
		default:
			if err := xml.EscapeText(&b, []byte(string(r))); err != nil {
				panic(err)
			}
		}
	}
	return b.String()
}

// A number's text means the same double, and is the same however the number is stored.
func TestNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Filter(func(f float64) bool { return f-f == 0 }).Draw(t, "number")
		if rapid.Bool().Draw(t, "short") {
			f = math.Trunc(math.Mod(f, 1e9)) / 1000
		}
		want := ""
		for _, stored := range []string{
			strconv.FormatFloat(f, 'e', 17, 64), strconv.FormatFloat(f, 'g', 17, 64), strconv.FormatFloat(f, 'E', -1, 64), strconv.FormatFloat(f, 'f', -1, 64),
		} {
			if math.Abs(f) >= 1e15 && !strings.ContainsAny(stored, ".eE") {
				continue // an integer in digits stays as it is
			}
			got, ok := grid.AppendNumber(nil, []byte(stored))
			back, err := strconv.ParseFloat(string(got), 64)
			if !ok || err != nil || back != f || want != "" && string(got) != want {
				t.Fatalf("%s became %s, otherwise %s", stored, got, want)
			}
			want = string(got)
		}
	})
}
