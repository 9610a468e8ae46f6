// Package workbook writes Excel workbooks (Office Open XML) as a stream: a worksheet goes out row by row while it is made, in bounded
// memory and without a temporary file. It writes values, styles and comments, and no formula: a text stays a text.
package workbook

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// The limits of Excel.
const (
	MaxRows    = 1 << 20 // of a worksheet
	MaxColumns = 1 << 14
	MaxText    = 32_767 // UTF-16 units of a cell's text
)

// Column is a worksheet's column.
type Column struct {
	Width  int // in characters of the default font
	Hidden bool
	Style  int // of cells that are not written
}

// Writer writes one workbook. Sheets follow each other, and so do the rows of a sheet and the cells of a row. Write errors are kept, and
// returned by EndSheet and Close. It is not safe for concurrent use.
type Writer struct {
	zip    *zip.Writer
	sheets []string // names
	part   *bufio.Writer
	row    int
	column int
	cells  []byte // of the current row
	names  []string
	notes  []note // of the current sheet
	noted  map[int]bool
	err    error
}

// New begins a workbook. Cells refer to styles by their index, from 1; style 0 is the default one.
func New(out io.Writer, styles []Style) *Writer {
	w := &Writer{zip: zip.NewWriter(out), part: bufio.NewWriterSize(io.Discard, 64<<10), noted: map[int]bool{}}
	w.zip.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	w.file("_rels/.rels", rootRelations)
	w.file("xl/styles.xml", stylesXML(styles))
	return w
}

// begin begins a part of the package.
func (w *Writer) begin(name string) {
	if w.err != nil {
		return
	}
	part, err := w.zip.Create(name)
	if err != nil {
		w.err = fmt.Errorf("begin %s: %w", name, err)
		return
	}
	w.part.Reset(part)
	w.part.WriteString(xmlHeader) //nolint:errcheck // flush reports it
}

// file writes a whole part.
func (w *Writer) file(name, content string) {
	w.begin(name)
	w.write(content)
	w.flush()
}

func (w *Writer) write(text string) {
	if w.err == nil {
		_, w.err = w.part.WriteString(text)
	}
}

func (w *Writer) flush() {
	if w.err == nil {
		w.err = w.part.Flush()
	}
}

// Flush sends what is finished of the current sheet to the underlying writer, as far as it has been compressed.
func (w *Writer) Flush() error {
	w.flush()
	if w.err == nil {
		w.err = w.zip.Flush()
	}
	return w.err
}

// Close ends the workbook, which must have a sheet.
func (w *Writer) Close() error {
	var types, list, relations bytes.Buffer
	for i, name := range w.sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%s.worksheet+xml"/>`, i+1, mainType)
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, attribute(name), i+1, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, relationType, i+1)
		if w.noted[i] {
			fmt.Fprintf(&types, `<Override PartName="/xl/comments%d.xml" ContentType="%s.comments+xml"/>`, i+1, mainType)
		}
	}
	fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/>`, len(w.sheets)+1, relationType)
	w.file("xl/workbook.xml", fmt.Sprintf(workbookXML, list.String()))
	w.file("xl/_rels/workbook.xml.rels", fmt.Sprintf(relationsXML, relations.String()))
	w.file("[Content_Types].xml", fmt.Sprintf(contentTypes, types.String()))
	if w.err == nil {
		w.err = w.zip.Close()
	}
	return w.err
}

const (
	xmlHeader    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainType     = "application/vnd.openxmlformats-officedocument.spreadsheetml"
	mainSpace    = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace = "http://schemas.openxmlformats.org/package/2006"

	relationsXML  = `<Relationships xmlns="` + packageSpace + `/relationships">%s</Relationships>`
	rootRelations = `<Relationships xmlns="` + packageSpace + `/relationships"><Relationship Id="rId1" Type="` + relationType +
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	workbookXML = `<workbook xmlns="` + mainSpace + `" xmlns:r="` + relationType + `"><bookViews><workbookView/></bookViews>` +
		`<sheets>%s</sheets></workbook>`
	contentTypes = `<Types xmlns="` + packageSpace + `/content-types"><Default Extension="rels" ContentType="` +
		`application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
		`<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + mainType + `.sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + mainType + `.styles+xml"/>%s</Types>`
)
