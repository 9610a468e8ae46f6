package xlsx

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/grid"
)

// A value stands where its reference says or has a fault; it is never moved.
func TestPlaces(t *testing.T) {
	t.Parallel()
	one := func(ref string) string { return `<c r="` + ref + `"><v>1</v></c>` }
	for name, c := range map[string]struct {
		rows string
		want []string
	}{
		"holes":             {`<row r="2"><c r="B2"><v>1</v></c><c r="E2"><v>2</v></c></row>`, []string{"2 B=1:number E=2:number"}},
		"out of order":      {`<row r="1"><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>`, []string{"1 A=1:number B=2:number C=3:number"}},
		"no references":     {`<row><c><v>1</v></c><c/><c><v>3</v></c></row><row><c><v>4</v></c></row>`, []string{"1 A=1:number C=3:number", "2 A=4:number"}},
		"some references":   {`<row r="5"><c><v>1</v></c><c r="D5"><v>4</v></c><c><v>5</v></c></row><row><c><v>6</v></c></row>`, []string{"5 A=1:number D=4:number E=5:number", "6 A=6:number"}},
		"row by its cells":  {`<row><c r="B7"><v>1</v></c><c r="C7"><v>2</v></c></row><row><c><v>3</v></c></row>`, []string{"7 B=1:number C=2:number", "8 A=3:number"}},
		"lower case":        {`<row r="1"><c r="aa1"><v>1</v></c></row>`, []string{"1 AA=1:number"}},
		"last cell":         {`<row r="1048576">` + one("XFD1048576") + `</row>`, []string{"1048576 XFD=1:number"}},
		"duplicate":         {`<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="A1"><v>3</v></c></row>`, []string{"1 A=1:number A=3:number!duplicate_cell B=2:number"}},
		"duplicate, empty":  {`<row r="1"><c r="A1"><v>1</v></c><c r="A1" s="1"/></row>`, []string{"1 A=1:number"}},
		"two values":        {`<row r="1"><c r="A1"><v>1</v><v>2</v></c></row>`, []string{"1 A=1:number!duplicate_cell"}},
		"another row":       {`<row r="1">` + one("A2") + one("B1") + `</row>`, []string{"1 ?=1:number!bad_reference B=1:number"}},
		"two rows in one":   {`<row>` + one("A3") + one("B4") + `</row>`, []string{"3 ?=1:number!bad_reference A=1:number"}},
		"no reference, bad": {`<row r="1"><c r=""><v>1</v></c><c><v>2</v></c></row>`, []string{"1 ?=1:number!bad_reference A=2:number"}},
		"row order":         {`<row r="3">` + one("A3") + `</row><row r="1">` + one("A1") + `</row><row>` + one("A2") + `</row>`, []string{"3 A=1:number", "1 A=1:number", "2 A=1:number"}},
		"duplicate row":     {`<row r="3">` + one("A3") + `</row><row r="3">` + one("B3") + `</row>`, []string{"3 A=1:number", "3!duplicate_row B=1:number"}},
		"duplicate, no row": {`<row r="3" ht="20"/><row r="3">` + one("B3") + `</row>`, []string{"3 B=1:number"}},
		"row zero":          {`<row r="2">` + one("A2") + `</row><row r="0">` + one("A3") + `</row>`, []string{"2 A=1:number", "3!bad_reference A=1:number"}},
		"empty row zero":    {`<row r="0"/>`, []string{"1!bad_reference"}},
		"row too far":       {`<row r="1048577"><c><v>1</v></c></row>`, []string{"1!bad_reference A=1:number"}},
		"past the last row": {`<row r="1048576">` + one("A1048576") + `</row><row><c><v>1</v></c></row>`, []string{"1048576 A=1:number", "1048577!bad_reference A=1:number"}},
		"past the last":     {`<row r="1">` + one("XFD1") + `<c><v>2</v></c></row>`, []string{"1 ?=2:number!bad_reference XFD=1:number"}},
		"empty rows":        {`<row r="1"/><row r="2"><c r="A2" s="0"/></row><row r="3"><c r="A3" t="str"><f>""</f><v></v></c></row><row>` + one("A4") + `</row>`, []string{"4 A=1:number"}},
		"entity":            {`<row r="&#49;"><c r="&#66;1"><v>1</v></c></row>`, []string{"1 B=1:number"}},
		"prefixes":          {`<x:row xmlns:x="` + mainNamespace + `" r="1"><x:c r="B1"><x:v>1</x:v></x:c></x:row>`, []string{"1 B=1:number"}},
		"strangers":         {`<extLst><row r="9"/></extLst><row r="1"><extLst><c><v>9</v></c></extLst><c r="B1"><extLst><v>8</v></extLst><v>1</v></c></row>`, []string{"1 B=1:number"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := read(t, workbookOf(c.rows, nil).zip(t), Options{})
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestBadReferences(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{"AAAAAAAA1", "A0", "A", "1", "XFE1", "A01", "A1048577", "A99999999999999999999", "$A$1", "A1:B1", " A1", "A-1", "É1", "A1 ", "@1", "[1"} {
		rows := `<row r="1"><c r="` + ref + `"><v>1</v></c></row>`
		got, err := read(t, workbookOf(rows, nil).zip(t), Options{})
		if want := []string{"1 ?=1:number!bad_reference"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", ref, got, err, want)
		}
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]int{"A7": 1, "Z7": 26, "AA7": 27, "ZZ7": 702, "AAA7": 703, "XFD7": 16384} {
		column, row, ok := grid.ParseReference([]byte(ref))
		if column != want || row != 7 || !ok {
			t.Errorf("%s is read as %d, %d, %v", ref, column, row, ok)
		}
		if got := grid.Reference(want, 7); got != ref {
			t.Errorf("%d is written as %s, want %s", want, got, ref)
		}
	}
}

// Empty space costs nothing: the last row alone, and rows of the last column alone.
func TestSparse(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	want := []string{}
	for no := 1; no <= 20_000; no++ {
		fmt.Fprintf(&rows, `<row r="%d"><c r="XFD%d"><v>%d</v></c></row>`, no, no, no)
		want = append(want, fmt.Sprintf("%d XFD=%d:number", no, no))
	}
	rows.WriteString(`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`)
	got, err := read(t, workbookOf(rows.String(), nil).zip(t), Options{})
	if want = append(want, "1048576 A=1:number"); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %d rows, %v, want %d", len(got), err, len(want))
	}
}

// What merged ranges hold for later rows is limited like a row, and their number is limited.
func TestFillDownLimits(t *testing.T) {
	t.Parallel()
	merges := `<mergeCell ref="A1:A9"/><mergeCell ref="B2:B9"/>`
	sheet := strings.Replace(sheetOf(`<row><c t="str"><v>12345</v></c></row><row><c r="B2" t="str"><v>1234</v></c></row><row><c r="C3"><v>1</v></c></row>`),
		"</sheetData>", "</sheetData><mergeCells>"+merges+"</mergeCells>", 1)
	file := workbookOf("", nil).with("xl/worksheets/sheet1.xml", sheet)
	for bytes, want := range map[int][]string{
		10: {"1 A=12345", "2 A=12345 B=1234", "3 A=12345 B=1234 C=1:number"},
		9:  {"1 A=12345", "2 A=12345 B=1234", "3!record_too_long A=12345 C=1:number"},
		8:  {"1 A=12345", "2!record_too_long B=1234", "3 A=12345 B=:none!record_too_long C=1:number"},
	} {
		l := grid.DefaultLimits()
		l.RowBytes = bytes
		got, err := read(t, file.zip(t), Options{Limits: l, FillDown: true})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d bytes: got %q, %v, want %q", bytes, got, err, want)
		}
	}
	many := strings.Replace(sheet, merges, strings.Repeat(`<mergeCell ref="A1:A2"/>`, grid.MaxMerged+1), 1)
	if _, err := read(t, file.with("xl/worksheets/sheet1.xml", many).zip(t, 0), Options{FillDown: true}); codeOf(err) != grid.DamagedFile {
		t.Errorf("%d merged ranges: %v", grid.MaxMerged+1, err)
	}
}

func TestFillDown(t *testing.T) {
	t.Parallel()
	rows := `<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="D1" s="1"><v>45000</v></c></row>` +
		`<row r="2"><c r="A2"/><c r="B2"><v>20</v></c><c r="C2"><v>3</v></c></row>` +
		`<row r="3"><c r="A3"/></row>` +
		`<row r="4"><c r="C4"><v>4</v></c></row><row r="5"><c r="C5"><v>5</v></c></row>`
	sheet := strings.Replace(sheetOf(rows), "</sheetData>", `</sheetData><mergeCells><mergeCell ref="A1:A3"/><mergeCell ref="B1:B2"/>`+
		`<mergeCell ref="D1:E4"/><mergeCell ref="A2:A5"/><mergeCell ref="B2:B5"/><mergeCell ref="F1:F5"/><mergeCell ref="nonsense"/></mergeCells>`, 1)
	file := workbookOf("", nil, "14").with("xl/worksheets/sheet1.xml", sheet).zip(t)
	for _, c := range []struct {
		options Options
		want    []string
	}{
		{Options{}, []string{
			"1 A=1:number B=2:number D=2023-03-15:date", "2 B=20:number C=3:number", "4 C=4:number", "5 C=5:number"}},
		{Options{FillDown: true}, []string{
			"1 A=1:number B=2:number D=2023-03-15:date", "2 A=1:number B=20:number C=3:number D=2023-03-15:date",
			"4 C=4:number D=2023-03-15:date", "5 C=5:number"}},
	} {
		got, err := read(t, file, c.options)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("fill down %v: got %q, %v, want %q", c.options.FillDown, got, err, c.want)
		}
	}
}
