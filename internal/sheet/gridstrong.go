package sheet

import (
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// strongColumn returns the first column with a value if it tells nothing of a row that has no other value, such as a person without shifts:
// it is bold or coloured in most rows that have others, which are not. Otherwise it returns 0.
func (x *gridRows) strongColumn() int {
	first, strong, all := 0, 0, 0
	for _, row := range x.ahead.rows {
		i := slices.IndexFunc(row.Cells, hasText)
		if i < 0 || standsAlone(row, row.Cells[i].Column) || isStrong(row.Cells) {
			continue
		}
		if c := row.Cells[i]; first == 0 || c.Column < first {
			first, strong, all = c.Column, 0, 0
		} else if c.Column > first {
			continue
		}
		if all++; row.Cells[i].Strong {
			strong++
		}
	}
	if strong*2 <= all {
		return 0
	}
	return first
}

func hasText(c grid.Cell) bool { return c.HasText() }

// standsAlone reports whether the row has a value in this column and no other.
func standsAlone(row *keptRow, column int) bool {
	n := 0
	for _, c := range row.Cells {
		if c.HasText() {
			if n++; c.Column != column {
				return false
			}
		}
	}
	return n > 0
}

// isStrongBehind reports whether a cell without a value is bold or coloured, as those of a title across the table are.
func isStrongBehind(row *keptRow) bool {
	return slices.ContainsFunc(row.Cells, func(c grid.Cell) bool { return c.Strong && !c.HasText() })
}

// isStrong reports whether all of a row's texts are bold or coloured.
func isStrong(cells []grid.Cell) bool {
	n := 0
	for _, c := range cells {
		if c.HasText() {
			if n++; !c.Strong {
				return false
			}
		}
	}
	return n > 0
}
