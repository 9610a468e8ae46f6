// Package xml2003 reads the cells of Excel's XML of 2003 (SpreadsheetML, urn:schemas-microsoft-com:office:spreadsheet) as a
// stream of rows. Many programs write it under the name of xls.
//
// For example, <Row ss:Index="3"><Cell ss:Index="2"><Data ss:Type="Number">1.5</Data></Cell></Row> is returned as row 3 with
// the number 1.5 in column B.
package xml2003

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// Options configure how a workbook is read.
type Options struct {
	FillDown bool // repeat a merged range's value in each row of its first column
	Limits   grid.Limits
}

// Book is an open workbook. It and its Rows are not safe for concurrent use.
type Book struct {
	options Options
	sheets  []grid.Sheet
	formats map[string]format // by the id of a style
	strong  map[string]bool   // likewise: it is bold, or its ground has a colour
	cells   int64             // read so far
	tables  container.Tables
}

// Open reads the structure of a workbook. A file that cannot be read is a *grid.Error. Any other error is that of src.
func Open(src io.ReaderAt, size int64, o Options) (*Book, error) {
	if size > o.Limits.PackageBytes {
		return nil, grid.Refuse(grid.PackageTooLarge, fmt.Sprintf("The workbook has %d bytes; the limit is %d.", size, o.Limits.PackageBytes))
	}
	open := func() (*container.Document, error) {
		return container.Read(io.NewSectionReader(src, 0, size), "of one piece"), nil
	}
	b := &Book{
		options: o, formats: map[string]format{}, strong: map[string]bool{},
		tables: container.Tables{Open: open, Name: "Worksheet", Around: []string{"Workbook"}},
	}
	d, err := open()
	if err != nil {
		return nil, err
	}
	err = d.Root(func() error {
		if string(d.Name()) != "Workbook" {
			return grid.Damaged("its root is no workbook")
		}
		return d.Each(func(name []byte) error { return b.readPart(d, name) })
	})
	if err == nil && len(b.sheets) == 0 {
		err = grid.Damaged("it has no sheets")
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// readPart reads a child of the workbook.
func (b *Book) readPart(d *container.Document, name []byte) error {
	switch string(name) {
	case "Styles":
		return b.readStyles(d)
	case "Worksheet":
		return b.addSheet(d)
	}
	return d.Skip()
}

// maxStyles exceeds what Excel allows.
const maxStyles = 1 << 16

func (b *Book) readStyles(d *container.Document) error {
	return d.Each(func([]byte) error {
		at := d.Attributes()
		id := at["ss:ID"]
		if max(len(b.formats), len(b.strong)) == maxStyles {
			return grid.Damaged("it has more than %d formats", maxStyles)
		}
		if b.strong[at["ss:Parent"]] {
			b.strong[id] = true
		}
		return d.Each(func(name []byte) error {
			b.addToStyle(id, string(name), d.Attributes())
			return d.Skip()
		})
	})
}

// addToStyle adds what a part of a style says.
func (b *Book) addToStyle(id, part string, at map[string]string) {
	switch part {
	case "NumberFormat":
		b.formats[id] = formatOf(at["ss:Format"])
	case "Font":
		if at["ss:Bold"] == "1" {
			b.strong[id] = true
		}
	case "Interior":
		if pattern := at["ss:Pattern"]; pattern != "" && pattern != "None" && !strings.EqualFold(at["ss:Color"], "#ffffff") {
			b.strong[id] = true
		}
	}
}

// format is how a number is displayed: as a moment, or as what number.
type format struct {
	moment grid.Format
	number grid.Shown
}

// formatOf parses a format's code or its English name.
func formatOf(code string) format {
	switch code {
	case "General Date":
		return format{moment: grid.TimestampFormat}
	case "Short Date", "Medium Date", "Long Date":
		return format{moment: grid.DateFormat}
	case "Short Time", "Medium Time", "Long Time":
		return format{moment: grid.TimeFormat}
	case "Currency", "Euro Currency", "Fixed", "Standard":
		return format{number: grid.AsDecimals}
	case "Percent":
		return format{number: grid.AsShare}
	case "General Number", "Scientific", "Yes/No", "True/False", "On/Off":
		return format{}
	}
	return format{grid.FormatOf(code), grid.ShownBy(code)}
}

// addSheet reads what is known of the current worksheet besides its cells.
func (b *Book) addSheet(d *container.Document) error {
	if len(b.sheets) == b.options.Limits.Parts {
		return grid.Refuse(grid.TooManyParts, fmt.Sprintf("The workbook has more sheets than the limit of %d.", b.options.Limits.Parts))
	}
	s := grid.Sheet{Number: len(b.sheets) + 1, Name: d.Attributes()["ss:Name"], Kind: grid.Worksheet, Visibility: grid.Visible}
	err := d.Each(func(name []byte) error {
		if string(name) != "WorksheetOptions" {
			return d.Skip()
		}
		return d.Each(func(name []byte) error {
			if string(name) != "Visible" {
				return d.Skip()
			}
			text, err := d.AppendContent(nil, len("SheetVeryHidden"))
			switch strings.TrimSpace(string(text)) {
			case "SheetHidden":
				s.Visibility = grid.Hidden
			case "SheetVeryHidden":
				s.Visibility = grid.VeryHidden
			}
			return err
		})
	})
	b.sheets = append(b.sheets, s)
	return err
}

// Sheets lists all worksheets in the workbook's order.
func (b *Book) Sheets() []grid.Sheet { return b.sheets }

// Close does nothing: the workbook has neither files nor goroutines.
func (b *Book) Close() error { return nil }

// Rows starts reading the worksheet with that number. Worksheets in order are read in one pass.
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

// index parses a position or a number of cells; ok is false if it is neither.
func index(text []byte) (n int, ok bool) {
	if len(text) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(string(text))
	return n, err == nil && n >= 0
}
