package xlsb

import (
	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// sheet is a sheet and the part that stores it.
type sheet struct {
	grid.Sheet
	part     string
	filtered int64 // the row with the names of a filter's columns; 0 if there is none
	printed  int64 // the last row that is printed on each page; 0 if there is none
}

// maxName is the maximum number of bytes of a name or a number format: no real one is nearly as long.
const maxName = 4 << 10

// readWorkbook reads the structure of the workbook.
func (b *Book) readWorkbook() error {
	part, err := b.parts.Main(workbookPart)
	if err != nil {
		return err
	}
	list, err := b.parts.Relations(part)
	if err != nil {
		return err
	}
	err = b.each(part, false, func(r *records) error {
		switch r.id {
		case idBookProps:
			b.date1904 = r.data.Long(0)&1 != 0
		case idSheet:
			return b.addSheet(r, list)
		case idName: // which follow the sheets
			b.readName(r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(b.sheets) == 0 {
		return grid.Damaged("it has no sheets")
	}
	b.strings = b.parts.Related(list, "sharedStrings", "xl/sharedstrings.bin")
	return b.readStyles(b.parts.Related(list, "styles", "xl/styles.bin"))
}

// addSheet adds a sheet: its visibility, an id, the id of its relation, and its name.
func (b *Book) addSheet(r *records, list map[string]container.Relation) error {
	s := sheet{Sheet: grid.Sheet{Number: len(b.sheets) + 1, Visibility: grid.Visible}}
	switch r.data.Long(0) {
	case 1:
		s.Visibility = grid.Hidden
	case 2:
		s.Visibility = grid.VeryHidden
	}
	id, end, ok := r.appendText(nil, 8, maxName)
	if !ok {
		return r.damaged()
	}
	name, _, ok := r.appendText(nil, end, maxName)
	if !ok {
		return r.damaged()
	}
	s.Name, s.part, s.Kind = string(name), list[string(id)].Part, list[string(id)].SheetKind()
	b.sheets = append(b.sheets, s)
	return b.parts.CheckParts(len(b.sheets))
}

// loadStrings reads the shared strings, once.
func (b *Book) loadStrings() error {
	if b.strings == "" || b.table != nil {
		return nil
	}
	b.table = grid.NewStringTable(b.parts.Size(b.strings))
	var text []byte
	err := b.each(b.strings, false, func(r *records) (err error) {
		if r.id != idString {
			return nil
		}
		if err := b.options.Limits.CheckStrings(int64(b.table.Len()) + 1); err != nil {
			return err
		}
		if text, err = b.appendRich(text[:0], r, 0); err != nil {
			return err
		}
		return b.table.Add(text, b.options.TempFiles)
	})
	if err != nil {
		return err
	}
	return b.table.Finish()
}

// appendRich appends the text at a place of the record that may have several fonts, which are behind it, as is how it is pronounced.
func (b *Book) appendRich(dst []byte, r *records, at int) ([]byte, error) {
	dst, _, ok := r.appendText(dst, at+1, b.options.Limits.CellBytes) // in front of it: whether it has either
	if !ok {
		return dst, r.damaged()
	}
	return dst, nil
}

// What of a font and a fill is looked at ([MS-XLSB] 2.4.657, 2.4.660).
const (
	boldWeight   = 600
	solidPattern = 1
)

// readStyles reads the styles of cells. A workbook may have none.
func (b *Book) readStyles(part string) error {
	if part == "" {
		return nil
	}
	ofCells := false // and not of the named styles that cells may be made with
	return b.each(part, false, func(r *records) error {
		switch r.id {
		case idFormat:
			code, _, ok := r.appendText(nil, 2, maxName)
			if !ok {
				return r.damaged()
			}
			return b.styles.AddCode(r.data.Short(0), string(code))
		case idFont:
			return b.styles.AddFont(r.data.Short(4) >= boldWeight)
		case idFill:
			return b.styles.AddFill(r.data.Long(0) == solidPattern && !isWhite(r.data))
		case idBeginStyles, idEndStyles:
			ofCells = r.id == idBeginStyles
		case idStyle:
			if ofCells {
				return b.styles.AddStyle(r.data.Short(2), r.data.Short(4), r.data.Short(6), r.data.Short(10)>>8)
			}
		}
		return nil
	})
}

// isWhite reports whether the ground that a fill tells of is white ([MS-XLSB] 2.5.18): by its number, its red, green and blue, or as that
// of the theme.
func isWhite(fill grid.Fields) bool {
	const kindAt, valueAt, tintAt, rgbAt, rgbBits = 4, 5, 6, 8, 0xFFFFFF
	if len(fill) < rgbAt+4 {
		return false
	}
	switch fill[kindAt] >> 1 {
	case 1:
		return grid.IsWhite(int(fill[valueAt]))
	case 2:
		return fill.Long(rgbAt)&rgbBits == rgbBits
	case 3:
		return fill[valueAt] == 0 && fill.Short(tintAt) == 0
	}
	return false
}
