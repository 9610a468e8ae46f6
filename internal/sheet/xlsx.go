package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/xlsx"
)

// xlsxFile is an Excel workbook.
type xlsxFile struct {
	ctx    context.Context
	opt    Options
	book   *xlsx.Book
	sheets []xlsx.Sheet
	chosen int   // the number of the requested sheet, 0 if none is
	index  int   // of the next sheet
	blanks int64 // how many more blank rows may be returned
}

// maxBlanks limits how many blank rows of a workbook are returned. Ten thousand sheets with a cell only in the last row
// would have billions.
const maxBlanks = 1 << 20

func (o opening) xlsx(ctx context.Context, src Source) (*xlsxFile, error) {
	opt := o.options
	book, err := xlsx.Open(&watchedSource{ctx: ctx, src: src}, src.Size(), xlsx.Options{
		Decrypt: o.decrypt, FillDown: opt.FillDown, Limits: xlsxLimits(o.limits),
	})
	if err != nil {
		return nil, err
	}
	f := &xlsxFile{ctx: ctx, opt: opt, book: book, sheets: book.Sheets(), blanks: maxBlanks}
	for i := range f.sheets {
		f.sheets[i].Name = storable(f.sheets[i].Name[:min(len(f.sheets[i].Name), maxSheetName)])
	}
	if opt.Sheet == "" {
		return f, nil
	}
	if f.chosen = f.find(opt.Sheet); f.chosen == 0 {
		return nil, errors.Join(noSheet.refuse(opt.Sheet, f.list()), book.Close())
	}
	return f, nil
}

func xlsxLimits(lim Limits) xlsx.Limits {
	usual := xlsx.DefaultLimits()
	return xlsx.Limits{
		PackageBytes: lim.PackageBytes, UnzippedBytes: lim.UnzippedBytes, UnzipRatio: lim.UnzipRatio, Parts: lim.Parts,
		Rows: min(lim.Rows, usual.Rows), Columns: lim.Columns, Cells: min(lim.Cells, usual.Cells),
		CellBytes: lim.CellBytes, RowBytes: 3 * lim.RecordBytes, // as many bytes of text as a CSV record at the limit may have
	}
}

// find returns the number of the worksheet with that name, or else at that position; 0 if there is none.
func (f *xlsxFile) find(sought string) (number int) {
	for _, s := range f.sheets {
		switch {
		case s.Kind != xlsx.Worksheet:
		case strings.EqualFold(s.Name, sought): // Excel does not allow names that differ only in case
			return s.Number
		case strconv.Itoa(s.Number) == sought:
			number = s.Number
		}
	}
	return number
}

// maxListed is the maximum number of sheets that a message lists.
const maxListed = 20

func (f *xlsxFile) list() string {
	var names []string
	for _, s := range f.sheets {
		if s.Kind != xlsx.Worksheet {
			continue
		}
		if len(names) == maxListed {
			names = append(names, "others")
			break
		}
		names = append(names, strings.TrimSpace(fmt.Sprintf("%d %s", s.Number, shortName(s.Name))))
	}
	return strings.Join(names, ", ")
}

func (f *xlsxFile) nextSheet() (*sheetInfo, records, error) {
	for f.index < len(f.sheets) {
		s := f.sheets[f.index]
		f.index++
		if s.Kind != xlsx.Worksheet {
			continue
		}
		info := &sheetInfo{number: s.Number, name: s.Name, visible: s.Visibility == xlsx.Visible, grid: true}
		if info.leftOut = !f.wants(info); info.leftOut {
			info.dialect.HeaderRows = 1 // as far as is known yet
			return info, nil, nil
		}
		rows, err := f.openRows(info)
		return info, rows, err
	}
	return nil, nil, io.EOF
}

// wants reports whether the sheet is to be read. Naming a hidden sheet requests it.
func (f *xlsxFile) wants(s *sheetInfo) bool {
	if f.chosen != 0 {
		return s.number == f.chosen
	}
	return s.visible || f.opt.Hidden
}

// openRows starts reading the sheet and decides where in it the table is.
func (f *xlsxFile) openRows(info *sheetInfo) (*xlsxRows, error) {
	rows, err := f.book.Rows(info.number)
	if err != nil {
		return nil, fileFault(err)
	}
	x := &xlsxRows{ctx: f.ctx, rows: rows, blanks: &f.blanks}
	x.readHead()
	x.decideLayout(info, f.opt)
	return x, nil
}

func (f *xlsxFile) format() string { return formatXLSX }

func (f *xlsxFile) encoding() (name string, confidence float64) { return "", 0 }

func (f *xlsxFile) textSize() int64 { return 0 }

func (f *xlsxFile) settle() error { return nil }

func (f *xlsxFile) close() error { return f.book.Close() }
