package sheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sheetdrop/internal/sheet/grid"
)

// drawnTable is a table with a text in the first column, texts or numbers in the others, and a number in the last one.
type drawnTable struct {
	header []string
	rows   [][]string
}

// drawTable draws a table of any width and length; word begins its texts.
func drawTable(rt *rapid.T, word string, least int) (table drawnTable) {
	width, n := rapid.IntRange(3, 7).Draw(rt, "width"), rapid.IntRange(least, least+25).Draw(rt, "rows")
	texts := make([]bool, width)
	for i := range width {
		table.header = append(table.header, fmt.Sprintf("%s name %c", word, 'A'+i))
		texts[i] = i == 0 || i < width-1 && rapid.Bool().Draw(rt, "text")
	}
	for r := range n {
		row := make([]string, width)
		for i := range row {
			if row[i] = fmt.Sprintf("%d.%d5", 3*r+i+1, r%10); texts[i] {
				row[i] = fmt.Sprintf("%s %c%d", word, 'a'+i, r*7%11)
			}
		}
		table.rows = append(table.rows, row)
	}
	return table
}

// total is a record that has nothing but a name, and a number in the last column.
func (t drawnTable) total(name string) []string {
	row := make([]string, len(t.header))
	row[0], row[len(row)-1] = name, "1234.50"
	return row
}

// lone is a record with a text alone.
func (t drawnTable) lone(text string) []string {
	return append([]string{text}, make([]string, len(t.header)-1)...)
}

// asText writes records as a text with a delimiter.
func asText(records [][]string, delimiter string) string {
	var b strings.Builder
	for _, r := range records {
		b.WriteString(strings.Join(r, delimiter) + "\n")
	}
	return b.String()
}

// asSheet writes records as a workbook of one sheet.
func asSheet(t testing.TB, records [][]string) string {
	var b strings.Builder
	for i, r := range records {
		b.WriteString(fmt.Sprintf(`<row r="%d">`, i+1))
		for c, cell := range r {
			switch {
			case cell == "":
			case strings.Trim(cell, "0123456789.") == "":
				fmt.Fprintf(&b, `<c r="%s%d"><v>%s</v></c>`, column(c), i+1, cell)
			default:
				fmt.Fprintf(&b, `<c r="%s%d" t="inlineStr"><is><t>%s</t></is></c>`, column(c), i+1, cell)
			}
		}
		b.WriteString("</row>")
	}
	return pack(t, parts(b.String(), nil))
}

func column(i int) string {
	reference := grid.Reference(i+1, 1)
	return reference[:len(reference)-1]
}

// readTable returns the header and the rows as they are read, and how many records are rejected and skipped for reasons other than being
// blank.
func readTable(t *testing.T, content string) (table drawnTable, rejects, skips int) {
	t.Helper()
	_, s := openFirst(t, content, Options{})
	for rec := range recordsOf(t, s) {
		cells := make([]string, len(rec.Cells))
		for i, cell := range rec.Cells {
			cells[i] = string(cell)
		}
		switch {
		case rec.Kind == Row:
			table.rows = append(table.rows, cells)
		case rec.Kind == Reject:
			rejects++
		case rec.Kind == Skip && rec.Reason != SkipBlank:
			skips++
		}
	}
	for _, c := range s.Columns() {
		table.header = append(table.header, c.Name)
	}
	return table, rejects, skips
}

// expect compares what is read of records, as a text and as a worksheet.
func expect(t *testing.T, rt *rapid.T, records [][]string, want drawnTable, rejects, skips int) {
	t.Helper()
	delimiter := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(rt, "delimiter")
	for name, content := range map[string]string{"text": asText(records, delimiter), "worksheet": asSheet(t, records)} {
		expectTable(t, rt, content, name+":\n"+asText(records, "|"), want, rejects, skips)
	}
}

// expectTable compares what is read of a text or a worksheet with what should be; shown shows its records.
func expectTable(t *testing.T, rt *rapid.T, content, shown string, want drawnTable, rejects, skips int) {
	t.Helper()
	got, rejected, skipped := readTable(t, content)
	if !slices.Equal(got.header, want.header) || !slices.EqualFunc(got.rows, want.rows, slices.Equal) || rejected != rejects || skipped != skips {
		rt.Fatalf("got %q and %d rows, %d rejects, %d skips; want %q and %d, %d, %d, of\n%s",
			got.header, len(got.rows), rejected, skipped, want.header, len(want.rows), rejects, skips, shown)
	}
}

