// Package ods reads the cells of OpenDocument spreadsheets (ODF 1.0 to 1.4, ISO/IEC 26300) as a stream of rows, from a
// package or from a document in one piece (fods). Repeated rows and cells are counted against the limits as they are
// returned, so that a short file cannot stand for more than they allow.
//
// For example, a row with <table:table-cell office:value-type="percentage" office:value="0.19"/> is returned with the
// number 0.19 in column A.
package ods

import (
	"fmt"
	"io"
	"strconv"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// Options configure how a spreadsheet is read.
type Options struct {
	FillDown bool // repeat a merged range's value in each row of its first column
	Limits   grid.Limits
}

// Book is an open spreadsheet. It and its Rows are not safe for concurrent use.
type Book struct {
	options Options
	end     func()
	sheets  []grid.Sheet
	styles  styles
	cells   int64 // read so far
	tables  container.Tables
}

const content = "content.xml"

// Open reads the structure of a spreadsheet in a package, which the Book closes, or Open if it fails. A file that cannot be
// read is a *grid.Error. Any other error is that of the package's source.
func Open(archive *container.Archive, o Options) (*Book, error) {
	open := func(again bool) (*container.Document, error) {
		if again {
			return archive.Preview(content)
		}
		return archive.Document(content)
	}
	common := styles{}
	err := checkManifest(archive)
	if err == nil {
		err = common.readCommonStyles(archive)
	}
	if err == nil {
		var b *Book
		if b, err = newBook(open, archive.Close, common, o); err == nil {
			return b, nil
		}
	}
	archive.Close()
	return nil, err
}

// OpenFlat is like Open for a document in one piece.
func OpenFlat(src io.ReaderAt, size int64, o Options) (*Book, error) {
	if size > o.Limits.PackageBytes {
		return nil, grid.Refuse(grid.PackageTooLarge, fmt.Sprintf("The workbook has %d bytes; the limit is %d.", size, o.Limits.PackageBytes))
	}
	open := func(bool) (*container.Document, error) {
		return container.Read(io.NewSectionReader(src, 0, size), "of one piece"), nil
	}
	return newBook(open, func() {}, styles{}, o)
}

// checkManifest refuses an encrypted package.
func checkManifest(archive *container.Archive) error {
	const manifest = "meta-inf/manifest.xml"
	if !archive.Has(manifest) {
		return nil
	}
	d, err := archive.Document(manifest)
	if err != nil {
		return err
	}
	return d.Root(func() error {
		return d.Each(func([]byte) error {
			return d.Each(func(name []byte) error {
				if string(name) == "encryption-data" {
					return grid.Refuse(grid.Encrypted, "The workbook is encrypted. Save it without a password.")
				}
				return d.Skip()
			})
		})
	})
}

// readCommonStyles reads the styles of a package that have a name for people, which are a part of their own.
func (s styles) readCommonStyles(archive *container.Archive) error {
	const part = "styles.xml"
	if !archive.Has(part) {
		return nil
	}
	d, err := archive.Document(part)
	if err != nil {
		return err
	}
	return d.Root(func() error {
		return d.Each(func(name []byte) error {
			if string(name) == "styles" {
				return s.read(d)
			}
			return d.Skip()
		})
	})
}

// newBook lists the tables and reads the styles, those of the document after the common ones. open starts reading the document; again says
// that it will be read once more.
func newBook(open func(again bool) (*container.Document, error), end func(), common styles, o Options) (*Book, error) {
	b := &Book{options: o, end: end, styles: common, tables: container.Tables{
		Open: func() (*container.Document, error) { return open(false) },
		Name: "table", Around: []string{"document", "document-content", "body", "spreadsheet"},
	}}
	d, err := open(true)
	if err != nil {
		return nil, err
	}
	err = d.Root(func() error { return d.Each(func(name []byte) error { return b.readPart(d, name) }) })
	if err == nil && len(b.sheets) == 0 {
		err = grid.Damaged("it has no sheets")
	}
	return b, err
}

// readPart reads a child of the document's root.
func (b *Book) readPart(d *container.Document, name []byte) error {
	switch string(name) {
	case "styles", "automatic-styles":
		return b.styles.read(d)
	case "body":
		return d.Each(func(name []byte) error {
			if string(name) != "spreadsheet" {
				return d.Skip()
			}
			return d.Each(func(name []byte) error {
				if string(name) == "table" {
					b.addSheet(d.Attributes())
				}
				if len(b.sheets) > b.options.Limits.Parts {
					return grid.Refuse(grid.TooManyParts, fmt.Sprintf("The workbook has more sheets than the limit of %d.", b.options.Limits.Parts))
				}
				return d.Skip()
			})
		})
	}
	return d.Skip()
}

func (b *Book) addSheet(at map[string]string) {
	s := grid.Sheet{Number: len(b.sheets) + 1, Name: at["table:name"], Kind: grid.Worksheet, Visibility: grid.Visible}
	if b.styles[at["table:style-name"]].hidden {
		s.Visibility = grid.Hidden
	}
	b.sheets = append(b.sheets, s)
}

// Sheets lists all tables in the document's order.
func (b *Book) Sheets() []grid.Sheet { return b.sheets }

// Close stops reading the source.
func (b *Book) Close() error {
	b.end()
	return nil
}

// Rows starts reading the table with that number. Tables in order are read in one pass.
func (b *Book) Rows(number int) (grid.Rows, error) {
	if number < 1 || number > len(b.sheets) {
		return nil, fmt.Errorf("the workbook has no worksheet %d", number)
	}
	r := &Rows{book: b, builder: grid.Builder{Limits: b.options.Limits, Cells: &b.cells, FillDown: b.options.FillDown}}
	var err error
	if r.doc, err = b.tables.Begin(number, r.skip); err != nil {
		return nil, err
	}
	return r, nil
}

// count parses a number of repetitions or columns; anything else is 1.
func count(text []byte) int {
	if len(text) > 9 {
		return maxCount
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxCount)
}

// maxCount is more than any limit of rows or columns.
const maxCount = 1 << 24
