package sheet

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/sheettest/biff12"
)

// P9: short files that stand for large ones, in each format.
func TestHostileFormats(t *testing.T) {
	fods := func(rows string) string {
		return `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body><office:spreadsheet><table:table table:name="S">` +
			rows + `</table:table></office:spreadsheet></office:body></office:document>`
	}
	cell := `<table:table-cell%s office:value-type="string"><text:p>x</text:p></table:table-cell>`
	xml := func(rows string) string {
		return `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>` + rows + `</Table></Worksheet></Workbook>`
	}
	text := `<Cell%s><Data ss:Type="String">x</Data></Cell>`
	for name, c := range map[string]struct {
		content, codes string
		memory         uint64 // bytes
	}{
		"gzip: empty lines":                 {zipped(t, "a,b\n"+strings.Repeat("\n", 15<<20)), "refused output_too_large", 64 << 20},
		"ods: a million rows of one":        {fods(`<table:table-row table:number-rows-repeated="1048576">` + fmt.Sprintf(cell, "") + `</table:table-row>`), "", 32 << 20},
		"ods: a million rows of many cells": {fods(`<table:table-row table:number-rows-repeated="1048576">` + fmt.Sprintf(cell, ` table:number-columns-repeated="16384"`) + `</table:table-row>`), "refused too_many_cells", 160 << 20},
		"ods: a long header that repeats":   {fods(`<table:table-row table:number-rows-repeated="1048576">` + fmt.Sprintf(strings.Replace(cell, ">x<", ">"+strings.Repeat("x", 1000)+"<", 1), ` table:number-columns-repeated="3"`) + `</table:table-row>`), "refused output_too_large", 32 << 20},
		"ods: nested deeply":                {fods(strings.Repeat("<table:table-row-group>", 100_000)), "refused damaged_file", 0},
		"ods: many spaces":                  {fods(`<table:table-row><table:table-cell office:value-type="string"><text:p>a<text:s text:c="999999999"/>b</text:p></table:table-cell></table:table-row>`), "refused cell_too_long", 0},
		"xml: a row far below":              {xml(`<Row ss:Index="1048576">` + fmt.Sprintf(text, "") + `</Row>`), "", 32 << 20},
		"xml: a row below the last":         {xml(`<Row>` + fmt.Sprintf(text, "") + `</Row><Row ss:Index="99999999">` + fmt.Sprintf(text, "") + `</Row>`), "bad_reference", 0},
		"xml: a column beyond the last":     {xml(`<Row>` + fmt.Sprintf(text, "") + `</Row><Row>` + fmt.Sprintf(text, ` ss:Index="20000"`) + `</Row>`), "bad_reference", 0},
		"xml: entities":                     {strings.Replace(xml(""), "<Workbook", "<!DOCTYPE x [<!ENTITY a \"b\">]><Workbook", 1), "refused damaged_file", 0},
		"html: wide and high cells":         {"<table>" + strings.Repeat(`<tr><td rowspan=65534 colspan=1000>x<td>y</tr>`, 2000) + "</table>", "extra_cell", 64 << 20},
		"html: nested deeply":               {strings.Repeat("<table><tr><td>x", 100_000), "refused too_many_parts", 0},
		"html: a long tag":                  {"<table><tr><td " + strings.Repeat("a", 4<<20) + ">", "refused damaged_file", 0},
		"html: many tables":                 {strings.Repeat("<table><tr><td>x</table>", 20_000), "refused too_many_parts", 0},
		"xlsb: a row far below":             {xlsbOf(func(s *biff12.Stream) { textRow(s, 1_048_575) }), "", 32 << 20},
		"xlsb: a row below the last":        {xlsbOf(func(s *biff12.Stream) { textRow(s, 0); textRow(s, 1<<31) }), "bad_reference", 0},
		"xlsb: a column beyond the last":    {xlsbOf(func(s *biff12.Stream) { textRow(s, 0); textRow(s, 1); s.Record(6, 1<<31, 0, "x") }), "bad_reference", 0},
		"xlsb: half a million empty rows":   {xlsbOf(func(s *biff12.Stream) { repeated(1<<19, func(i int) { s.Record(0, i, make([]byte, 21)) }) }), "", 0},
		"xlsb: a row of a million cells":    {xlsbOf(func(s *biff12.Stream) { textRow(s, 0); repeated(1<<20, func(int) { s.Record(17, 0, "x") }) }), "refused too_many_columns", 32 << 20},
		"xlsb: a text of 255 MiB": {xlsbOf(func(s *biff12.Stream) {
			s.Record(0, 0)
			s.Head(6, 255<<20)
			s.Write([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0xFF, 0xFF, 7})
		}), "refused damaged_file", 32 << 20},
		"xlsb: texts that claim much":     {xlsbOf(func(s *biff12.Stream) { textRow(s, 0); s.Record(6, 1, 0, 1<<30, "x") }), "refused damaged_file", 0},
		"xlsb: records of later versions": {xlsbOf(func(s *biff12.Stream) { repeated(1<<20, func(int) { s.Record(35, 0) }) }), "refused damaged_file", 0},
		"xlsb: two million empty strings": {xlsbWith("xl/sharedStrings.bin", func(s *biff12.Stream) { repeated(1<<21, func(int) { s.Record(19, byte(0), "") }) }), "", 48 << 20},
		"xlsb: strings of two bytes":      {xlsbWith("xl/sharedStrings.bin", func(s *biff12.Stream) { s.Record(19) }), "refused damaged_file", 0},
		"xlsb: many styles":               {xlsbWith("xl/styles.bin", func(s *biff12.Stream) { repeated(1<<17, func(int) { s.Record(43, make([]byte, 21)) }) }), "refused damaged_file", 0},
		"xlsb: many names":                {xlsbWith("xl/workbook.bin", manyNames), "", 32 << 20},
		"xlsb: many sheets": {xlsbWith("xl/workbook.bin", func(s *biff12.Stream) {
			s.Record(131)
			repeated(1<<15, func(i int) { s.Record(156, 0, i, "rId1", "S") })
		}), "refused too_many_parts", 0},
		"xlsb: a sheet that is the list": {xlsbWith("xl/_rels/workbook.bin.rels", func(s *biff12.Stream) {
			s.WriteString(`<Relationships><Relationship Id="rId1" Type="/worksheet" Target="workbook.bin"/></Relationships>`)
		}), "refused damaged_file", 0},
		"xlsb: a table that is its sheet": {xlsbWith("xl/worksheets/_rels/sheet1.bin.rels", func(s *biff12.Stream) {
			s.WriteString(`<Relationships><Relationship Id="rId1" Type="/table" Target="sheet1.bin"/></Relationships>`)
		}), "", 0},
		"json: nested deeply": {"[{\"a\":1},\n{\"a\":" + strings.Repeat("[", 1<<20) + "},\n{\"a\":2}]", "invalid_json", 96 << 20},
		"json: many members":  {"{\"" + strings.Join(numbers(20_000), "\":1,\"") + "\":1}\n", "refused too_many_columns", 0},
		"json: a long string": {"{\"a\":1}\n{\"a\":\"" + strings.Repeat("x", 3<<20) + "\"}\n{\"a\":2}\n", "record_too_long", 32 << 20},
		"json: open brackets": {"[{\"a\":1},\n" + strings.Repeat("{\"a\":[\n", 1<<18), "invalid_json refused too_many_rejects", 64 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			got := tallyOf(t, []byte(c.content), Options{}, DefaultLimits())
			if got.codes != c.codes {
				t.Errorf("%+v, want %q", got, c.codes)
			}
			if most := max(c.memory, 24<<20); got.allocated > most {
				t.Errorf("took %d KiB of memory", got.allocated>>10)
			}
		})
	}
}

