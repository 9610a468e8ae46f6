package sheet

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/decrypt"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/sheettest/biff12"
)

// writeXLSB writes the sheet as Excel does as a binary workbook.
func (b drawnBook) writeXLSB() string {
	s := biff12.Sheet{Name: "Sheet1"}
	for r, row := range b.rows {
		cells := make([]biff12.Cell, max(len(row), styledColumns))
		for c := range cells {
			cells[c].Style = b.style(r, c)
			if c >= len(row) || row[c] == "" {
				continue
			}
			text, number, isNumber, isDay := drawnCell(row[c])
			switch {
			case isDay:
				cells[c] = biff12.Cell{Value: number, Style: dayStyle}
			case isNumber:
				cells[c].Value = number
			default:
				cells[c].Value = text
			}
		}
		s.Rows = append(s.Rows, cells)
	}
	s.Levels = b.levels()
	for _, told := range b.told {
		tellXLSB(&s, told)
	}
	book := biff12.Book{Sheets: []biff12.Sheet{s}, Styles: []biff12.Style{{}, {Bold: true}, {Filled: true}, {Format: 14}, {White: true}, {Indent: 1}, {Format: 10}}}
	return string(book.Bytes())
}

// tellXLSB tells the program something about the sheet, but how its cells look.
func tellXLSB(s *biff12.Sheet, told string) {
	word, rest, _ := strings.Cut(told, " ")
	rest, totals := strings.CutSuffix(rest, " totals")
	rest, bare := strings.CutSuffix(rest, " bare")
	number, _ := strconv.Atoi(rest)
	found, _ := grid.ParseRange(rest)
	area := biff12.Area{Top: int(found.Top), Bottom: int(found.Bottom), Left: found.Left, Right: found.Right}
	switch word {
	case "merge":
		s.Merged = append(s.Merged, area)
	case "table":
		s.Tables = append(s.Tables, biff12.Table{Area: area, Bare: bare, Totals: b2i(totals)})
	case "filter":
		s.Filter = biff12.Area{Top: area.Top, Bottom: len(s.Rows), Left: area.Left, Right: area.Right}
	case "freeze":
		s.Frozen = number
	case "titles":
		s.Titles = [2]int{area.Top, area.Bottom}
	}
}

// ordersXLSB returns orders.xlsx as a binary workbook: the values and number formats that another library finds in it.
func ordersXLSB(t testing.TB) string {
	t.Helper()
	f, err := excelize.OpenReader(strings.NewReader(formatFile(t, "orders.xlsx")))
	may := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	may(err)
	defer f.Close()
	var book biff12.Book
	for id := 0; ; id++ {
		style, err := f.GetStyle(id)
		if err != nil {
			break
		}
		s := biff12.Style{Format: style.NumFmt}
		if style.CustomNumFmt != nil {
			s = biff12.Style{Format: 164 + id, Code: *style.CustomNumFmt}
		}
		book.Styles = append(book.Styles, s)
	}
	for _, name := range f.GetSheetList() {
		s := biff12.Sheet{Name: name}
		visible, err := f.GetSheetVisible(name)
		may(err)
		s.State = b2i(!visible)
		rows, err := f.GetRows(name, excelize.Options{RawCellValue: true})
		may(err)
		for r, row := range rows {
			var cells []biff12.Cell
			for c, raw := range row {
				at, err := excelize.CoordinatesToCellName(c+1, r+1)
				may(err)
				cells = append(cells, cellOf(t, f, name, at, raw))
			}
			s.Rows = append(s.Rows, cells)
		}
		merged, err := f.GetMergeCells(name)
		may(err)
		for _, m := range merged {
			tellXLSB(&s, "merge "+m.GetStartAxis()+":"+m.GetEndAxis())
		}
		book.Sheets = append(book.Sheets, s)
	}
	return string(book.Bytes())
}

func cellOf(t testing.TB, f *excelize.File, sheet, at, raw string) (cell biff12.Cell) {
	t.Helper()
	var err error
	if cell.Style, err = f.GetCellStyle(sheet, at); err != nil {
		t.Fatal(err)
	}
	kind, err := f.GetCellType(sheet, at)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseFloat(raw, 64)
	switch {
	case raw == "":
	case kind == excelize.CellTypeBool:
		cell.Value = raw == "1" || raw == "TRUE"
	case kind != excelize.CellTypeSharedString && kind != excelize.CellTypeInlineString && err == nil:
		cell.Value = number
	default:
		cell.Value = raw
	}
	return cell
}

// An encrypted one is read with its password.
func TestEncryptedBinaryWorkbook(t *testing.T) {
	t.Parallel()
	s := biff12.Sheet{Name: "S", Rows: [][]biff12.Cell{{{Value: "name"}, {Value: "n"}}}}
	for i := range 2000 { // a small file would lie in a part of the compound file that excelize writes wrongly
		s.Rows = append(s.Rows, []biff12.Cell{{Value: strconv.Itoa(i * 7919)}, {Value: float64(i)}})
	}
	book := biff12.Book{Sheets: []biff12.Sheet{s}}
	file, err := excelize.Encrypt(book.Bytes(), &excelize.Options{Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]Code{"": Encrypted, "secret": "", "wrong": WrongPassword} {
		open := decrypt.With(password)
		if password == "" {
			open = nil
		}
		b, err := OpenEncrypted(t.Context(), bytes.NewReader(file), open, Options{}, DefaultLimits())
		if err == nil {
			if b.Format() != formatXLSB {
				t.Errorf("is read as %s", b.Format())
			}
			err = b.Close()
		}
		if refused, ok := errors.AsType[*Refusal](err); ok != (want != "") || ok && refused.Code != want {
			t.Errorf("with the password %s: %v", password, err)
		}
	}
}

// Texts that stand in their cells, and results of formulas, are read like those that cells share.
func TestTextsAndResultsOfBinaryWorkbooks(t *testing.T) {
	t.Parallel()
	want := []string{"sheet 1 S visible=true", "header 1A1: name|n|ok|day", "row 2A2: 日本語 😀|0.1|TRUE|2024-05-01", "row 3A3: two\nlines|-12|FALSE|1904-01-02", "row 4A4: NULL|1E+300|TRUE|NULL"}
	for _, formula := range []bool{false, true} {
		for _, inline := range []bool{false, true} {
			cell := func(v any) biff12.Cell { return biff12.Cell{Value: v, Formula: formula} }
			day := func(v float64) biff12.Cell { return biff12.Cell{Value: v, Formula: formula, Style: 1} }
			s := biff12.Sheet{Name: "S", Rows: [][]biff12.Cell{
				{cell("name"), cell("n"), cell("ok"), cell("day")},
				{cell("日本語 😀"), cell(0.1), cell(true), day(45413 - 1462)},
				{cell("two\nlines"), cell(-12.0), cell(false), day(1)},
				{cell(biff12.Error(0x2A)), cell(1e300), cell(true), cell(nil)},
			}}
			book := biff12.Book{Sheets: []biff12.Sheet{s}, Styles: []biff12.Style{{}, {Format: 164, Code: `dd/mm/yyyy;@`}}, Date1904: true, Inline: inline}
			if got := read(t, string(book.Bytes()), Options{}, DefaultLimits()); firstDifference(got, want) >= 0 {
				t.Errorf("formula %v, inline %v: %q", formula, inline, got)
			}
		}
	}
}
