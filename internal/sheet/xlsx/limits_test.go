package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// Each limit has its code, and what is exactly at the limit is read.
func TestLimits(t *testing.T) {
	t.Parallel()
	rows := `<row><c><v>1</v></c><c/></row><row/><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>`
	file := workbookOf(rows, []string{"<si><t>12345</t></si>", "<si><t>1234</t></si>"}).zip(t)
	parts, unzipped := sizes(t, file)
	all := []string{"1 A=1:number", "3 A=12345 B=1234"}
	for name, c := range map[string]struct {
		set  func(l *grid.Limits, less int)
		code grid.Code
		want []string // where it is a matter of rows
	}{
		"package":  {func(l *grid.Limits, less int) { l.PackageBytes = int64(len(file) - less) }, grid.PackageTooLarge, nil},
		"unzipped": {func(l *grid.Limits, less int) { l.UnzippedBytes = unzipped - int64(less) }, grid.UnzippedTooLarge, nil},
		"parts":    {func(l *grid.Limits, less int) { l.Parts = parts - less }, grid.TooManyParts, nil},
		"rows":     {func(l *grid.Limits, less int) { l.Rows = 2 - int64(less) }, grid.TooManyRows, nil},
		"cells":    {func(l *grid.Limits, less int) { l.Cells = 3 - int64(less) }, grid.TooManyCells, nil},
		"columns":  {func(l *grid.Limits, less int) { l.Columns = 2 - less }, "", []string{"1 A=1:number", "3!too_many_columns A=12345"}},
		"cell":     {func(l *grid.Limits, less int) { l.CellBytes = 5 - less }, "", []string{"1 A=1:number", "3 A=1234!cell_too_long B=1234"}},
		"row":      {func(l *grid.Limits, less int) { l.RowBytes = 9 - less }, "", []string{"1 A=1:number", "3!record_too_long A=12345"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for less := range 2 {
				l := grid.DefaultLimits()
				c.set(&l, less)
				want, code := all, grid.Code("")
				if less > 0 && c.want != nil {
					want = c.want
				} else if less > 0 {
					want, code = nil, c.code
				}
				got, err := read(t, file, Options{Limits: l})
				if codeOf(err) != code || code == "" && (err != nil || !slices.Equal(got, want)) {
					t.Errorf("%d below: got %q, %v, want %q, %s", less, got, err, want, code)
				}
			}
		})
	}
}

func sizes(t *testing.T, file []byte) (parts int, unzipped int64) {
	r, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		unzipped += int64(f.UncompressedSize64)
	}
	return len(r.File), unzipped
}

func TestUnzipRatio(t *testing.T) {
	t.Parallel()
	for rows, want := range map[int]grid.Code{300_000: "", 800_000: grid.UnzipRatio} { // of 24 bytes: below and above 16 MiB
		file := workbookOf(strings.Repeat(`<row><c></c><c></c></row>`, rows), nil).zip(t)
		if _, err := read(t, file, Options{}); codeOf(err) != want {
			t.Errorf("%d rows: %v, want %q", rows, err, want)
		}
	}
}

// What a directory says of a part's size is not believed: the part is counted while it is unpacked.
func TestDirectoryLies(t *testing.T) {
	t.Parallel()
	const name = "xl/worksheets/sheet1.xml"
	big := sheetOf(strings.Repeat("<row/>", 1<<20))
	file := raw(t, workbookOf("", nil).with(name, big), name, func(h *zip.FileHeader, _ []byte) { h.UncompressedSize64 = 1 << 10 })
	if _, err := read(t, file, Options{}); codeOf(err) != grid.DamagedFile {
		t.Errorf("a part larger than its directory says: %v", err)
	}
}