// xlsbWith returns a binary workbook of one sheet, of which one part is another.
func xlsbWith(part string, write func(s *biff12.Stream)) string {
	var s biff12.Stream
	write(&s)
	book := biff12.Book{Sheets: []biff12.Sheet{{Name: "S", Rows: [][]biff12.Cell{{{Value: "x"}}}}}, Inline: part != "xl/sharedStrings.bin"}
	return string(biff12.Zip(biff12.Replace(book.Files(), part, s.Bytes())))
}

// xlsbOf returns a binary workbook whose sheet has these rows.
func xlsbOf(write func(s *biff12.Stream)) string {
	return xlsbWith("xl/worksheets/sheet1.bin", func(s *biff12.Stream) {
		s.Record(145)
		write(s)
		s.Record(146)
	})
}

// textRow appends a row with a text in its first column.
func textRow(s *biff12.Stream, no int) {
	s.Record(0, no)
	s.Record(6, 0, 0, "x")
}

func repeated(n int, write func(i int)) {
	for i := range n {
		write(i)
	}
}

// manyNames appends a sheet, and names of what of it is printed.
func manyNames(s *biff12.Stream) {
	s.Record(131)
	s.Record(156, 0, 1, "rId1", "S")
	for range 100_000 {
		s.Record(39, 0x20, byte(0), 0, "Print_Titles", 15, byte(0x3B), make([]byte, 14))
	}
}

func numbers(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("m", i))
	}
	return list
}

// P5: a workbook that is cut off anywhere, or of which any bytes are wrong, is read or refused, but never panics and never runs on.
func TestDamagedFormats(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 3))
	for _, name := range []string{"orders.ods", "orders.fods", "orders.xls", "orders.xlsb", "orders.xml", "orders.html"} {
		whole := formatFile(t, name)
		for i := range 60 {
			cut := tallyOf(t, []byte(whole[:len(whole)*i/60]), Options{}, DefaultLimits())
			broken := []byte(whole)
			for range 1 + i%8 {
				broken[random.IntN(len(broken))] = byte(random.IntN(256))
			}
			if name == "orders.xls" { // its numbers are worth more than its texts
				binary.LittleEndian.PutUint16(broken[512+random.IntN(len(broken)-514):], uint16(random.IntN(1<<16)))
			}
			if got := tallyOf(t, broken, Options{}, DefaultLimits()); got.allocated > 64<<20 || cut.allocated > 64<<20 {
				t.Errorf("%s, %d: took %d KiB", name, i, max(got.allocated, cut.allocated)>>10)
			}
		}
	}
}
