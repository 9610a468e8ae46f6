package sheet

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/sheet/grid"
)

// drawnBook is a worksheet of testdata/books, and what a person reads from it: lines that begin with want (records above the
// header, rows of it, and how many records are rows, rejects and skipped), columns, and warns (a warning and its cells); then
// what a spreadsheet program knows of the sheet, each with an @, and its rows. In a row | separates cells, ' stands before a
// text that looks like a number, and = before a date.
type drawnBook struct {
	want, columns, warns string
	told                 []string
	rows                 [][]string
}

func parseDrawnBook(text string) (b drawnBook) {
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		switch word, rest, _ := strings.Cut(line, " "); {
		case len(b.rows) > 0:
			b.rows = append(b.rows, strings.Split(line, "|"))
		case word == "want":
			b.want = rest
		case word == "columns":
			b.columns = rest
		case word == "warns":
			b.warns = rest
		case strings.HasPrefix(line, "@"):
			b.told = append(b.told, strings.TrimPrefix(line, "@"))
		default:
			b.rows = append(b.rows, strings.Split(line, "|"))
		}
	}
	return b
}

// write writes the sheet as Excel does.
func (b drawnBook) write(t *testing.T) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	const name = "Sheet1"
	may := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for r, row := range b.rows {
		for c, cell := range row {
			if cell == "" {
				continue
			}
			at, err := excelize.CoordinatesToCellName(c+1, r+1)
			may(err)
			var value any = strings.TrimPrefix(cell, "'")
			if n, err := strconv.ParseFloat(cell, 64); err == nil {
				value = n
			} else if day, isDay := strings.CutPrefix(cell, "="); isDay {
				value, err = time.Parse(time.DateOnly, day)
				may(err)
			}
			may(f.SetCellValue(name, at, value))
		}
	}
	for _, told := range b.told {
		may(tell(f, name, told))
	}
	for row, level := range b.levels() {
		may(f.SetRowOutlineLevel(name, row, uint8(level)))
	}
	var out bytes.Buffer
	may(f.Write(&out))
	return out.Bytes()
}

// tell tells the program something about the sheet.
func tell(f *excelize.File, name, told string) error {
	word, rest, _ := strings.Cut(told, " ")
	from, to, _ := strings.Cut(rest, ":")
	switch word {
	case "merge":
		return f.MergeCell(name, from, to)
	case "table":
		area, said := rest, ""
		for end, attribute := range map[string]string{" totals": `totalsRowCount="1"`, " bare": `headerRowCount="0"`} {
			if cut, ok := strings.CutSuffix(area, end); ok {
				area, said = cut, attribute
			}
		}
		err := f.AddTable(name, &excelize.Table{Range: area})
		if part, ok := f.Pkg.Load("xl/tables/table1.xml"); ok && said != "" { // which the library does not write
			f.Pkg.Store("xl/tables/table1.xml", bytes.Replace(part.([]byte), []byte(" ref="), []byte(" "+said+" ref="), 1))
		}
		return err
	case "filter":
		return f.AutoFilter(name, rest, nil)
	case "freeze":
		n, err := strconv.Atoi(rest)
		if err != nil {
			return err
		}
		return f.SetPanes(name, &excelize.Panes{Freeze: true, YSplit: n, TopLeftCell: fmt.Sprintf("A%d", n+1), ActivePane: "bottomLeft"})
	case "titles":
		return f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: fmt.Sprintf("%s!$%s:$%s", name, from, to), Scope: name})
	}
	style := &excelize.Style{Font: &excelize.Font{Bold: true}}
	switch word {
	case "group": // of rows, which levels has
		return nil
	case "indent":
		style = &excelize.Style{Alignment: &excelize.Alignment{Horizontal: "left", Indent: 1}}
	case "white":
		style = &excelize.Style{Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFFFFF"}}}
	case "share":
		style = &excelize.Style{NumFmt: 10}
	case "fill":
		style = &excelize.Style{Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"DDEBF7"}}}
	}
	id, err := f.NewStyle(style)
	if err != nil {
		return err
	}
	area := styled(rest)
	return f.SetCellStyle(name, grid.Reference(area.Left, area.Top), grid.Reference(area.Right, area.Bottom), id)
}

// read returns what is read of the sheet, in the words of want, columns and warns.
func (b drawnBook) read(t *testing.T) (want, columns, warns string) {
	t.Helper()
	return b.readAs(t, string(b.write(t)))
}

func (b drawnBook) readAs(t *testing.T, content string) (want, columns, warns string) {
	t.Helper()
	_, s := openFirst(t, content, Options{})
	kinds := map[Kind]int{}
	for rec := range recordsOf(t, s) {
		kinds[rec.Kind]++
	}
	d := s.Dialect()
	var names, warned []string
	for _, c := range s.Columns() {
		names = append(names, c.Name)
	}
	for _, w := range s.Warnings() {
		warned = append(warned, fmt.Sprintf("%s %d", w.Code, w.Count))
	}
	want = fmt.Sprintf("%d %d %d,%d,%d", d.PreambleRows, d.HeaderRows, kinds[Row], kinds[Reject], kinds[Skip])
	return want, strings.Join(names, "|"), strings.Join(warned, " ")
}

// Each worksheet of testdata/books is read as a person would read it.
func TestBooks(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/books/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b := parseDrawnBook(string(text))
			contents := map[string]string{"xlsx": string(b.write(t)), "xlsb": b.writeXLSB()}
			if b.isDrawnAlone("group", "indent", "share") {
				contents["xls"] = b.writeXLS()
			}
			if b.isDrawnAlone("group", "share") {
				contents["fods"] = b.writeFODS()
			}
			if b.isDrawnAlone() {
				contents["html"], contents["xml"] = b.writeHTML(), b.writeXML()
			}
			for format, content := range contents {
				if want, columns, warns := b.readAs(t, content); want != b.want || columns != b.columns || warns != b.warns {
					t.Errorf("%s:\n got %s %s %s\nwant %s %s %s", format, want, columns, warns, b.want, b.columns, b.warns)
				}
			}
		})
	}
}
