package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/grid"
)

// The parts of a small workbook. Tests change what they are about.
const (
	contentTypes = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`
	officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	mainNamespace   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	rootRelations   = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + officeRelations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookRelations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + officeRelations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + officeRelations + `/sharedStrings" Target="sharedStrings.xml"/>` +
		`<Relationship Id="rId3" Type="` + officeRelations + `/styles" Target="styles.xml"/></Relationships>`
	workbookXML = `<workbook xmlns="` + mainNamespace + `" xmlns:r="` + officeRelations + `"><workbookPr date1904="0"/>` +
		`<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`
)

// files are parts by name, in the order in which a zip archive gets them.
type files []struct{ name, text string }

// workbookOf is a workbook of one sheet with these rows (of sheetData), shared strings (si) and number formats: style n has format n-1.
func workbookOf(rows string, shared []string, formats ...string) files {
	return files{
		{"[Content_Types].xml", contentTypes},
		{"_rels/.rels", rootRelations},
		{"xl/workbook.xml", workbookXML},
		{"xl/_rels/workbook.xml.rels", bookRelations},
		{"xl/worksheets/sheet1.xml", sheetOf(rows)},
		{"xl/sharedStrings.xml", `<sst xmlns="` + mainNamespace + `">` + strings.Join(shared, "") + `</sst>`},
		{"xl/styles.xml", stylesOf(formats...)},
	}
}

func sheetOf(rows string) string {
	return `<worksheet xmlns="` + mainNamespace + `"><sheetData>` + rows + `</sheetData></worksheet>`
}

// stylesOf has style 0 for General, and style n for format n-1: a built-in one's number, or a code.
func stylesOf(formats ...string) string {
	var codes, styles strings.Builder
	for i, f := range formats {
		id := fmt.Sprint(164 + i)
		if strings.Trim(f, "0123456789") == "" {
			id = f
		} else {
			fmt.Fprintf(&codes, `<numFmt numFmtId="%s" formatCode="%s"/>`, id, escaper.Replace(f))
		}
		fmt.Fprintf(&styles, `<xf numFmtId="%s" applyNumberFormat="1"/>`, id)
	}
	return `<styleSheet xmlns="` + mainNamespace + `"><numFmts>` + codes.String() + `</numFmts><cellXfs><xf numFmtId="0"/>` +
		styles.String() + `</cellXfs></styleSheet>`
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;")

// with replaces parts, or adds them.
func (f files) with(changes ...string) files {
	f = slices.Clone(f)
	for i := 0; i < len(changes); i += 2 {
		f = slices.DeleteFunc(f, func(p struct{ name, text string }) bool { return p.name == changes[i] })
		f = append(f, struct{ name, text string }{changes[i], changes[i+1]})
	}
	return f
}

// zip makes the file, compressed or by another method.
func (f files) zip(t testing.TB, method ...uint16) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range f {
		part, err := w.CreateHeader(&zip.FileHeader{Name: p.name, Method: append(method, zip.Deflate)[0]})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, p.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openBytes(t testing.TB, file []byte, o Options) (*Book, error) {
	if o.Limits == (grid.Limits{}) {
		o.Limits = grid.DefaultLimits()
	}
	b, err := Open(bytes.NewReader(file), int64(len(file)), o)
	if err == nil {
		t.Cleanup(func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return b, err
}

// dump reads a worksheet into lines such as "3 A=text C=1.5:number", a fault with ! and a warning with ?.
func dump(b *Book, number int) ([]string, error) {
	rows, err := b.Rows(number)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, show(row))
	}
}

var kindNames = []string{"none", "text", "number", "boolean", "date", "time", "timestamp", "duration", "error"}

func show(row *grid.Row) string {
	var b strings.Builder
	fmt.Fprint(&b, row.No)
	if row.Fault != "" {
		fmt.Fprintf(&b, "!%s", row.Fault)
	}
	for _, c := range row.Cells {
		column := strings.TrimSuffix(grid.Reference(c.Column, 1), "1")
		if column == "" {
			column = "?"
		}
		fmt.Fprintf(&b, " %s=%s", column, c.Text)
		if c.Kind != grid.Text {
			fmt.Fprintf(&b, ":%s", kindNames[c.Kind])
		}
		if c.Fault != "" {
			fmt.Fprintf(&b, "!%s", c.Fault)
		}
		if c.Warning != "" {
			fmt.Fprintf(&b, "?%s", c.Warning)
		}
	}
	return b.String()
}

// read opens a workbook and dumps its first sheet.
func read(t testing.TB, file []byte, o Options) ([]string, error) {
	b, err := openBytes(t, file, o)
	if err != nil {
		return nil, err
	}
	return dump(b, 1)
}

// codeOf is the code of an *Error, "" for none.
func codeOf(err error) grid.Code {
	e, ok := errors.AsType[*grid.Error](err)
	if !ok {
		return ""
	}
	return e.Code
}
