package sheet

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// recordFault writes a record wrongly: its lines, and of each the code and the column of the reason why it is rejected. Where there are
// none, the record is mended.
type recordFault struct {
	name  string
	write func(cells []string, column int, delimiter string) []string
	want  func(width, column int) []string
}

var recordFaults = []recordFault{
	{
		"a cell too few",
		func(cells []string, _ int, d string) []string { return []string{strings.Join(cells[:len(cells)-1], d)} },
		func(width, _ int) []string { return []string{fmt.Sprint(MissingCell, width)} },
	},
	{
		"a cell too many",
		func(cells []string, _ int, d string) []string { return []string{strings.Join(cells, d) + d + "more"} },
		func(width, _ int) []string { return []string{fmt.Sprint(ExtraCell, width+1)} },
	},
	{
		"a quote that nothing closes",
		func(cells []string, column int, d string) []string {
			return []string{withCell(cells, column, `"`+cells[column], d)}
		},
		func(_, column int) []string { return []string{fmt.Sprint(UnbalancedQuote, column+1)} },
	},
	{
		"U+0000",
		func(cells []string, column int, d string) []string {
			return []string{withCell(cells, column, cells[column]+"\x00", d)}
		},
		func(_, column int) []string { return []string{fmt.Sprint(InvalidCharacter, column+1)} },
	},
	{
		"a byte that is no text",
		func(cells []string, column int, d string) []string {
			return []string{withCell(cells, column, "\xff.", d)}
		},
		func(_, column int) []string { return []string{fmt.Sprint(InvalidEncoding, column+1)} },
	},
	{
		"a line break",
		func(cells []string, _ int, d string) []string {
			return []string{cells[0] + d + "first", "half" + d + strings.Join(cells[2:], d)}
		},
		func(width, _ int) []string {
			return []string{fmt.Sprint(MissingCell, 3), fmt.Sprint(MissingCell, width)}
		},
	},
	{
		"another delimiter",
		func(cells []string, _ int, d string) []string {
			return []string{strings.Join(cells, map[string]string{",": ";", ";": "|", "|": ","}[d])}
		},
		func(int, int) []string { return nil },
	},
}

func withCell(cells []string, column int, text, delimiter string) string {
	cells = slices.Clone(cells)
	cells[column] = text
	return strings.Join(cells, delimiter)
}

// A fault costs its record and no other, wherever it stands, and the reject says what and where it is.
func TestFaultsOfRecords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "Größe", 12)
		delimiter := rapid.SampledFrom([]string{",", ";", "|"}).Draw(rt, "delimiter")
		fault := rapid.SampledFrom(recordFaults).Draw(rt, "fault")
		at := rapid.IntRange(0, len(table.rows)-1).Draw(rt, "row")
		column := rapid.IntRange(0, len(table.header)-1).Draw(rt, "column")
		var lines, want []string
		lines = append(lines, strings.Join(table.header, delimiter))
		for i, row := range table.rows {
			reasons := fault.want(len(row), column)
			if i != at {
				lines = append(lines, strings.Join(row, delimiter))
			} else {
				lines = append(lines, fault.write(row, column, delimiter)...)
			}
			if i != at || len(reasons) == 0 {
				want = append(want, strings.Join(row, "|"))
				continue
			}
			for n, reason := range reasons {
				want = append(want, fmt.Sprintf("line %d: %s", at+2+n, reason))
			}
		}
		_, s := openFirst(t, strings.Join(lines, "\n")+"\n", Options{})
		var got []string
		for rec := range recordsOf(t, s) {
			switch rec.Kind {
			case Row:
				got = append(got, string(bytes.Join(rec.Cells, []byte("|"))))
			case Reject:
				got = append(got, fmt.Sprintf("line %d: %s", rec.Line, fmt.Sprint(rec.Errors[0].Code, rec.Errors[0].ColumnNo)))
			case Skip:
				got = append(got, fmt.Sprintf("line %d: skipped", rec.Line))
			case Header:
			}
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("%s: got %q\nwant %q\nof\n%s", fault.name, got, want, strings.Join(lines, "\n"))
		}
	})
}

// Line ends of CR CR LF, which leave a blank line behind each other one, change nothing of what is found.
func TestDoubledLineEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 4)
		records := append([][]string{table.header}, table.rows...)
		if rapid.Bool().Draw(rt, "title") {
			records = append([][]string{{"Extract of the register"}, {""}}, records...)
		}
		if rapid.Bool().Draw(rt, "total") {
			records = append(records, table.total("Total"))
		}
		if rapid.Bool().Draw(rt, "note") {
			records = append(records, []string{""}, []string{"Note: all figures are preliminary"})
		}
		text := asText(records, ";")
		want, rejects, _ := readTable(t, text)
		got, others, _ := readTable(t, strings.ReplaceAll(text, "\n", "\r\r\n"))
		if !slices.Equal(got.header, want.header) || !slices.EqualFunc(got.rows, want.rows, slices.Equal) || others != rejects {
			rt.Fatalf("%q and %d rows, %d rejects, not %q and %d rows of\n%s", got.header, len(got.rows), others, want.header, len(want.rows), text)
		}
	})
}
