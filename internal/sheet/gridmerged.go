package sheet

import (
	"bytes"
	"cmp"
	"slices"

	"sheetdrop/internal/sheet/grid"
	"sheetdrop/internal/sheet/table"
	"sheetdrop/internal/sheet/words"
)

// The limits of what is looked at of merged cells in a row. More are left as they are.
const (
	maxSpread      = 256 // ranges
	maxSpreadCells = 256 // columns of each
)

// mergedAt returns the merged ranges that the row belongs to.
func (x *gridRows) mergedAt(row *keptRow) []grid.Range {
	var list []grid.Range
	for _, m := range x.known.Merged {
		if m.Top <= row.No && row.No <= m.Bottom && m.Bottom-m.Top < groupRows && m.Right-m.Left < maxSpreadCells {
			if list = append(list, m); len(list) == maxSpread {
				break
			}
		}
	}
	return list
}

// spread returns the row's cells with those that are merged with one of them, or with one of the rows above. A row with nothing but one
// merged cell is a title, and stays, as a name with its value does, and the last row names no groups. It returns nil if nothing is merged.
func (x *gridRows) spread(row *keptRow, above []*keptRow) []grid.Cell {
	merged := x.mergedAt(row)
	if last := x.ahead.rows[len(x.ahead.rows)-1]; row.No == last.No && len(above) > 0 {
		merged = slices.DeleteFunc(merged, func(m grid.Range) bool { return m.Right > m.Left })
	}
	if len(merged) == 0 || slices.ContainsFunc(merged, x.folds.cuts) {
		return nil
	}
	cells, taken := slices.Clone(row.Cells), map[int]bool{}
	for _, c := range cells {
		taken[c.Column] = taken[c.Column] || c.HasText()
	}
	alone := x.filledCells(row) == 1 && row.No != x.unitRow && row.No != x.captionRow
	alone = alone && !slices.ContainsFunc(merged, func(m grid.Range) bool { return m.Top < row.No && m.Left == m.Right })
	alone = alone || x.isMergedPair(row, merged) || x.isNameWithMerged(row) || x.isTitleWithUnit(row)
	for _, m := range merged {
		value, ok := cellAt(row, above, m)
		if !ok || m.Top == row.No && alone {
			continue
		}
		for value.Column = m.Left; value.Column <= m.Right; value.Column++ {
			if !taken[value.Column] && !x.folds.has(value.Column) {
				taken[value.Column] = true
				cells = append(cells, value)
			}
		}
	}
	slices.SortStableFunc(cells, func(a, b grid.Cell) int { return cmp.Compare(a.Column, b.Column) })
	return cells
}

// isMergedPair reports whether the row has nothing but two merged cells that name no groups. The first one begins in the table's first
// column. It is a name with its value, or another row has two such cells as well.
//
//	│ Written by: Office │ Unit: EUR   │
//	│ No.     │ Name     │ Wage │ Bonus │
func (x *gridRows) isMergedPair(row *keptRow, merged []grid.Range) bool {
	if len(merged) != pairOfCells || x.filledCells(row) != pairOfCells {
		return false
	}
	for _, m := range merged {
		if m.Left == m.Right || m.Top != row.No {
			return false
		}
		if c, ok := cellAt(row, nil, m); !ok || m.Left == x.left+1 && !table.IsPair(c.Text) && !x.isMergedAgain(merged) {
			return false
		}
	}
	return min(merged[0].Left, merged[1].Left) == x.left+1
}

// isNameWithMerged reports whether the row has nothing but a name with a colon in one cell of the table's first column, and its value,
// which is merged over others.
//
//	│ Account: │ 88120-4                 │
//	│ Date     │ Text │ Amount │ Balance │
func (x *gridRows) isNameWithMerged(row *keptRow) bool {
	first := slices.IndexFunc(row.Cells, hasText)
	if first < 0 || x.filledCells(row) != pairOfCells {
		return false
	}
	name := row.Cells[first]
	return name.Column == x.left+1 && words.EndsWithColon(bytes.TrimSpace(name.Text))
}

