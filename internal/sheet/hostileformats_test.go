package sheet

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
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
		"ods: a million rows of one":        {fods(`<table:table-row table:number-rows-repeated="1048576">` + fmt.Sprintf(cell, "") + `</table:table-row>`), "", 32 << 20},
		"ods: a million rows of many cells": {fods(`<table:table-row table:number-rows-repeated="1048576">` + fmt.Sprintf(cell, ` table:number-columns-repeated="16384"`) + `</table:table-row>`), "refused too_many_cells", 160 << 20},
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
		"json: nested deeply":               {"[{\"a\":1},\n{\"a\":" + strings.Repeat("[", 1<<20) + "},\n{\"a\":2}]", "invalid_json", 96 << 20},
		"json: many members":                {"{\"" + strings.Join(numbers(20_000), "\":1,\"") + "\":1}\n", "refused too_many_columns", 0},
		"json: a long string":               {"{\"a\":1}\n{\"a\":\"" + strings.Repeat("x", 3<<20) + "\"}\n{\"a\":2}\n", "record_too_long", 32 << 20},
		"json: open brackets":               {"[{\"a\":1},\n" + strings.Repeat("{\"a\":[\n", 1<<18), "invalid_json refused too_many_rejects", 64 << 20},
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

func numbers(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("m", i))
	}
	return list
}

// P5: a workbook that is cut off anywhere, or of which any bytes are wrong, is read or refused, but never panics and never runs on.
func TestDamagedFormats(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 3))
	for _, name := range []string{"orders.ods", "orders.fods", "orders.xls", "orders.xml", "orders.html"} {
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
