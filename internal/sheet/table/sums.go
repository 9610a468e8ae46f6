package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// sumsPart is isNamedSum of one of several records, which may begin with a code, such as W7, where the others have days.
func (c columns) sumsPart(r row) bool {
	if len(r.kinds) > 0 && len(c.kinds) > 0 && c.kinds[0] == kind.Moment && isCode(r.kinds[0], r.kinds[0]) {
		r.kinds = slices.Clone(r.kinds)
		r.kinds[0] = kind.Word
	}
	return c.isNamedSum(r)
}

// isNamedSum reports whether the record has a text in a first column of values, and otherwise nothing but values of the columns' kinds,
// where the others have more: whatever it is called, it sums up.
//
//	1,Chair,2,45.00
//	2,Table,1,99.00
//	In all,,3,144.00
func (c columns) isNamedSum(r row) bool {
	if r.width != c.width || r.broken || c.width <= narrow || len(c.usual) == 0 || !c.usual[0] {
		return false
	}
	if c.kinds[0] <= kind.Word || r.kinds[0] != kind.Word || !c.lacks(r) {
		return false
	}
	values := 0
	for i, k := range r.kinds[1:] {
		switch {
		case k == kind.Empty:
		case k != kind.Number && k != kind.Moment || k != c.kinds[i+1]:
			return false
		default:
			values++
		}
	}
	return values > 0
}

// hasShapeOfSum reports whether the record lacks what the others have, and has cells of the same kinds as one above it that sums up, a name
// and numbers: whatever it is called, it sums up, too.
//
//	Aston total,  ,   ,812.50
//	All branches, ,   ,4090.10
func (f *closingBlock) hasShapeOfSum(r row) bool {
	if r.filled < listCells || !f.lacks(r) {
		return false
	}
	return slices.ContainsFunc(f.rows, func(sum row) bool {
		named := sum.total || sum.subtotal || sum.partTotal
		return named && sum.line < r.line && slices.Equal(sum.kinds, r.kinds) && f.namesNumbers(r)
	})
}

// hasOneOwnText reports whether each text of the record but one stands in nearly all records of its column.
//
//	Dividends,Data,EUR,  2024-03-01,SAP,12.50
//	Dividends,Data,Total,          ,   ,401.20
func (c columns) hasOneOwnText(r row) bool {
	own, usual := 0, 0
	for i, k := range r.kinds {
		if k != kind.Word {
			continue
		}
		n := 0
		for _, other := range c.rows {
			if other.width == c.width && i < len(other.texts) && other.texts[i] == r.texts[i] {
				n++
			}
		}
		if share(n, c.n) < columnOfKind {
			own++
		} else {
			usual++
		}
	}
	return own == 1 && usual > 0
}

// marksSums returns the column, behind the first one, in which two records or more, each of which lacks what nearly all have, say that they
// are sums, and all others say one and the same; 0 if there is none.
//
//	Trades,Data,    Order,ABC,2024-01-05,100
//	Trades,Data,    Order,ABC,2024-01-12,-50
//	Trades,SubTotal,     ,ABC,          , 50
func (c columns) marksSums(rows []row) int {
	column, sums := 0, 0
	for _, r := range rows {
		if r.sumAt > 0 && r.width == c.width && c.lacks(r) {
			if column > 0 && int(r.sumAt) != column {
				return 0
			}
			column, sums = int(r.sumAt), sums+1
		}
	}
	if sums < sectionTitles {
		return 0
	}
	said, n := uint64(0), 0
	for _, r := range rows {
		if r.blank || r.width != c.width || int(r.sumAt) == column {
			continue
		}
		if n > 0 && r.texts[column] != said || r.kinds[column] != kind.Word {
			return 0
		}
		said, n = r.texts[column], n+1
	}
	if n < evidence {
		return 0
	}
	return column
}

// isMarkedSum reports whether the record says in that column that it is a sum, has a number, and lacks what nearly all records have.
func (f *Filter) isMarkedSum(r row) bool {
	return f.marked > 0 && int(r.sumAt) == f.marked && slices.Contains(r.kinds, kind.Number) && f.lacks(r)
}

// hasGroupSums reports whether two records or more are named Total behind an empty first cell, each above one that has a value there: they
// sum up groups that are named once.
//
//	2022,North,12
//	,    South,10
//	,    Total,22
//	2023,North,14
func (c columns) hasGroupSums(rows []row) bool {
	n := 0
	for i, r := range rows {
		if r.width != c.width || !r.total || !r.totalFirst || r.totalMore || r.kinds[0] != kind.Empty || i == 0 || rows[i-1].blank {
			continue
		}
		if below := pastBlank(rows, i+1); below < len(rows) && len(rows[below].kinds) > 0 && rows[below].kinds[0] == kind.Empty {
			return false
		}
		n++
	}
	return n >= sectionTitles
}
