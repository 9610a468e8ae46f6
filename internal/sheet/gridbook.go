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
	"sheetdrop/internal/sheet/table"
	"sheetdrop/internal/sheet/xls"
	"sheetdrop/internal/sheet/xlsb"
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

	current sheetInfo // the worksheet that is read
	tables  gridTables
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
	if xlsb.IsWorkbook(archive) {
		book, err := xlsb.Open(archive, xlsb.Options{FillDown: o.options.FillDown, Limits: lim})
		return o.grid(ctx, formatXLSB, book, err)
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
	if f.chosen = f.find(o.options.Sheet); f.chosen == 0 && o.options.Tables == allTables {
		f.chosen, f.tables.chosen = f.findTable(o.options.Sheet)
	}
	if f.chosen == 0 {
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
	if info, rows, err := f.nextTable(); info != nil || err != nil {
		return info, rows, err
	}
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
		f.current = *info
		rows, err := f.openRows(info)
		if err != nil {
			return nil, nil, err
		}
		return f.give(info, rows)
	}
	if f.tables.chosen > 0 && !f.tables.foundOne {
		return nil, nil, noSheet.refuse(f.opt.Sheet, f.list())
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
	return f.readRows(info, rows, 1)
}

// readRows decides where in the rows from that number on the table is.
func (f *gridFile) readRows(info *sheetInfo, rows grid.Rows, top int64) (*gridRows, error) {
	x := &gridRows{
		ctx: f.ctx, rows: rows, blanks: &f.blanks, noOther: f.opt.Footer == none,
		start: top - 1, preamble: top - 1, last: top - 1, apart: f.tables.wanted(f.opt),
	}
	x.readHead()
	if err := x.ask(); err != nil {
		return nil, err
	}
	opt := f.opt
	if f.tables.number+1 != max(1, f.tables.chosen) {
		opt = opt.ofOthers()
	}
	undecided, above := *x, *info
	x.decideLayout(info, opt)
	if y := undecided.above(x.preamble, &above, opt); y != nil {
		*info = above
		return y, nil
	}
	return x, nil
}

func (f *gridFile) format() string { return f.name }

func (f *gridFile) encoding() (name string, confidence float64) { return "", 0 }

func (f *gridFile) textSize() int64 { return 0 }

func (f *gridFile) settle() error { return nil }

func (f *gridFile) close() error { return f.book.Close() }

// gridTables are the further tables of a worksheet.
type gridTables struct {
	rows     *gridRows      // of the current table; nil if there may be no further one
	aside    []*grid.Window // of tables beside others, which are read after those below one another
	number   int            // of the current table in its worksheet
	further  int            // tables of the file so far
	chosen   int            // the only table that is asked for; 0 for all
	foundOne bool
}

// wanted reports whether further tables are sheets of their own.
func (t *gridTables) wanted(opt Options) bool {
	return opt.Tables == allTables && t.further+len(t.aside)+1 < maxTables
}

// give returns the current table, if it is asked for.
func (f *gridFile) give(info *sheetInfo, rows *gridRows) (*sheetInfo, records, error) {
	t := &f.tables
	t.number++
	if f.opt.Tables == allTables {
		t.rows = rows
	}
	if t.chosen > 0 && t.chosen != t.number {
		info.leftOut = true
		return info, nil, nil
	}
	t.foundOne = true
	return info, rows, nil
}

// nextTable returns the next table of the current worksheet: one below the last one, whose rows go on, or one beside, for which the
// worksheet is read once more. The info is nil if there is none.
func (f *gridFile) nextTable() (*sheetInfo, records, error) {
	t := &f.tables
	if t.rows == nil {
		return nil, nil, nil
	}
	w, err := t.next()
	if err != nil || w == nil {
		t.rows, t.aside, t.number = nil, nil, 0
		return nil, nil, err
	}
	if w.Rows == nil { // it stands beside another one
		if w.Rows, err = f.book.Rows(f.current.number); err != nil {
			return nil, nil, fileFault(err)
		}
	}
	info := f.current
	t.further++
	info.number = f.sheets[len(f.sheets)-1].Number + t.further
	info.name = tableName(info.name, t.number+1)
	rows, err := f.readRows(&info, w, w.Top)
	if err != nil {
		return nil, nil, err
	}
	return f.give(&info, rows)
}

// next reads the current table to its end, and returns where the next one is; nil if there is none.
func (t *gridTables) next() (*grid.Window, error) {
	x := t.rows
	if x.stopped {
		return nil, nil
	}
	for {
		if _, err := x.nextRecord(new(Record)); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	below := x.rest()
	for _, w := range x.aside {
		if below != nil {
			w.Bottom = below.Top - 1
		}
		t.aside = append(t.aside, w)
	}
	if below != nil || len(t.aside) == 0 {
		return below, nil
	}
	w := t.aside[0]
	t.aside = t.aside[1:]
	return w, nil
}

// findTable returns the number of the worksheet, and that of its table, which have the name of a table.
func (f *gridFile) findTable(sought string) (sheet, table int) {
	for _, s := range f.sheets {
		name, found := strings.CutPrefix(strings.ToLower(sought), strings.ToLower(s.Name)+" (table ")
		n, err := strconv.Atoi(strings.TrimSuffix(name, ")"))
		if found && err == nil && n > 0 && s.Kind == grid.Worksheet && strings.EqualFold(sought, tableName(s.Name, n)) {
			return s.Number, n
		}
	}
	return 0, 0
}

// above returns the table above the one whose preamble ends at that row, as textTables.above does; nil if there is none. Nothing is decided
// yet of x, which is a copy.
func (x gridRows) above(preamble int64, info *sheetInfo, opt Options) *gridRows {
	if !x.apart || x.noOther || opt.Skip != nil || opt.Header != nil {
		return nil
	}
	rows, parts := x.ahead.rows, 0
	for i := 1; i < len(rows) && rows[i].No <= preamble+1 && parts < mostPartsAbove; i++ {
		if rows[i].No <= rows[i-1].No+1 {
			continue
		}
		parts++
		y := x
		y.ahead.rows = rows[:i:i]
		y.decideLayout(info, opt)
		if y.layout.Alone {
			y.ahead.rows, y.other = rows, rows[i].No
			y.findEnd()
			return &y
		}
	}
	return nil
}

// lookAside looks for tables beside this one that are sheets of their own.
func (x *gridRows) lookAside() {
	if !x.apart || !x.beside || x.right == 0 {
		return
	}
	for _, w := range []*grid.Window{{Left: 1, Right: x.left}, {Left: x.right + 1, Right: maxLeft}} {
		w.Top, w.Bottom, w.Err = x.start+1, grid.LastRow, io.EOF
		if w.Right == 0 {
			continue
		}
		for _, row := range x.ahead.rows {
			w.Kept = append(w.Kept, &row.Row)
		}
		beside := &gridRows{ctx: x.ctx, rows: w}
		beside.readHead()
		beside.left = leftOf(beside.ahead.rows, 0)
		rows, before := beside.fromFirst()
		if found := table.DecideGrid(beside.texts(rows, before, 0, nil), table.Hints{}, table.Told{}); found.Named {
			x.aside = append(x.aside, &grid.Window{Top: w.Top, Bottom: w.Bottom, Left: w.Left, Right: w.Right})
		}
	}
}
