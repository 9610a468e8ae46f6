package ods

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/grid/gridtest"
)

// flat is a document in one piece with a table of these rows.
func flat(rows string) string {
	return `<office:document><office:body><office:spreadsheet><table:table table:name="S">` + rows + `</table:table></office:spreadsheet></office:body></office:document>`
}

func textCell(text string) string {
	return `<table:table-cell office:value-type="string"><text:p>` + text + `</text:p></table:table-cell>`
}

// dump reads the first table into lines such as "3 A=text C=1.5", with the codes of faults and warnings, and how reading ended.
func dump(t *testing.T, content string, o Options) []string {
	t.Helper()
	if o.Limits == (grid.Limits{}) {
		o.Limits = grid.DefaultLimits()
	}
	b, err := OpenFlat(strings.NewReader(content), int64(len(content)), o)
	if err != nil {
		return []string{string(gridtest.Code(err))}
	}
	rows, err := b.Rows(1)
	var lines []string
	for err == nil {
		var row *grid.Row
		if row, err = rows.Next(); err == nil {
			line := fmt.Sprint(row.No, row.Fault)
			for _, c := range row.Cells {
				line += fmt.Sprintf(" %s=%s%s%s", strings.TrimSuffix(grid.Reference(c.Column, 1), "1"), c.Text, c.Fault, c.Warning)
			}
			lines = append(lines, line)
		}
	}
	if !errors.Is(err, io.EOF) {
		lines = append(lines, string(gridtest.Code(err)))
	}
	return lines
}

func TestCells(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		`<table:table-cell office:value-type="float" office:value="1.10"><text:p>1,1</text:p></table:table-cell>`:                                                                    "1 A=1.1",
		`<table:table-cell office:value-type="float" office:value="x"/>`:                                                                                                             "1 A=x",
		`<table:table-cell office:value-type="float" office:value="0"><text:p>FALSE</text:p></table:table-cell>`:                                                                     "1 A=FALSE",
		`<table:table-cell office:value-type="float" office:value="2"><text:p>TRUE</text:p></table:table-cell>`:                                                                      "1 A=2",
		`<table:table-cell office:value-type="percentage" office:value="0.125"><text:p>13%</text:p></table:table-cell>`:                                                              "1 A=0.125",
		`<table:table-cell office:value-type="currency" office:currency="JPY" office:value="1200"/>`:                                                                                 "1 A=1200",
		`<table:table-cell office:value-type="date" office:date-value="2024-02-29"/>`:                                                                                                "1 A=2024-02-29",
		`<table:table-cell office:value-type="date" office:date-value="2024-02-29T10:00:00.5"/>`:                                                                                     "1 A=2024-02-29T10:00:00.500",
		`<table:table-cell office:value-type="date" office:date-value="2024-02-30"/>`:                                                                                                "1 A=2024-02-30",
		`<table:table-cell office:value-type="time" office:time-value="PT08H05M09.25S"/>`:                                                                                            "1 A=08:05:09.250",
		`<table:table-cell office:value-type="time" office:time-value="PT25H00M00S"/>`:                                                                                               "1 A=25:00:00",
		`<table:table-cell office:value-type="time" office:time-value="-PT1H"/>`:                                                                                                     "1 A=-01:00:00",
		`<table:table-cell office:value-type="time" office:time-value="PTx"/>`:                                                                                                       "1 A=PTx",
		`<table:table-cell office:value-type="boolean" office:boolean-value="true"/>`:                                                                                                "1 A=TRUE",
		`<table:table-cell office:value-type="boolean" office:boolean-value="maybe"/>`:                                                                                               "1 A=MAYBEbad_value",
		`<table:table-cell table:formula="of:=1"/>`:                                                                                                                                  "1 A=no_cached_value",
		`<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>`:                                    "1 A=#N/A",
		`<table:table-cell office:value-type="string" office:string-value="x"/>`:                                                                                                     "1 A=x",
		textCell(" a <text:span>b</text:span>\n c<text:s text:c=\"3\"/>d<office:annotation><text:p>no</text:p></office:annotation>"):                                                 "1 A=a b c   d",
		textCell("<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>"):                                                                   "1 A=漢字",
		textCell("a</text:p><text:p/><text:p>b<text:line-break/>c"):                                                                                                                  "1 A=a\n\nb\nc",
		`<table:table-cell table:number-columns-repeated="2"/>` + textCell("x") + `<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="2"/>`: "1 C=x D=1 E=1",
		`<table:table-cell table:number-columns-spanned="2" office:value-type="float" office:value="1"/><table:covered-table-cell/>` + textCell("y"):                                 "1 A=1 C=y",
		textCell("a&#0;b"): "1 A=a\x00binvalid_character",
	} {
		if got := dump(t, flat("<table:table-row>"+cell+"</table:table-row>"), Options{}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", cell, got, want)
		}
	}
}

