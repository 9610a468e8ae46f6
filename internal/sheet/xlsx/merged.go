package xlsx

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/container"
	"sheetdrop/internal/sheet/grid"
)

// mergedRange is the first column of a merged range of several rows.
type mergedRange struct {
	column      int
	top, bottom int64
	value       grid.Cell // of its first row
}

// mergedRanges repeats the value of merged ranges in their lower rows, provided that the rows ascend.
type mergedRanges struct {
	waiting []mergedRange  // by first row
	open    []*mergedRange // by column, at most one in each
	bytes   int            // of the open ones' text
	all     []grid.Range   // if they were asked for
}

// readMerged lists a worksheet's merged ranges, which follow its cells in the file: those of several rows, or all.
func (b *Book) readMerged(part string, all bool) (*mergedRanges, error) {
	d, err := b.parts.Preview(part)
	if err != nil {
		return nil, err
	}
	m := &mergedRanges{}
	err = d.Root(func() error {
		return d.Each(func(name []byte) error {
			switch string(name) {
			case "sheetData":
				return d.SkipUnread()
			case "mergeCells":
			default:
				return d.Skip()
			}
			return eachMerged(d, func(ref string) error {
				if all {
					m.all = appendRange(m.all, ref)
				}
				m.add(ref)
				if len(m.waiting) > grid.MaxMerged {
					return grid.Damaged("a sheet has more than %d merged ranges", grid.MaxMerged)
				}
				return nil
			})
		})
	})
	slices.SortStableFunc(m.waiting, func(a, b mergedRange) int { return cmp.Compare(a.top, b.top) })
	return m, err
}

// eachMerged yields the references in the list of merged ranges, at which the document is.
func eachMerged(d *container.Document, yield func(ref string) error) error {
	return d.Each(func([]byte) error {
		if err := yield(d.Attributes()["ref"]); err != nil {
			return err
		}
		return d.Skip()
	})
}

// appendRange appends the range, unless there are too many or it has no columns.
func appendRange(list []grid.Range, ref string) []grid.Range {
	if area, ok := grid.ParseRange(ref); ok && area.Left > 0 && len(list) < grid.MaxMerged {
		list = append(list, area)
	}
	return list
}

func (m *mergedRanges) add(ref string) {
	first, last, _ := strings.Cut(ref, ":")
	column, top, ok := grid.ParseReference([]byte(first))
	_, bottom, ok2 := grid.ParseReference([]byte(last))
	if ok && ok2 && bottom > top {
		m.waiting = append(m.waiting, mergedRange{column: column, top: top, bottom: bottom})
	}
}

// fill sets the values of the ranges that began above in the row, and opens those that begin in it. Ranges that overlap
// in a column violate the format: the first one counts.
func (m *mergedRanges) fill(r *Rows) {
	row := &r.row
	own := row.Cells
	m.open = slices.DeleteFunc(m.open, func(o *mergedRange) bool {
		if row.No <= o.bottom {
			return false
		}
		m.bytes -= len(o.value.Text)
		return true
	})
	for _, o := range m.open {
		if _, has := findCell(own, o.column); !has && row.No > o.top {
			r.add(o.value)
		}
	}
	for len(m.waiting) > 0 && m.waiting[0].top <= row.No {
		o := &m.waiting[0]
		m.waiting = m.waiting[1:]
		if i, has := findCell(own, o.column); has && o.top == row.No {
			m.begin(o, own[i], r.book.options.Limits.RowBytes)
		}
	}
}

// begin opens a range that has a value. All open values together are limited like those of a row.
func (m *mergedRanges) begin(o *mergedRange, value grid.Cell, limit int) {
	at, taken := slices.BinarySearchFunc(m.open, o.column, func(o *mergedRange, column int) int { return cmp.Compare(o.column, column) })
	if taken || len(value.Text) == 0 {
		return
	}
	if m.bytes+len(value.Text) > limit {
		value = grid.Cell{Column: o.column, Fault: grid.RecordTooLong}
	}
	m.bytes += len(value.Text)
	o.value = value
	o.value.Text = bytes.Clone(value.Text)
	m.open = slices.Insert(m.open, at, o)
}

func findCell(cells []grid.Cell, column int) (int, bool) {
	return slices.BinarySearchFunc(cells, column, func(c grid.Cell, column int) int { return cmp.Compare(c.Column, column) })
}