// isMergedAgain reports whether another of the first rows has nothing but cells that are merged over the same columns: in each row they are
// a name and its value.
func (x *gridRows) isMergedAgain(merged []grid.Range) bool {
	for _, row := range x.ahead.rows[:min(len(x.ahead.rows), groupRows)] {
		if row.No == merged[0].Top || x.filledCells(row) != len(merged) {
			continue
		}
		again := 0
		for _, m := range merged {
			if slices.ContainsFunc(x.known.Merged, func(o grid.Range) bool { return o.Top == row.No && o.Left == m.Left && o.Right == m.Right }) {
				again++
			}
		}
		if again == len(merged) {
			return true
		}
	}
	return false
}

// isTitleWithUnit reports whether the row has nothing but the unit of the numbers and another text: they name no groups.
//
//	│      │ by day of entry │ Unit: ‰ │
//	│ Year │ Births          │ Rate    │
func (x *gridRows) isTitleWithUnit(row *keptRow) bool {
	unit := func(c grid.Cell) bool { return c.HasText() && words.IsUnit(bytes.TrimSpace(c.Text)) }
	return x.filledCells(row) == pairOfCells && slices.ContainsFunc(row.Cells, unit)
}

// pairOfCells are a name and its value.
const pairOfCells = 2

// cellAt returns the value of a merged range.
func cellAt(row *keptRow, above []*keptRow, m grid.Range) (grid.Cell, bool) {
	for i := range len(above) + 1 {
		r := row
		if i < len(above) {
			r = above[i]
		}
		if r.No != m.Top {
			continue
		}
		for _, c := range r.Cells {
			if c.Column == m.Left && c.HasText() && c.Fault == "" {
				return c, true
			}
		}
	}
	return grid.Cell{}, false
}

// filledCells counts the row's values in the columns of the table, as far as these are known.
func (x *gridRows) filledCells(row *keptRow) (n int) {
	for _, c := range row.Cells {
		if c.HasText() && (x.right == 0 || x.left < c.Column && c.Column <= x.right) {
			n++
		}
	}
	return n
}

// nameMerged fills all columns of the merged cells in the header with their texts.
func (x *gridRows) nameMerged() {
	if len(x.known.Merged) == 0 {
		return
	}
	spread := map[int][]grid.Cell{}
	for i, row := range x.ahead.rows {
		if row.No > x.preamble && row.No <= x.headEnd {
			spread[i] = x.spread(row, x.ahead.rows[:i])
		}
	}
	for i, cells := range spread {
		if cells != nil {
			x.ahead.rows[i].Cells = cells
		}
	}
	x.nameBesideMerged()
}

// mergedHeader returns the numbers of the header's first and last row as far as merged cells tell, 0 if they do not. A cell of the header
// is merged with those below it. Beside it the name of a group is merged with the next one, above two names or more. found is what was
// found otherwise.
//
//	Item │ Cost      │
//	     │ 1.1. │ new │
func (x *gridRows) mergedHeader(found table.Layout, numbers []int64) (top, bottom int64) {
	first, last := found.Preamble, found.Preamble+max(1, found.Header+found.Blanks)-1 // its names may not look like any
	if last >= len(numbers) {
		return 0, 0
	}
	var list []grid.Range
	for _, m := range x.known.Merged {
		if m.Top <= numbers[last] && m.Bottom+1 >= numbers[first] && m.Bottom-m.Top < maxMergedHeader && len(list) < maxSpread {
			list = append(list, m)
		}
	}
	for _, group := range list {
		for _, m := range list {
			if group.Right > group.Left && m.Right == m.Left && m.Top == group.Top && m.Bottom > group.Bottom &&
				x.valuesIn(grid.Range{Top: m.Top, Bottom: m.Top, Left: m.Left, Right: m.Left}) == 1 &&
				x.valuesIn(grid.Range{Top: group.Bottom + 1, Bottom: m.Bottom, Left: group.Left, Right: group.Right}) > 1 {
				return m.Top, x.downFrom(m.Top, x.lastWithValue(m.Top, m.Bottom), list)
			}
		}
	}
	if top, bottom = x.groupsOfTwo(list); top == 0 && found.Header > 0 {
		top, bottom = numbers[first], numbers[last]
	}
	bottom = x.downFrom(top, bottom, list)
	if x.namesGroupsAlone(bottom, list) {
		bottom++
	}
	if x.captionRow = x.captionAbove(top, bottom); x.captionRow > 0 {
		top = x.captionRow
	}
	if x.unitRow = x.unitBelow(bottom); x.unitRow > 0 {
		bottom = x.unitRow
	}
	return top, bottom
}

