package xls

import (
	"errors"
	"fmt"

	"sheetdrop/internal/sheet/grid"
)

// The versions of the format, as the first record has them.
const (
	version5 = 0x0500
	version8 = 0x0600
)

// readGlobals reads the part of the stream that is about the whole workbook.
func (b *Book) readGlobals() error {
	r := recordsFrom(b.stream, 0)
	if !r.next() || r.id != idBOF {
		return grid.Unsupported("a workbook of Excel 4 or older", "Excel 4以前のブック", grid.SaveAsWorkbook)
	}
	switch r.data.Short(0) {
	case version5:
		b.old = true
	case version8:
	default:
		return grid.Unsupported("a workbook of Excel 4 or older", "Excel 4以前のブック", grid.SaveAsWorkbook)
	}
	if err := b.addGrounds(); err != nil {
		return err
	}
	for r.next() {
		switch r.id {
		case idEOF:
			return nil
		case idBOF:
			if !r.skipNested() {
				return errTruncated()
			}
		default:
			if err := b.readGlobal(r); err != nil {
				return err
			}
		}
	}
	return errTruncated()
}

func (b *Book) readGlobal(r *records) error {
	switch r.id {
	case idFilePass:
		return grid.Refuse(grid.Encrypted, "The workbook is encrypted. Save it without a password.")
	case idCodePage:
		b.decode = decoder(r.data.Short(0))
	case idDateMode:
		b.date1904 = r.data.Short(0) == 1
	case idFormat:
		return b.addFormat(r)
	case idXF:
		return b.addStyle(r)
	case idFont:
		return b.styles.AddFont(r.data.Short(6) >= boldWeight)
	case idSheet:
		return b.addSheet(r)
	case idSST:
		return b.readStrings(r)
	}
	return nil
}

// What of a font and a style is looked at ([MS-XLS] 2.4.122, 2.5.249).
const (
	boldWeight   = 600
	noSuchFont   = 4 // fonts are numbered without it
	solidPattern = 1
)

// The grounds of cells, as the fills of Styles.
const colouredGround = 1

// addGrounds adds the grounds: those without a colour, and coloured ones.
func (b *Book) addGrounds() error {
	return errors.Join(b.styles.AddFill(false), b.styles.AddFill(true))
}

// addStyle adds a style, whose ground is its own ([MS-XLS] 2.4.353). Its indent is in the lowest bits at 8 (2.5.20).
func (b *Book) addStyle(r *records) error {
	font, ground, indent := r.data.Short(0), 0, 0
	if font > noSuchFont {
		font--
	}
	const colourBits, indentBits = 0x7F, 0x0F
	if !b.old {
		indent = r.data.Short(8) & indentBits
	}
	if !b.old && r.data.Long(14)>>26 == solidPattern && !grid.IsWhite(r.data.Short(18)&colourBits) {
		ground = colouredGround
	}
	return b.styles.AddStyle(r.data.Short(2), font, ground, indent)
}

func (b *Book) addFormat(r *records) error {
	lengthBytes := 2
	if b.old {
		lengthBytes = 1
	}
	id := r.data.Short(0)
	code, ok := b.appendText(nil, r, 2, lengthBytes)
	if !ok {
		return errTruncated()
	}
	return b.styles.AddCode(id, string(code))
}

func (b *Book) addSheet(r *records) error {
	if len(b.sheets) == b.options.Limits.Parts {
		return grid.Refuse(grid.TooManyParts, fmt.Sprintf("The workbook has more sheets than the limit of %d.", b.options.Limits.Parts))
	}
	s := sheet{Sheet: grid.Sheet{Number: len(b.sheets) + 1, Kind: grid.OtherSheet, Visibility: grid.Visible}, offset: int64(r.data.Long(0))}
	flags := r.data.Short(4)
	switch flags & 3 {
	case 1:
		s.Visibility = grid.Hidden
	case 2:
		s.Visibility = grid.VeryHidden
	}
	switch flags >> 8 {
	case 0:
		s.Kind = grid.Worksheet
	case 1:
		s.Kind = grid.Macrosheet
	case 2:
		s.Kind = grid.Chartsheet
	}
	name, ok := b.appendText(nil, r, 6, 1)
	if !ok {
		return errTruncated()
	}
	s.Name = string(name)
	b.sheets = append(b.sheets, s)
	return nil
}

// readStrings reads the shared strings.
func (b *Book) readStrings(r *records) error {
	if b.table != nil {
		return grid.Damaged("it has two lists of strings")
	}
	b.table = grid.NewStringTable(b.stream.Size())
	count := r.data.Long(4)
	if err := b.options.Limits.CheckStrings(int64(count)); err != nil {
		return err
	}
	in := input{records: r, at: min(8, len(r.data)), ok: true}
	var text []byte
	for range count {
		length := in.bytes(2)
		chars := int(length[0]) | int(length[1])<<8
		if !in.ok {
			return errTruncated()
		}
		text = in.appendString(text[:0], chars, b.options.Limits.CellBytes)
		if !in.ok {
			return errTruncated()
		}
		if err := b.table.Add(text, b.options.TempFiles); err != nil {
			return err
		}
	}
	return b.table.Finish()
}
