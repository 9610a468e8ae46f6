package xlsb

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"

	"sheetdrop/internal/sheet/grid"
)

// maxTables is the maximum number of tables of a worksheet. More are ignored.
const maxTables = 1000

// builtin is the flag of a name that Excel itself has made.
const builtin = 1 << 5

// readName reads of a name that Excel has made which rows of a worksheet have a filter, or are printed on each page. The record has flags,
// a key, the number of the sheet, the name, and a formula.
func (b *Book) readName(r *records) {
	number := r.data.Long(5)
	name, end, ok := r.appendText(nil, 9, maxName)
	if !ok || r.data.Long(0)&builtin == 0 || int64(number) >= int64(len(b.sheets)) {
		return
	}
	s := &b.sheets[number]
	size := int64(r.data.Long(end))
	end = min(end+4, len(r.data))
	formula := r.data[end:min(int64(end)+size, int64(len(r.data)))]
	switch string(name) {
	case "_FilterDatabase":
		for _, area := range areas(formula) {
			s.filtered = area.Top
		}
	case "Print_Titles":
		for _, area := range areas(formula) {
			if area.Left == 1 && area.Right == grid.LastColumn && area.Bottom < grid.LastRow {
				s.printed = area.Bottom
			}
		}
	}
}

// The tokens of a formula that is one range of a sheet, or several ([MS-XLSB] 2.2.2). Bits 5 and 6 of each tell what is done with its
// value.
const (
	tokenUnion  = 0x29 // PtgMemFunc, in front of several ranges
	tokenArea   = 0x3B // PtgArea3d
	unionBytes  = 3
	areaBytes   = 15
	columnBits  = 0x3FFF // the others say whether it is relative
	firstOfArea = 3      // behind the token and the number of the sheet
)

// areas returns the ranges that a formula consists of.
func areas(formula []byte) (list []grid.Range) {
	if len(formula) > unionBytes && isToken(formula[0], tokenUnion) {
		formula = formula[unionBytes:]
	}
	for ; len(formula) >= areaBytes && isToken(formula[0], tokenArea); formula = formula[areaBytes:] {
		field := formula[firstOfArea:]
		area := grid.Range{
			Top: int64(binary.LittleEndian.Uint32(field)) + 1, Bottom: int64(binary.LittleEndian.Uint32(field[4:])) + 1,
			Left: int(binary.LittleEndian.Uint16(field[8:])&columnBits) + 1, Right: int(binary.LittleEndian.Uint16(field[10:])&columnBits) + 1,
		}
		if area.Top <= area.Bottom && area.Bottom <= grid.LastRow {
			list = append(list, area)
		}
	}
	return list
}

func isToken(token, kind byte) bool { return token >= kind && (token-kind)%0x20 == 0 && token < 0x80 }

// Known implements grid.Informed.
func (r *Rows) Known(merged bool) (known grid.Known, err error) {
	s := r.sheet
	known.HeaderEnd = cmp.Or(s.filtered, s.printed, r.frozen)
	if known.Tables, err = r.book.readTables(s.part); err != nil || !merged {
		return known, err
	}
	if errors.Is(r.err, io.EOF) {
		known.Merged = r.behind
		return known, nil
	}
	return known, r.book.eachMerged(s.part, func(m grid.Range) { known.Merged = append(known.Merged, m) })
}

// readTables lists what the program calls tables of the worksheet.
func (b *Book) readTables(part string) ([]grid.Table, error) {
	parts, err := b.parts.RelatedParts(part, "table")
	if err != nil {
		return nil, err
	}
	var tables []grid.Table
	for _, part := range parts[:min(len(parts), maxTables)] {
		err := b.each(part, false, func(r *records) error {
			if r.id != idTable {
				return nil
			}
			if area, ok := r.area(0); ok {
				tables = append(tables, grid.Table{Range: area, Header: int64(r.data.Long(24)), Totals: int64(r.data.Long(28))})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	grid.SortTables(tables)
	return tables, nil
}

// eachMerged yields a worksheet's merged ranges, which follow its cells.
func (b *Book) eachMerged(part string, yield func(grid.Range)) error {
	n := 0
	return b.each(part, true, func(r *records) error {
		if r.id != idMerged {
			return nil
		}
		if n++; n > grid.MaxMerged {
			return grid.Damaged("a sheet has more than %d merged ranges", grid.MaxMerged)
		}
		if area, ok := r.area(0); ok {
			yield(area)
		}
		return nil
	})
}

// readPane reads how many rows are frozen at the top: a view has the first row that it shows, and its pane how many rows from there on.
func (r *Rows) readPane() {
	const frozen = 1
	rows := r.records.data.Double(8)
	if len(r.records.data) > 28 && r.records.data[28]&frozen != 0 && rows >= 1 && rows < grid.LastRow {
		r.frozen = r.viewTop + int64(rows)
	}
}
