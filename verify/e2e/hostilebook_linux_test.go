package e2e_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	mainNS   = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relNS    = `xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relsHead = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relType  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
)

// hostileBook makes a workbook whose sheets all are one part with these rows. pad is a part of so many bytes that nobody reads and nothing
// can compress, which hides how much the others unpack to.
func hostileBook(t *testing.T, sheets int, rows, sharedStrings string, pad int) []byte {
	t.Helper()
	var list strings.Builder
	for i := range sheets {
		fmt.Fprintf(&list, `<sheet name="S%d" sheetId="%d" r:id="rId1"/>`, i, i+1)
	}
	parts := []struct{ name, text string }{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
		{"_rels/.rels", relsHead + `<Relationship Id="rId1" Type="` + relType + `officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + mainNS + ` ` + relNS + `><sheets>` + list.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", relsHead + `<Relationship Id="rId1" Type="` + relType + `worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="` + relType + `sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + mainNS + `><sheetData>` + rows + `</sheetData></worksheet>`},
		{"xl/sharedStrings.xml", `<sst ` + mainNS + `>` + sharedStrings + `</sst>`},
		{"xl/media/pad.bin", noise(pad)},
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range parts {
		part, err := w.Create(p.name)
		if err == nil {
			_, err = part.Write([]byte(p.text))
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

// noise is a text that does not compress well, the same each time.
func noise(size int) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, size)
	for i := range b {
		b[i] = letters[random.IntN(len(letters))]
	}
	return string(b)
}

// wideSheets is 240 sheets of one part with 16,384 columns.
func wideSheets(t *testing.T) []byte {
	t.Helper()
	row := `<row>` + strings.Repeat(`<c><v>7</v></c>`, 16_384) + `</row>`
	return hostileBook(t, 240, row+row, "", 1_200_000)
}

// wideValues is as wide as a file may be: 4 sheets of one part with 16,384 columns, whose values JSON writes as six times their length.
func wideValues(t *testing.T) []byte {
	t.Helper()
	const columns, values = 16_384, 300
	var rows, list strings.Builder
	for row := range 4 {
		rows.WriteString("<row>")
		for column := range columns {
			if row == 0 {
				fmt.Fprintf(&rows, `<c t="str"><v>h%d</v></c>`, column)
			} else {
				fmt.Fprintf(&rows, `<c t="s"><v>%d</v></c>`, (3*column+row)%values)
			}
		}
		rows.WriteString("</row>")
	}
	for i := range values {
		fmt.Fprintf(&list, `<si><t>%s%04d</t></si>`, strings.Repeat("_x0001_", 60), i)
	}
	return hostileBook(t, 4, rows.String(), list.String(), 0)
}

// longLabels is 10 sheets of one part with 5 columns, each of whose labels is a megabyte that JSON might write as six.
func longLabels(t *testing.T) []byte {
	t.Helper()
	header := `<row>` + strings.Repeat(`<c t="s"><v>0</v></c>`, 5) + `</row>`
	return hostileBook(t, 10, header+`<row><c><v>1</v></c></row>`, `<si><t>`+strings.Repeat("&lt;", 1_000_000)+`</t></si>`, 0)
}

// sharedString is a sheet of 2,000 rows with 5 cells each that all point to one text of a megabyte.
func sharedString(t *testing.T) []byte {
	t.Helper()
	header := `<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c><c><v>4</v></c><c><v>5</v></c></row>`
	row := `<row>` + strings.Repeat(`<c t="s"><v>0</v></c>`, 5) + `</row>`
	return hostileBook(t, 1, header+strings.Repeat(row, 2_000), `<si><t>`+noise(1_000_000)+`</t></si>`, 0)
}

// packed is a text in a gzip archive.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
