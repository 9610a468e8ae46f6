package xlsx

import (
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// The limits of what a workbook says of its tables. More is ignored.
const (
	maxTables = 1000 // of a worksheet
	maxName   = 4 << 10
)

// readNames reads from the workbook's names which rows of a worksheet have a filter, or are printed on each page.
func (b *Book) readNames(d *container.Document) error {
	var text []byte
	return d.Each(func([]byte) error {
		at := d.Attributes()
		number, err := strconv.Atoi(at["localSheetId"])
		filter, titles := at["name"] == "_xlnm._FilterDatabase", at["name"] == "_xlnm.Print_Titles"
		if err != nil || number < 0 || number >= len(b.sheets) || !filter && !titles {
			return d.Skip()
		}
		if text, err = d.AppendContent(text[:0], maxName); err != nil {
			return err
		}
		s := &b.sheets[number]
		for area := range strings.SplitSeq(string(text), ",") {
			area = area[strings.LastIndexByte(area, '!')+1:]
			if r, ok := grid.ParseRange(area); ok && filter {
				s.filtered = r.Top
			} else if ok && r.Left == 0 {
				s.printed = r.Bottom
			}
		}
		return nil
	})
}

// Known implements grid.Informed.
func (r *Rows) Known(merged bool) (known grid.Known, err error) {
	s := r.book.sheets[r.sheetNo-1]
	known.HeaderEnd = cmp.Or(s.filtered, s.printed, r.frozen)
	if known.Tables, err = r.book.readTables(s.part); err != nil || !merged {
		return known, err
	}
	if errors.Is(r.err, io.EOF) {
		known.Merged = r.behind
		return known, nil
	}
	m, err := r.book.readMerged(s.part, true)
	if err == nil {
		known.Merged = m.all
	}
	return known, err
}

// readTables lists what the program calls tables of the worksheet. Whatever is wrong with their description costs that
// alone.
func (b *Book) readTables(part string) ([]grid.Table, error) {
	parts, err := b.parts.RelatedParts(part, "table")
	if err != nil {
		return nil, err
	}
	var tables []grid.Table
	for _, part := range parts[:min(len(parts), maxTables)] {
		d, err := b.parts.Document(part)
		if err != nil {
			return nil, err
		}
		err = d.Root(func() error {
			at := d.Attributes()
			if area, ok := grid.ParseRange(at["ref"]); ok && area.Left > 0 {
				header, totals := count(at["headerRowCount"], 1), count(at["totalsRowCount"], 0)
				tables = append(tables, grid.Table{Range: area, Header: header, Totals: totals})
			}
			return d.Each(func([]byte) error { return d.Skip() })
		})
		if err != nil {
			return nil, err
		}
	}
	grid.SortTables(tables)
	return tables, nil
}

// count parses a number of rows; it returns usual if there is none.
func count(text string, usual int64) int64 {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return usual
	}
	return n
}

// readViews reads how many rows are frozen at the top.
func (r *Rows) readViews() error {
	return r.doc.Each(func([]byte) error {
		top := int64(1)
		if _, row, ok := grid.ParseReference([]byte(r.doc.Attributes()["topLeftCell"])); ok {
			top = row
		}
		return r.doc.Each(func(name []byte) error {
			if string(name) == "pane" {
				at := r.doc.Attributes()
				if state := at["state"]; state == "frozen" || state == "frozenSplit" {
					if rows := count(at["ySplit"], 0); rows > 0 {
						r.frozen = top - 1 + rows
					}
				}
			}
			return r.doc.Skip()
		})
	})
}