// Subtotals, lines between pages and repeated headers among the rows are no rows, whatever the table; nor is the total below.
func TestWhatStandsAmongTheRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 6)
		records, skips := [][]string{table.header}, 0
		every := rapid.IntRange(3, 9).Draw(rt, "every")
		for i, row := range table.rows {
			records = append(records, row)
			if (i+1)%every != 0 {
				continue
			}
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				records, skips = append(records, table.total("Subtotal")), skips+1
			case 1:
				records, skips = append(records, table.total(fmt.Sprintf("North %d total", i))), skips+1
			case 2:
				records, skips = append(records, table.lone(fmt.Sprintf("Page %d of 9", i)), table.header), skips+2
			}
		}
		if rapid.Bool().Draw(rt, "total") {
			records, skips = append(records, table.total("Total")), skips+1
		}
		expect(t, rt, records, table, 0, skips)
	})
}

// A second table below the first, of any width, with a title or without, is never mixed into it: all of its records are rejected.
func TestSecondTableStaysOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		first, second := drawTable(rt, "part", 4), drawTable(rt, "place", 4)
		records := append([][]string{first.header}, first.rows...)
		records = append(records, make([]string, len(first.header)))
		rejects := 1 + len(second.rows)
		if rapid.Bool().Draw(rt, "title") {
			records, rejects = append(records, second.lone("List of places")), rejects+1
		}
		records = append(append(records, second.header), second.rows...)
		width := max(len(first.header), len(second.header))
		if rapid.Bool().Draw(rt, "padded") { // as a spreadsheet writes it
			for i := range records {
				records[i] = append(slices.Clone(records[i]), make([]string, width-len(records[i]))...)
			}
		}
		expect(t, rt, records, first, rejects, 0)
	})
}

// Nor is a table of as many columns, three or more, that has no more rows, if a column has values of another kind there.
func TestSecondTableOfTheSameWidthStaysOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(3, 6).Draw(rt, "width")
		numbers := rapid.SliceOfN(rapid.Bool(), width, width).Draw(rt, "numbers")
		numbers[0], numbers[width-1] = false, true
		others := rapid.SliceOfN(rapid.Bool(), width, width).Draw(rt, "others")
		others[0], others[width-1] = false, false
		first := drawKinds(rt, "part", numbers, 3, 9)
		second := drawKinds(rt, "place", others, 2, len(first.rows)+1)
		records := append([][]string{first.header}, first.rows...)
		records = append(append(append(records, make([]string, width)), second.header), second.rows...)
		expect(t, rt, records, first, 1+len(second.rows), 0)
	})
}

// drawKinds draws a table of least to most rows whose columns have numbers, or words of which none comes twice.
func drawKinds(rt *rapid.T, word string, numbers []bool, least, most int) (table drawnTable) {
	for i := range numbers {
		table.header = append(table.header, fmt.Sprintf("%s name %c", word, 'A'+i))
	}
	for r := range rapid.IntRange(least, most).Draw(rt, "rows") {
		row := make([]string, len(numbers))
		for i := range row {
			if row[i] = fmt.Sprintf("%d.%d5", 3*r+i+1, r%10); !numbers[i] {
				row[i] = fmt.Sprintf("%s %c%c", word, 'a'+i, 'a'+r)
			}
		}
		table.rows = append(table.rows, row)
	}
	return table
}

// What stands beside a table, behind an empty column, is not mixed into it.
func TestWhatStandsBesideTheTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 12)
		records := append([][]string{table.header}, table.rows...)
		gap := make([]string, rapid.IntRange(1, 3).Draw(rt, "gap"))
		beside := map[int][]string{}
		switch rapid.IntRange(0, 1).Draw(rt, "what") {
		case 0:
			for i := range rapid.IntRange(1, 3).Draw(rt, "notes") {
				beside[2*i+1] = []string{fmt.Sprintf("see page %d", i)}
			}
		case 1:
			beside[0] = []string{"code", "meaning"}
			for i := range rapid.IntRange(2, 4).Draw(rt, "codes") {
				beside[i+1] = []string{fmt.Sprintf("C%d", i), "a word"}
			}
		}
		for i := range records {
			row := append(slices.Clone(records[i]), gap...)
			records[i] = append(append(row, beside[i]...), make([]string, 2-len(beside[i]))...)
		}
		expect(t, rt, records, table, 0, 0)
	})
}