// What is read for filling down is not counted twice. A sheet that stands in the list again is: ten thousand of one part would be a bomb.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	again := strings.Replace(workbookXML, "</sheets>", `<sheet name="again" sheetId="2" r:id="rId1"/></sheets>`, 1)
	file := workbookOf(strings.Repeat("<row/>", 1000)+oneCell, nil).with("xl/workbook.xml", again).zip(t)
	l := grid.DefaultLimits()
	_, l.UnzippedBytes = sizes(t, file)
	b, err := openBytes(t, file, Options{Limits: l, FillDown: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := dump(b, 1); err != nil || len(got) != 1 {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := dump(b, 2); codeOf(err) != grid.UnzippedTooLarge {
		t.Errorf("the same part again: %v", err)
	}
}

// Merged ranges follow the rows: once these were read, nothing is unpacked again for them.
func TestMergedRangesBehindTheRows(t *testing.T) {
	t.Parallel()
	sheet := strings.Replace(sheetOf(strings.Repeat("<row/>", 1000)+oneCell), "</sheetData>",
		`</sheetData><mergeCells><mergeCell ref="A1:B2"/><mergeCell ref="nonsense"/></mergeCells>`, 1)
	file := workbookOf("", nil).with("xl/worksheets/sheet1.xml", sheet).zip(t)
	l := grid.DefaultLimits()
	_, l.UnzippedBytes = sizes(t, file)
	b, err := openBytes(t, file, Options{Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := b.Rows(1)
	for err == nil {
		_, err = rows.Next()
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	known, err := rows.(grid.Informed).Known(true)
	if want := []grid.Range{{Left: 1, Right: 2, Top: 1, Bottom: 2}}; err != nil || !slices.Equal(known.Merged, want) {
		t.Errorf("%+v, %v, want %+v", known.Merged, err, want)
	}
}

// Lists that are held in memory are limited, whichever part they stand in.
func TestLongLists(t *testing.T) {
	t.Parallel()
	base := workbookOf("", []string{"<si/><si/><si/>"})
	few, cells := grid.DefaultLimits(), grid.DefaultLimits()
	few.Parts, cells.Cells = 10, 2
	for name, c := range map[string]struct {
		part, text string
		limits     grid.Limits
		want       grid.Code
	}{
		"sheets":         {"xl/workbook.xml", "<workbook><sheets>" + strings.Repeat("<sheet/>", 11) + "</sheets></workbook>", few, grid.TooManyParts},
		"relations":      {"xl/_rels/workbook.xml.rels", "<Relationships>" + numbered(`<Relationship Id="%d"/>`, 11) + "</Relationships>", few, grid.TooManyParts},
		"cell formats":   {"xl/styles.xml", "<styleSheet><cellXfs>" + strings.Repeat("<xf/>", grid.MaxFormats+1) + "</cellXfs></styleSheet>", grid.DefaultLimits(), grid.DamagedFile},
		"number formats": {"xl/styles.xml", "<styleSheet><numFmts>" + numbered(`<numFmt numFmtId="%d" formatCode="0"/>`, grid.MaxFormats+1) + "</numFmts></styleSheet>", grid.DefaultLimits(), grid.DamagedFile},
		"shared strings": {"docProps/app.xml", "", cells, grid.TooManyCells},
	} {
		if _, err := read(t, base.with(c.part, c.text).zip(t), Options{Limits: c.limits}); codeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	name := strings.Repeat("x", 3*container.MaxAttribute)
	b, err := openBytes(t, base.with("xl/workbook.xml", strings.Replace(workbookXML, "Sheet1", name, 1)).zip(t), Options{})
	if err != nil || b.Sheets()[0].Name != name[:container.MaxAttribute] {
		t.Errorf("a sheet's name is not cut: %v", err)
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// A directory that is itself a bomb is given up before it fills the memory.
func TestLargeDirectory(t *testing.T) {
	f := files{}
	for i := range 10_000 {
		f = append(f, struct{ name, text string }{fmt.Sprintf("%s/%d", strings.Repeat("x", 100), i), ""})
	}
	o := Options{Limits: grid.DefaultLimits()}
	o.Limits.Parts = 100
	file := f.zip(t, zip.Store)
	made := allocated(func() {
		if _, err := openBytes(t, file, o); codeOf(err) != grid.TooManyParts {
			t.Errorf("got %v", err)
		}
	})
	if made > 3<<20 {
		t.Errorf("took %d KiB", made>>10)
	}
}

// Hostile rows and cells end in a fault, or are given up, within a small multiple of the limits.
func TestHostileSizes(t *testing.T) {
	const most = 16 << 20
	long := strings.Repeat("x", most)
	cells := strings.Repeat(`<c r="A1" t="s"><v>0</v></c>`, 20_000)
	o := Options{Limits: grid.DefaultLimits()}
	o.Limits.CellBytes, o.Limits.RowBytes = 64<<10, 256<<10
	for name, c := range map[string]struct {
		file files
		want string
	}{
		"inline cell":         {workbookOf(`<row><c t="inlineStr"><is><t>`+long+`</t></is></c></row>`, nil), "1 A=x!cell_too_long"},
		"number":              {workbookOf(`<row><c><v>1`+strings.Repeat("0", most)+`</v></c></row>`, nil), "1 A=1:number!cell_too_long"},
		"runs":                {workbookOf(`<row><c t="inlineStr"><is>`+strings.Repeat("<r><t>xxxxxxxxxxxxxxxx</t></r>", most/32)+`</is></c></row>`, nil), "1 A=x!cell_too_long"},
		"CDATA":               {workbookOf(`<row><c t="str"><v><![CDATA[`+long+`]]></v></c></row>`, nil), "1 A=x!cell_too_long"},
		"shared string":       {workbookOf(`<row><c t="s"><v>0</v></c></row>`, []string{"<si><t>" + long + "</t></si>"}), "1 A=x!cell_too_long"},
		"row of long strings": {workbookOf("<row>"+cells+"</row>", []string{"<si><t>" + long[:60<<10] + "</t></si>"}), "1!record_too_long A=x"},
		"row of short cells":  {workbookOf("<row>"+cells+"</row>", []string{"<si><t>x</t></si>"}), "1!too_many_columns A=x"},
		"row of long cells":   {workbookOf("<row>"+strings.Repeat("<c><v>x"+long[:60<<10]+"</v></c>", 256)+"</row>", nil), "1!record_too_long A=x"},
		"comment":             {workbookOf("<!--"+long+"--><row><c t=\"str\"><v>x</v></c></row>", nil), "1 A=x"},
	} {
		t.Run(name, func(t *testing.T) {
			file := c.file.zip(t, zip.Store)
			made := allocated(func() { checkOnlyRow(t, file, o, c.want) })
			if made > 8<<20 && name != "shared string" || made > most+8<<20 { // the table asks for memory that it then does not touch
				t.Errorf("took %d KiB", made>>10)
			}
		})
	}
}

// checkOnlyRow looks at the first byte of the first cell of the only row.
func checkOnlyRow(t *testing.T, file []byte, o Options, want string) {
	b, err := openBytes(t, file, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := b.Rows(1)
	if err != nil {
		t.Fatal(err)
	}
	row, err := rows.Next()
	if err != nil {
		t.Fatal(err)
	}
	row.Cells = row.Cells[:1]
	row.Cells[0].Text = row.Cells[0].Text[:1]
	if got := show(row); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if row, err := rows.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("then %v, %v", row, err)
	}
}

// allocated returns the bytes that f asked for.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