// lastWithValue returns the last of the rows top to bottom that has a value: names may be merged with blank rows below.
func (x *gridRows) lastWithValue(top, bottom int64) int64 {
	for bottom > top && x.valuesIn(grid.Range{Top: bottom, Bottom: bottom, Left: 1, Right: maxLeft}) == 0 {
		bottom--
	}
	return bottom
}

// namesGroupsAlone reports whether each name of the row stands in merged cells of two columns or more, and the row below has another text
// for each of these: none of them has a name otherwise.
//
//	Weight │    │ Zone │   │
//	kg     │ lb │ 1    │ 2 │ 3
func (x *gridRows) namesGroupsAlone(row int64, list []grid.Range) bool {
	groups, columns := 0, 0
	for _, m := range list {
		if m.Top == row && m.Bottom == row && m.Right > m.Left {
			groups, columns = groups+1, columns+m.Right-m.Left+1
			if x.valuesIn(grid.Range{Top: row + 1, Bottom: row + 1, Left: m.Left, Right: m.Right}) != m.Right-m.Left+1 {
				return false
			}
		}
	}
	names := grid.Range{Top: row, Bottom: row, Left: 1, Right: maxLeft}
	below := grid.Range{Top: row + 1, Bottom: row + 1, Left: 1, Right: maxLeft}
	return groups >= evidenceOfGroups && x.valuesIn(names) == groups && x.valuesIn(below) == columns && x.namesIn(below) > 0
}

// captionAbove returns the number of the row above the header, if it has nothing but a text in a merged cell, right above years that stand
// behind other names of the header; otherwise 0.
//
//	     │      │ Year ended 30 June
//	Item │ Note │ 2024 │ 2023
func (x *gridRows) captionAbove(top, bottom int64) int64 {
	if top != bottom || top < 2 {
		return 0
	}
	years := func(c grid.Cell) bool { return table.IsOurYear(c.Text) }
	for _, m := range x.known.Merged {
		if m.Top != top-1 || m.Bottom != m.Top || m.Right == m.Left || m.Right-m.Left >= maxSpreadCells {
			continue
		}
		row := grid.Range{Top: m.Top, Bottom: m.Top, Left: 1, Right: maxLeft}
		before := grid.Range{Top: top, Bottom: top, Left: 1, Right: m.Left - 1}
		below := grid.Range{Top: top, Bottom: top, Left: m.Left, Right: m.Right}
		if x.namesIn(row) == 1 && x.valuesIn(row) == 1 && x.valuesIn(before) > 0 && x.countIn(below, years) == m.Right-m.Left+1 {
			return m.Top
		}
	}
	return 0
}

