package sheet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/compound"
	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/ods"
	"sheetdrop/internal/sheet/xls"
	"sheetdrop/internal/sheet/xlsx"
)

// gridFile is a workbook.
type gridFile struct {
	ctx    context.Context
	name   string // of the format
	opt    Options
	book   grid.Book
	sheets []grid.Sheet
	chosen int   // the number of the requested sheet, 0 if none is
	index  int   // of the next sheet
	blanks int64 // how many more blank rows may be returned
}

// maxBlanks limits how many blank rows of a workbook are returned. Ten thousand sheets with a cell only in the last row
// would have billions.
const maxBlanks = 1 << 20

// archive opens a zip archive or a compound file: a workbook, which may be encrypted, or an archive of files.
func (o opening) archive(ctx context.Context, src Source, ole bool) (workbook, error) {
	packed := &watchedSource{ctx: ctx, src: src}
	lim := gridLimits(o.limits)
	if ole {
		if file, ok := compound.Open(packed, src.Size()); ok && xls.IsWorkbook(file) {
			book, err := xls.Open(packed, src.Size(), xls.Options{FillDown: o.options.FillDown, Limits: lim})
			return o.grid(ctx, formatXLS, book, err)
		}
	}
	archive, err := container.Open(packed, src.Size(), container.Decrypt(o.decrypt), lim)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(archive.MediaType(), container.Spreadsheet) {
		book, err := ods.Open(archive, ods.Options{FillDown: o.options.FillDown, Limits: lim})
		return o.grid(ctx, formatODS, book, err)
	}
	book, err := xlsx.OpenParts(archive, xlsx.Options{FillDown: o.options.FillDown, Limits: lim})
	if isArchive(err) && !o.inArchive {
		return o.zip(ctx, src)
	}
	return o.grid(ctx, formatXLSX, book, err)
}

// grid returns a workbook that has been opened, or failed to open.
func (o opening) grid(ctx context.Context, name string, book grid.Book, err error) (workbook, error) {
	if err != nil {
		return nil, err
	}
	f := &gridFile{ctx: ctx, name: name, opt: o.options, book: book, sheets: book.Sheets(), blanks: maxBlanks}
	for i := range f.sheets {
		f.sheets[i].Name = storable(f.sheets[i].Name[:min(len(f.sheets[i].Name), maxSheetName)])
	}
	if o.options.Sheet == "" {
		return f, nil
	}
	if f.chosen = f.find(o.options.Sheet); f.chosen == 0 {
		return nil, errors.Join(noSheet.refuse(o.options.Sheet, f.list()), book.Close())
	}
	return f, nil
}

func gridLimits(lim Limits) grid.Limits {
	usual := grid.DefaultLimits()
	return grid.Limits{
		PackageBytes: lim.PackageBytes, UnzippedBytes: lim.UnzippedBytes, UnzipRatio: lim.UnzipRatio, Parts: lim.Parts,
		Rows: min(lim.Rows, usual.Rows), Columns: lim.Columns, Cells: min(lim.Cells, usual.Cells),
		CellBytes: lim.CellBytes, RowBytes: 3 * lim.RecordBytes, // as many bytes of text as a CSV record at the limit may have
	}
}

// find returns the number of the worksheet with that name, or else at that position; 0 if there is none.
func (f *gridFile) find(sought string) (number int) {
	for _, s := range f.sheets {
		switch {
		case s.Kind != grid.Worksheet:
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

func (f *gridFile) list() string {
	var names []string
	for _, s := range f.sheets {
		if s.Kind != grid.Worksheet {
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

func (f *gridFile) nextSheet() (*sheetInfo, records, error) {
	for f.index < len(f.sheets) {
		s := f.sheets[f.index]
		f.index++
		if s.Kind != grid.Worksheet {
			continue
		}
		info := &sheetInfo{number: s.Number, name: s.Name, visible: s.Visibility == grid.Visible, grid: true}
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
func (f *gridFile) wants(s *sheetInfo) bool {
	if f.chosen != 0 {
		return s.number == f.chosen
	}
	return s.visible || f.opt.Hidden
}

// openRows starts reading the sheet and decides where in it the table is.
func (f *gridFile) openRows(info *sheetInfo) (*gridRows, error) {
	rows, err := f.book.Rows(info.number)
	if err != nil {
		return nil, fileFault(err)
	}
	x := &gridRows{ctx: f.ctx, rows: rows, blanks: &f.blanks, noOther: f.opt.Footer == none}
	x.readHead()
	return x, x.decideLayout(info, f.opt)
}

func (f *gridFile) format() string { return f.name }

func (f *gridFile) encoding() (name string, confidence float64) { return "", 0 }

func (f *gridFile) textSize() int64 { return 0 }

func (f *gridFile) settle() error { return nil }

func (f *gridFile) close() error { return f.book.Close() }
