// Package ods reads the cells of OpenDocument spreadsheets (ODF 1.0 to 1.4, ISO/IEC 26300) as a stream of rows, from a
// package or from a document in one piece (fods). Repeated rows and cells are counted against the limits as they are
// returned, so that a short file cannot stand for more than they allow.
//
// For example, a row with <table:table-cell office:value-type="percentage" office:value="0.19"/> is returned with the
// number 0.19 in column A.
package ods

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/xlsx/xmlscan"
)

// Options configure how a spreadsheet is read.
type Options struct {
	FillDown bool // repeat a merged range's value in each row of its first column
	Limits   grid.Limits
}

// Book is an open spreadsheet. It and its Rows are not safe for concurrent use.
type Book struct {
	options Options
	open    func(again bool) (*container.Document, error) // starts reading the document; again if it will be read once more
	end     func()
	sheets  []grid.Sheet
	styles  styles
	cells   int64 // read so far
	doc     *container.Document
	at      int   // the number of the table that began last in doc
	inside  *Rows // which is still being read
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

// newBook lists the tables and reads the styles, those of the document after the common ones.
func newBook(open func(bool) (*container.Document, error), end func(), common styles, o Options) (*Book, error) {
	b := &Book{options: o, open: open, end: end, styles: common}
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
	if b.inside != nil {
		if err := b.inside.skip(); err != nil {
			return nil, err
		}
	}
	if b.doc == nil || number <= b.at {
		var err error
		if b.doc, err = b.open(false); err != nil {
			return nil, err
		}
		b.at = 0
	}
	for b.at < number {
		if err := b.nextTable(b.at+1 < number); err != nil {
			return nil, b.doc.Fault(err)
		}
	}
	b.inside = &Rows{book: b, builder: grid.Builder{Limits: b.options.Limits, Cells: &b.cells, FillDown: b.options.FillDown}}
	return b.inside, nil
}

// nextTable goes to the start of the next table and, if it is not wanted, to its end.
func (b *Book) nextTable(skip bool) error {
	for {
		kind, err := b.doc.Next()
		if errors.Is(err, io.EOF) {
			return grid.Damaged("it has fewer sheets than before")
		}
		if err != nil {
			return err
		}
		if kind != xmlscan.Start {
			continue
		}
		switch string(b.doc.Name()) {
		case "table":
			b.at++
			if skip {
				return b.doc.Skip()
			}
			return nil
		case "document", "document-content", "body", "spreadsheet":
		default:
			if err := b.doc.Skip(); err != nil {
				return err
			}
		}
	}
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
