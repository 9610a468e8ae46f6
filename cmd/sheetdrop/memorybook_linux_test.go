package main

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// P9: a workbook with as many texts as it has cells is read in bounded memory too.
func TestMemoryOfWorkbook(t *testing.T) {
	t.Parallel()
	const rows = 200_000
	path := filepath.Join(t.TempDir(), "orders.xlsx")
	if err := writeBook(path, rows); err != nil {
		t.Fatal(err)
	}
	wantMemory(t, path, rows, 96<<20)
}

// writeBook writes a workbook of rows of ten cells, of which three have texts that no other one has.
func writeBook(path string, rows int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	const (
		main      = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
		office    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
		relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	)
	z := zip.NewWriter(file)
	errs := []error{
		writePart(z, "_rels/.rels", func(w io.Writer) {
			fmt.Fprintf(w, `%s<Relationship Id="a" Type="%s/officeDocument" Target="xl/workbook.xml"/></Relationships>`, relations, office)
		}),
		writePart(z, "xl/workbook.xml", func(w io.Writer) {
			fmt.Fprintf(w, `<workbook %s xmlns:r="%s"><sheets><sheet name="Orders" sheetId="1" r:id="a"/></sheets></workbook>`, main, office)
		}),
		writePart(z, "xl/_rels/workbook.xml.rels", func(w io.Writer) {
			fmt.Fprintf(w, `%s<Relationship Id="a" Type="%s/worksheet" Target="sheet.xml"/>`, relations, office)
			fmt.Fprintf(w, `<Relationship Id="b" Type="%s/sharedStrings" Target="strings.xml"/></Relationships>`, office)
		}),
		writePart(z, "xl/strings.xml", func(w io.Writer) {
			fmt.Fprintf(w, "<sst %s>", main)
			for i := range 3 * (rows + 1) {
				fmt.Fprintf(w, "<si><t>株式会社 髙橋商店 %d</t></si>", i)
			}
			fmt.Fprint(w, "</sst>")
		}),
		writePart(z, "xl/sheet.xml", func(w io.Writer) {
			fmt.Fprintf(w, "<worksheet %s><sheetData>", main)
			for no := 1; no <= rows+1; no++ {
				writeBookRow(w, no)
			}
			fmt.Fprint(w, "</sheetData></worksheet>")
		}),
	}
	return errors.Join(append(errs, z.Close(), file.Close())...)
}

// writeBookRow writes a row of numbers and three texts; the first one has texts alone, and is the header.
func writeBookRow(w io.Writer, no int) {
	fmt.Fprintf(w, `<row r="%d">`, no)
	for column := range 10 {
		switch {
		case column < 3:
			fmt.Fprintf(w, `<c r="%c%d" t="s"><v>%d</v></c>`, 'A'+column, no, 3*(no-1)+column)
		case no == 1:
			fmt.Fprintf(w, `<c r="%c%d" t="str"><v>column %d</v></c>`, 'A'+column, no, column)
		default:
			fmt.Fprintf(w, `<c r="%c%d"><v>%d.%02d</v></c>`, 'A'+column, no, no*column, no%100)
		}
	}
	fmt.Fprint(w, "</row>")
}

func writePart(z *zip.Writer, name string, write func(w io.Writer)) error {
	part, err := z.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(part)
	write(w) // whose errors stay in w
	return w.Flush()
}