// P9: what is repeated counts each time, and what is empty never does.
func TestRepetitions(t *testing.T) {
	t.Parallel()
	lim := grid.DefaultLimits()
	lim.Rows, lim.Cells, lim.Columns = 100, 1000, 50
	wide := strings.Replace(textCell("x"), "table-cell ", `table-cell table:number-columns-repeated="16384" `, 1)
	for name, c := range map[string]struct {
		rows string
		last string
		n    int
	}{
		"empty rows":      {`<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row>` + textCell("x") + `</table:table-row>`, "1048571 A=x", 1},
		"rows":            {`<table:table-row table:number-rows-repeated="1048576">` + textCell("x") + `</table:table-row>`, "too_many_rows", 101},
		"cells":           {`<table:table-row>` + wide + `</table:table-row>`, "1too_many_columns" + strings.Repeat("", 0), 1},
		"cells of rows":   {`<table:table-row table:number-rows-repeated="99">` + strings.Replace(wide, "16384", "40", 1) + `</table:table-row>`, "too_many_cells", 26},
		"huge number":     {`<table:table-row table:number-rows-repeated="99999999999999">` + textCell("x") + `</table:table-row>`, "too_many_rows", 101},
		"behind the last": {`<table:table-row table:number-rows-repeated="1048576"/><table:table-row>` + textCell("x") + `</table:table-row>`, "1048577bad_reference A=x", 1},
	} {
		got := dump(t, flat(c.rows), Options{Limits: lim})
		if len(got) != c.n || !strings.HasPrefix(got[len(got)-1], c.last) {
			t.Errorf("%s: %d lines, the last one %.60q", name, len(got), got[len(got)-1])
		}
	}
}

// packed makes a package of a document and other parts, each with its name.
func packed(t testing.TB, document, manifest string, others ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	parts := [][2]string{{"mimetype", container.Spreadsheet}, {"content.xml", document}, {"META-INF/manifest.xml", manifest}}
	for _, part := range append(parts, others...) {
		f, err := w.Create(part[0])
		if err == nil {
			_, err = io.WriteString(f, part[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openPacked(file []byte, l grid.Limits) (*Book, error) {
	archive, err := container.Open(bytes.NewReader(file), int64(len(file)), nil, l)
	if err != nil {
		return nil, err
	}
	return Open(archive, Options{Limits: l, FillDown: true})
}

// A package has the styles with a name, and formats that they display numbers by, in a part of their own.
func TestCommonStyles(t *testing.T) {
	t.Parallel()
	const document = `<office:document-content><office:automatic-styles>` +
		`<style:style style:name="ce1" style:parent-style-name="Worked"/><style:style style:name="ce2" style:parent-style-name="Head"/></office:automatic-styles>` +
		`<office:body><office:spreadsheet><table:table table:name="S"><table:table-row>` +
		`<table:table-cell table:style-name="ce2" office:value-type="string"><text:p>a</text:p></table:table-cell>` +
		`<table:table-cell table:style-name="ce1" office:value-type="time" office:time-value="PT08H00M00S"/></table:table-row></table:table>` +
		`</office:spreadsheet></office:body></office:document-content>`
	const common = `<office:document-styles><office:styles><number:time-style style:name="N1" number:truncate-on-overflow="false"/>` +
		`<style:style style:name="Worked" style:data-style-name="N1"/><style:style style:name="Head"><style:text-properties fo:font-weight="bold"/></style:style>` +
		`</office:styles></office:document-styles>`
	b, err := openPacked(packed(t, document, "<manifest:manifest/>", [2]string{"styles.xml", common}), grid.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rows, err := b.Rows(1)
	if err != nil {
		t.Fatal(err)
	}
	row, err := rows.Next()
	if err != nil {
		t.Fatal(err)
	}
	if head, worked := row.Cells[0], row.Cells[1]; !head.Strong || worked.Strong || worked.Kind != grid.Duration || string(worked.Text) != "08:00:00" {
		t.Errorf("%+v, %+v", head, worked)
	}
}

func TestSpreadsheetsThatAreRefused(t *testing.T) {
	t.Parallel()
	const manifest = "<manifest:manifest/>"
	for name, c := range map[string]struct {
		document, manifest string
		want               grid.Code
	}{
		"encrypted":  {"\x01\x02", `<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`, grid.Encrypted},
		"no tables":  {"<office:document-content/>", manifest, grid.DamagedFile},
		"cut off":    {flat("<table:table-row>")[:90], manifest, grid.DamagedFile},
		"entities":   {`<!DOCTYPE x [<!ENTITY a "b">]>` + flat(""), manifest, grid.DamagedFile},
		"empty":      {"", manifest, grid.DamagedFile},
		"no text":    {"<x>", manifest, grid.DamagedFile},
		"zip bombs":  {flat(strings.Repeat("<table:table-row/>", 2<<20)), manifest, grid.UnzipRatio},
		"no content": {flat("") + "<", manifest, ""},
	} {
		if _, err := openPacked(packed(t, c.document, c.manifest), grid.DefaultLimits()); gridtest.Code(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// FuzzDocument reads any text as a document, in one piece and packed.
func FuzzDocument(f *testing.F) {
	orders, err := os.ReadFile("../testdata/formats/orders.fods")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(orders))
	f.Add(flat(`<table:table-row table:number-rows-repeated="3">` + textCell("a<text:s/>") + `</table:table-row>`))
	f.Fuzz(func(t *testing.T, document string) {
		l := gridtest.SmallLimits()
		b, err := OpenFlat(strings.NewReader(document), int64(len(document)), Options{Limits: l, FillDown: true})
		gridtest.CheckBook(t, b, err, l)
		b, err = openPacked(packed(t, document, "<m/>"), l)
		gridtest.CheckBook(t, b, err, l)
	})
}
