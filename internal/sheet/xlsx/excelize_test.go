package xlsx

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/internal/sheet/grid"
)

// excelizeRows reads the first sheet with excelize into lines like those of dump, without kinds. Numbers come as they are stored.
func excelizeRows(t testing.TB, file []byte) []string {
	book, err := excelize.OpenReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.Rows(book.GetSheetName(0))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for no := 1; rows.Next(); no++ {
		values, err := rows.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		line := ""
		for i, value := range values {
			if value != "" {
				line += " " + strings.TrimSuffix(grid.Reference(i+1, 1), "1") + "=" + value
			}
		}
		if line != "" {
			lines = append(lines, strconv.Itoa(no)+line)
		}
	}
	return lines
}

// ourRows reads the first sheet in the same way; numbers, and what is formatted as a date, as they are stored.
func ourRows(t testing.TB, file []byte) []string {
	b, err := openBytes(t, file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b.styles = grid.Styles{}
	lines, err := dump(b, 1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := strings.NewReplacer(":number", "", ":error", "", ":boolean", "", "=TRUE:boolean", "=1", "=FALSE:boolean", "=0")
	for i := range lines {
		lines[i] = kinds.Replace(lines[i])
	}
	return lines
}

// Whatever excelize writes, both read alike, cell by cell.
func TestEqualToExcelize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		book := excelize.NewFile()
		defer book.Close()
		for range rapid.IntRange(0, 30).Draw(rt, "cells") {
			ref := grid.Reference(rapid.IntRange(1, 30).Draw(rt, "column"), rapid.Int64Range(1, 30).Draw(rt, "row"))
			if err := book.SetCellValue("Sheet1", ref, drawValue(rt)); err != nil {
				rt.Fatal(err)
			}
		}
		var file bytes.Buffer
		if err := book.Write(&file); err != nil {
			rt.Fatal(err)
		}
		if got, want := ourRows(t, file.Bytes()), excelizeRows(t, file.Bytes()); !slices.Equal(got, want) {
			rt.Errorf("got %q, excelize %q", got, want)
		}
	})
}

func drawValue(t *rapid.T) any {
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return rapid.Int64Range(-1<<53, 1<<53).Draw(t, "integer")
	case 1:
		return float64(rapid.Int64Range(-1e15, 1e15).Draw(t, "decimal")) / 1000
	case 2:
		return rapid.Bool().Draw(t, "boolean")
	case 3:
		return time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "time"), 0).UTC()
	default:
		return rapid.StringMatching(`[ -~あ-ん\n😀]{1,20}`).Draw(t, "text")
	}
}

// What excelize reads otherwise, and why we do not follow.
func TestUnlikeExcelize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, rows, excelize, ours string
	}{
		{why: "cells out of order are appended", rows: `<row r="1"><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c></row>`,
			excelize: "1 C=3 D=1", ours: "1 A=1 C=3"},
		{why: "a cell of another row is taken for this one's", rows: `<row r="1"><c r="A7"><v>1</v></c></row>`,
			excelize: "1 A=1", ours: "1 ?=1!bad_reference"},
		{why: "the second of two cells moves on", rows: `<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>`,
			excelize: "1 A=1 B=2", ours: "1 A=1 A=2!duplicate_cell"},
		{why: "an index past the shared strings is an empty cell", rows: `<row r="1"><c r="A1" t="s"><v>7</v></c></row>`,
			excelize: "", ours: "1 A=7!missing_shared_string"},
		{why: "numbers keep noise", rows: `<row r="1"><c r="A1"><v>0.10000000000000001</v></c></row>`,
			excelize: "1 A=0.10000000000000001", ours: "1 A=0.1"},
		{why: "the cells of a row that goes back are the row before's", rows: `<row r="2"><c r="A2"><v>2</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>`,
			excelize: "2 A=2 B=1", ours: "2 A=2;1 A=1"},
	} {
		file := workbookOf(c.rows, nil).zip(t)
		if got := strings.Join(excelizeRows(t, file), ";"); got != c.excelize {
			t.Errorf("%s: excelize now reads %q, and not %q", c.why, got, c.excelize)
		}
		if got := strings.Join(ourRows(t, file), ";"); got != c.ours {
			t.Errorf("%s: got %q, want %q", c.why, got, c.ours)
		}
	}
}

// What excelize shows of a formatted number, and what the number is.
func TestFormattedUnlikeExcelize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, format, serial, excelize, ours string
		date1904                            bool
	}{
		{why: "a format that hides is no value", format: ";;;", serial: "12", excelize: "", ours: "12"},
		{why: "a duration has no epoch", format: "[h]:mm:ss", serial: "1.5", date1904: true, excelize: "35124:00:00", ours: "36:00:00"},
		{why: "a date's own format depends on a country", format: "14", serial: "45000", excelize: "03-15-23", ours: "2023-03-15"},
	} {
		file := workbookOf(fmt.Sprintf(`<row r="1"><c r="A1" s="1"><v>%s</v></c></row>`, c.serial), nil, c.format)
		if c.date1904 {
			file = file.with("xl/workbook.xml", strings.Replace(workbookXML, `date1904="0"`, `date1904="1"`, 1))
		}
		book, err := excelize.OpenReader(bytes.NewReader(file.zip(t)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := book.GetCellValue("Sheet1", "A1"); err != nil || got != c.excelize {
			t.Errorf("%s: excelize now shows %q, %v, and not %q", c.why, got, err, c.excelize)
		}
		if err := book.Close(); err != nil {
			t.Error(err)
		}
		got, err := read(t, file.zip(t), Options{})
		if text, _, _ := strings.Cut(strings.Join(got, ";"), ":number"); err != nil || !strings.HasPrefix(text, "1 A="+c.ours) {
			t.Errorf("%s: got %q, %v, want %q", c.why, got, err, c.ours)
		}
	}
}
