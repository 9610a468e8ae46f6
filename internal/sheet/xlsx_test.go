package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

const (
	xmlHead  = `<?xml version="1.0" encoding="UTF-8"?>`
	mainNS   = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relNS    = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relType  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	relsHead = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
)

// parts makes the parts of a workbook of one sheet with these rows; others replace or add to them.
func parts(rows string, others map[string]string) map[string]string {
	p := map[string]string{
		"[Content_Types].xml": xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels":         relsHead + `<Relationship Id="rId1" Type="` + relType + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":     xmlHead + `<workbook ` + mainNS + ` ` + relNS + `><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relsHead +
			`<Relationship Id="rId1" Type="` + relType + `worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": xmlHead + `<worksheet ` + mainNS + `><sheetData>` + rows + `</sheetData></worksheet>`,
	}
	maps.Copy(p, others)
	return p
}

func pack(t testing.TB, parts map[string]string) string {
	t.Helper()
	return packAs(t, zip.Deflate, parts, slices.Sorted(maps.Keys(parts)))
}

// packAs packs the parts of these names in their order.
func packAs(t testing.TB, method uint16, parts map[string]string, names []string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		part, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = io.WriteString(part, parts[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// number writes a row with a number in column A.
func number(row int, value string) string {
	return fmt.Sprintf(`<row r="%d"><c r="A%d"><v>%s</v></c></row>`, row, row, value)
}

// text writes a row of texts from column A on.
func text(row int, cells ...string) string {
	s := fmt.Sprintf(`<row r="%d">`, row)
	for i, cell := range cells {
		if cell != "" {
			s += fmt.Sprintf(`<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+i, row, cell)
		}
	}
	return s + "</row>"
}

// Whoever adds up percentages gets the same sum from a text and from the workbook that it was saved from.
func TestPercentagesAreTheSameNumbers(t *testing.T) {
	t.Parallel()
	workbook := excelize.NewFile()
	defer workbook.Close()
	const builtinPercent = 10 // 0.00%
	style, err := workbook.NewStyle(&excelize.Style{NumFmt: builtinPercent})
	if err == nil {
		err = errors.Join(workbook.SetSheetCol("Sheet1", "A1", &[]any{"rate", 0.05, 0.125, 1, -0.5}), workbook.SetCellStyle("Sheet1", "A2", "A5", style))
	}
	if err != nil {
		t.Fatal(err)
	}
	packed, err := workbook.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	want := []any{json.Number("0.05"), json.Number("0.125"), json.Number("1"), json.Number("-0.5")}
	for name, content := range map[string]string{"workbook": packed.String(), "point": "rate\n5 %\n12.5%\n100%\n-50%\n", "comma": "rate\n5 %\n12,5%\n100%\n-50%\n"} {
		var cells [][]byte
		var columns []Column
		err := eachRecord(t.Context(), []byte(content), Options{}, DefaultLimits(), func(s *Sheet, rec *Record) {
			if rec.Kind == Row {
				cells = append(cells, slices.Clone(rec.Cells[0]))
			}
			columns = s.Columns()
		})
		if err != nil {
			t.Fatal(name, err)
		}
		converters, err := NewConverters(columns)
		if err != nil {
			t.Fatal(name, err)
		}
		var got []any
		for _, cell := range cells {
			value, _ := converters[0].Value(cell)
			got = append(got, value)
		}
		if !slices.Equal(got, want) || columns[0].Min != "-0.5" || columns[0].Max != "1" {
			t.Errorf("%s: %v, from %s to %s; want %v", name, got, columns[0].Min, columns[0].Max, want)
		}
	}
}

func TestReadRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows string
		want []string
	}{
		"empty sheet":       {"", nil},
		"rows":              {text(1, "a", "b") + text(2, "1", "2"), []string{"header 1A1: a|b", "row 2A2: 1|2"}},
		"blank rows":        {text(2, "a") + text(3) + text(6, "x"), []string{"skip 1A1:", "header 2A2: a", "skip 3A3:", "skip 4A4:", "skip 5A5:", "row 6A6: x"}},
		"missing cells":     {text(1, "a", "b", "c") + text(2, "", "2"), []string{"header 1A1: a|b|c", "row 2B2: NULL|2|NULL"}},
		"extra cells":       {text(1, "a") + text(2, "1", "", "3"), []string{"header 1A1: a", "reject 2A2: 1|NULL|3 !extra_cell 3 "}},
		"empty extra cells": {text(1, "a") + `<row r="2"><c r="A2"><v>1</v></c><c r="B2"/></row>`, []string{"header 1A1: a", "row 2A2: 1"}},
		"empty texts":       {text(1, "a", "b") + `<row r="2"><c r="A2" t="inlineStr"><is><t/></is></c><c r="B2"><v>1</v></c></row><row r="3"><c r="A3"><v>1</v></c><c r="B3" t="str"><v></v></c><c r="C3" t="str"><v/></c></row>`, []string{"header 1A1: a|b", "row 2B2: |1", "row 3A3: 1|"}},
		"empty header text": {`<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="inlineStr"><is><t/></is></c></row>` + text(2, "1"), []string{"header 1A1: a", "row 2A2: 1"}},
		"half a character":  {text(1, "a", "b") + text(2, "x_xD800_", "y"), []string{"header 1A1: a|b", "reject 2A2: NULL|y !invalid_encoding 1 a"}},
		"no such string":    {text(1, "a", "b") + `<row r="2"><c r="A2" t="s"><v>5</v></c><c r="B2"><v>1</v></c></row>`, []string{"header 1A1: a|b", "reject 2A2: NULL|1 !missing_shared_string 1 a"}},
		"header with gaps":  {text(1, "", "b") + text(2, "1", "2"), []string{"header 1B1: NULL|b", "row 2A2: 1|2"}},
		"zero character":    {text(1, "a") + text(2, "x_x0000_"), []string{"header 1A1: a", "reject 2A2: x\x00 !invalid_character 1 a"}},
		"long cell":         {text(1, "a") + text(2, "123456789012345678901"), []string{"header 1A1: a", "reject 2A2: 12345678901234567890 !cell_too_long 1 a"}},
		"too wide":          {text(1, "a", "b", "c", "d", "e"), []string{"refused too_many_columns"}},
		"booleans":          {text(1, "a") + `<row r="2"><c r="A2" t="b"><v>1</v></c></row><row r="3"><c r="A3" t="b"><v>0</v></c></row>`, []string{"header 1A1: a", "row 2A2: TRUE", "row 3A3: FALSE"}},
		"errors":            {text(1, "a") + `<row r="2"><c r="A2" t="e"><v>#DIV/0!</v></c></row>`, []string{"header 1A1: a", "row 2A2: NULL"}},
		"formula":           {text(1, "a") + `<row r="2"><c r="A2"><f>1+1</f><v>2</v></c></row>`, []string{"header 1A1: a", "row 2A2: 2"}},
		"numbers as text":   {text(1, "a") + text(2, "007") + text(3, "1.10"), []string{"header 1A1: a", "row 2A2: 007", "row 3A3: 1.10"}},
		"ISO date":          {text(1, "a") + `<row r="2"><c r="A2" t="d"><v>2024-02-29T00:00:00</v></c></row>`, []string{"header 1A1: a", "row 2A2: 2024-02-29T00:00:00"}},
		"numbers": {
			text(1, "a") + number(2, "0.1") + number(3, "1.1000000000000001") + number(4, "12345678901234") + number(5, "1E-3") + number(6, "-2.50") + number(7, "1E+25"),
			[]string{"header 1A1: a", "row 2A2: 0.1", "row 3A3: 1.1", "row 4A4: 12345678901234", "row 5A5: 0.001", "row 6A6: -2.5", "row 7A7: 1E+25"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := append([]string{"sheet 1 S visible=true"}, c.want...)
			if got := read(t, pack(t, parts(c.rows, nil)), Options{}, small); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// Hidden sheets are named and not read; chart sheets count in the numbering and are left out.
func TestSheets(t *testing.T) {
	t.Parallel()
	sheets, relations := "", ""
	for i, s := range []struct{ name, kind, state string }{
		{"First", "worksheet", ""}, {"Chart", "chartsheet", ""}, {"Secret", "worksheet", "hidden"}, {"Deep", "worksheet", "veryHidden"}, {"在庫", "worksheet", "visible"},
	} {
		sheets += fmt.Sprintf(`<sheet name=%q sheetId="%d" state=%q r:id="rId%d"/>`, s.name, 9-i, s.state, i)
		relations += fmt.Sprintf(`<Relationship Id="rId%d" Type="%s%s" Target="/xl/worksheets/sheet1.xml"/>`, i, relType, s.kind)
	}
	content := pack(t, parts(text(1, "a"), map[string]string{
		"xl/workbook.xml":            xmlHead + `<workbook ` + mainNS + ` ` + relNS + `><sheets>` + strings.ReplaceAll(sheets, ` state=""`, "") + `</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relsHead + relations + `</Relationships>`,
	}))
	got := read(t, content, Options{}, DefaultLimits())
	want := []string{"sheet 1 First visible=true", "header 1A1: a", "sheet 3 Secret visible=false", "sheet 4 Deep visible=false", "sheet 5 在庫 visible=true", "header 1A1: a"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Leaving a sheet for the next one ends it.
func TestSheetEndsWithTheNext(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	_, err := book.NewSheet("Second")
	content := save(t, book, err, book.SetCellValue("Sheet1", "A1", "a"), book.SetCellValue("Second", "A1", "b"))
	opened, first := openFirst(t, content, Options{})
	second, err := opened.Next()
	if err != nil {
		t.Fatal(err)
	}
	if rec, err := first.Read(); !errors.Is(err, io.EOF) {
		t.Error(rec, err)
	}
	if rec, err := second.Read(); err != nil || string(rec.Cells[0]) != "b" {
		t.Error(rec, err)
	}
}

func TestRejectOfAWorkbookKeepsItsCells(t *testing.T) {
	t.Parallel()
	_, s := openFirst(t, pack(t, parts(text(1, "a")+text(2, "1", "", "x"), nil)), Options{})
	var rejects []string
	for rec := range recordsOf(t, s) {
		if rec.Kind == Reject {
			rejects = append(rejects, string(rec.Raw))
		}
		if rec.Offset != -1 || rec.Line != 0 {
			t.Errorf("%+v", rec)
		}
	}
	if !slices.Equal(rejects, []string{"1\t\tx"}) {
		t.Errorf("%q", rejects)
	}
}

func save(t *testing.T, book *excelize.File, errs ...error) string {
	t.Helper()
	b, err := book.WriteToBuffer()
	if err := errors.Join(append(errs, err, book.Close())...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