// Names of groups in merged cells are part of the names of each of their columns.
func TestMergedGroups(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		book := drawnBook{told: []string{"merge A1:A2"}, rows: [][]string{{"site"}, {""}}}
		names := []string{"site"}
		for g := range rapid.IntRange(1, 4).Draw(rt, "groups") {
			from, span := len(names), rapid.IntRange(2, 4).Draw(rt, "span")
			book.told = append(book.told, fmt.Sprintf("merge %s1:%s1", column(from), column(from+span-1)))
			for i := range span {
				group := ""
				if i == 0 {
					group = fmt.Sprintf("group %d", g)
				}
				book.rows[0] = append(book.rows[0], group)
				book.rows[1] = append(book.rows[1], fmt.Sprintf("n%d", i))
				names = append(names, fmt.Sprintf("group %d n%d", g, i))
			}
		}
		n := rapid.IntRange(3, 20).Draw(rt, "rows")
		for r := range n {
			row := []string{fmt.Sprintf("s%d", r)}
			for i := range names[1:] {
				row = append(row, fmt.Sprintf("%d.5", r*i+7))
			}
			book.rows = append(book.rows, row)
		}
		want, columns, _ := book.read(t)
		if want != fmt.Sprintf("0 2 %d,0,0", n) || columns != strings.Join(names, "|") {
			rt.Fatalf("got %s %s, want %s", want, columns, names)
		}
	})
}

// What the program calls a table is the table, wherever it stands and whatever stands around it, though all of it is text.
func TestTableOfTheProgram(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		top, left := rapid.IntRange(0, 6).Draw(rt, "top"), rapid.IntRange(0, 4).Draw(rt, "left")
		width, n := rapid.IntRange(2, 6).Draw(rt, "width"), rapid.IntRange(1, 15).Draw(rt, "rows")
		book := drawnBook{rows: make([][]string, top)}
		titles := 0
		for i := range top {
			book.rows[i] = []string{""}
			if i%2 == 0 {
				book.rows[i], titles = []string{"a line above"}, titles+1
			}
		}
		var names []string
		for r := range n + 1 {
			row := make([]string, left, left+width)
			for i := range width {
				row = append(row, fmt.Sprintf("word %c%d", 'a'+i, r*3%5))
			}
			if r == 0 {
				for i := range width {
					row[left+i] = fmt.Sprintf("name %c", 'a'+i)
				}
				names = row[left:]
			}
			book.rows = append(book.rows, row)
		}
		book.told = []string{fmt.Sprintf("table %s%d:%s%d", column(left), top+1, column(left+width-1), top+1+n)}
		book.rows = append(book.rows, []string{""}, []string{"a line below"})
		want, columns, _ := book.read(t)
		if !strings.HasSuffix(columns, strings.Join(names, "|")) || !strings.HasPrefix(want, fmt.Sprintf("%d 1 %d,0,", top, n)) {
			rt.Fatalf("got %s %s, want %d rows of %s below %d", want, columns, n, names, top)
		}
	})
}

// Records whose end may be missing are rows, with null for what they lack.
func TestShortRecords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part", 12)
		last := rapid.IntRange(2, len(table.header)-1).Draw(rt, "last")
		records := [][]string{table.header}
		for i, row := range table.rows {
			if i%3 == 1 {
				row = row[:last]
			}
			records = append(records, row)
		}
		_, s := openFirst(t, asText(records, ";"), Options{})
		rows := 0
		for rec := range recordsOf(t, s) {
			if rec.Kind == Row {
				rows++
			}
		}
		if rows != len(table.rows) {
			rt.Fatalf("%d of %d rows", rows, len(table.rows))
		}
		if w := s.Warnings(); len(w) != 1 || w[0].Code != ShortRecord || w[0].Count != int64((len(table.rows)+1)/3) {
			rt.Fatalf("warnings %v", w)
		}
	})
}

// A text whose lines were quoted as a whole has the cells that it had before.
func TestLinesQuotedAsAWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		table := drawTable(rt, "part, no", 4)
		var b strings.Builder
		for _, r := range append([][]string{table.header}, table.rows...) {
			line := `"` + strings.Join(r, `","`) + `"`
			b.WriteString(`"` + strings.ReplaceAll(line, `"`, `""`) + "\"\r\n")
		}
		content := b.String()
		expectTable(t, rt, content, content, table, 0, 0)
	})
}