// unitBelow returns the number of the row below the header's last one, if it has nothing but a text in a merged cell, below the names of
// all columns but the first: their unit. Otherwise it returns 0.
//
//	Product │ April │ May │ June
//	        │ Dollars
func (x *gridRows) unitBelow(bottom int64) int64 {
	for _, m := range x.known.Merged {
		if m.Top != bottom+1 || m.Bottom != m.Top || m.Right == m.Left || m.Right-m.Left >= maxSpreadCells {
			continue
		}
		names := grid.Range{Top: bottom, Bottom: bottom, Left: m.Left, Right: m.Right}
		all := grid.Range{Top: bottom, Bottom: bottom, Left: 1, Right: maxLeft}
		value := grid.Range{Top: m.Top, Bottom: m.Top, Left: m.Left, Right: m.Left}
		row := grid.Range{Top: m.Top, Bottom: m.Top, Left: 1, Right: maxLeft}
		named := x.valuesIn(names)
		again := func(other grid.Range) bool {
			return other.Top > m.Top && other.Left == m.Left && other.Right == m.Right
		}
		if named == m.Right-m.Left+1 && x.valuesIn(all) == named+1 && x.namesIn(value) == 1 && x.valuesIn(row) == 1 &&
			!slices.ContainsFunc(x.known.Merged, again) { // they would be titles of parts
			return m.Top
		}
	}
	return 0
}

// downFrom returns the header's last row, where a name of its first row is merged with those below, down to one that has something else:
// units, for example.
//
//	Year │ Number │ Change
//	     │ 1,000  │ %
func (x *gridRows) downFrom(top, bottom int64, list []grid.Range) int64 {
	for _, m := range list {
		cell := grid.Range{Top: m.Top, Bottom: m.Top, Left: m.Left, Right: m.Left}
		below := grid.Range{Top: m.Bottom, Bottom: m.Bottom, Left: 1, Right: maxLeft}
		if m.Top == top && m.Left == m.Right && m.Bottom > bottom && x.valuesIn(cell) == 1 && x.valuesIn(below) > 0 {
			bottom = m.Bottom
		}
	}
	return bottom
}

// groupsOfTwo returns the numbers of the two rows of a header. The upper one has the names of two groups or more in merged cells; the lower
// one has names for all of their columns and nothing else. A table of a single row has no other evidence.
//
//	Sample │ Length    │ Width     │
//	       │ mean │ sd │ mean │ sd │
func (x *gridRows) groupsOfTwo(list []grid.Range) (top, bottom int64) {
	groups, columns := 0, 0
	for _, m := range list {
		if m.Top != m.Bottom || m.Right == m.Left || top > 0 && m.Top != top {
			return 0, 0
		}
		top, groups, columns = m.Top, groups+1, columns+m.Right-m.Left+1
		if x.namesIn(grid.Range{Top: m.Top + 1, Bottom: m.Top + 1, Left: m.Left, Right: m.Right}) != m.Right-m.Left+1 {
			return 0, 0
		}
	}
	below := grid.Range{Top: top + 1, Bottom: top + 1, Left: 1, Right: maxLeft}
	row := grid.Range{Top: top, Bottom: top, Left: 1, Right: maxLeft}
	if groups < evidenceOfGroups || x.valuesIn(below) != columns || x.valuesIn(row) == groups {
		return 0, 0
	}
	return top, top + 1
}

// evidenceOfGroups is how many cells in a row are merged that name groups: one may be a title.
const evidenceOfGroups = 2

// namesIn counts the texts in an area of the first rows that are no numbers.
func (x *gridRows) namesIn(area grid.Range) int {
	return x.countIn(area, func(c grid.Cell) bool { return c.HasText() && c.Kind == grid.Text })
}

// maxMergedHeader is how many rows of a header a cell may be merged over.
const maxMergedHeader = 5

// valuesIn counts the values in an area of the first rows.
func (x *gridRows) valuesIn(area grid.Range) int {
	return x.countIn(area, hasText)
}

// countIn counts such cells in an area of the first rows.
func (x *gridRows) countIn(area grid.Range, is func(grid.Cell) bool) (n int) {
	for _, row := range x.ahead.rows[:min(len(x.ahead.rows), groupRows)] {
		for _, c := range row.Cells {
			if area.Top <= row.No && row.No <= area.Bottom && area.Left <= c.Column && c.Column <= area.Right && is(c) {
				n++
			}
		}
	}
	return n
}
