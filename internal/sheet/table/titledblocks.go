package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// areTitledLists reports whether the blocks are lists that stand side by side, and the line right above the last row of the header names
// each. above is the one above the header.
//
//	Stock,      ,,Staff,
//	Part,Pieces,,Name, Hours
//	bolt,   120,,Ann,  38
func areTitledLists(list []block, above row, rows []row, header int) bool {
	if header == 0 || header > len(rows) {
		return false
	}
	title := above
	if header > 1 {
		title = rows[header-2]
	}
	return titlesEach(list, title) && areLists(list, rows, header) && (list[0].to-list[0].from >= narrow || !repeatNames(list, rows[header-1]))
}

// repeatNames reports whether a name comes twice behind the first ones of the blocks, as those of groups do.
func repeatNames(list []block, head row) bool {
	names := map[uint64]bool{}
	for _, b := range list {
		for _, name := range head.texts[min(b.from+1, len(head.texts)):min(b.to, len(head.texts))] {
			if names[name] {
				return true
			}
			names[name] = true
		}
	}
	return false
}

// titlesEach reports whether the record, which stands right above the last row of the header, has a title for each of the blocks, most of
// them of two columns or more, and nothing else. In merged cells it may stand above each column.
func titlesEach(list []block, r row) bool {
	cells, wide := 0, 0
	for i, b := range list {
		if b.to-b.from >= narrow {
			wide++
		}
		if b.from >= len(r.kinds) || r.kinds[b.from] != kind.Word ||
			i > 0 && r.repeats(list[0].from, b.from) {
			return false
		}
		for c := b.from; c < min(b.to, len(r.kinds)) && (c == b.from || r.repeats(b.from, c)); c++ {
			cells++
		}
	}
	return 2*wide > len(list) && r.filled == cells && onlyWords(r)
}

// areLists reports whether each of the blocks is a list of its own: all of its cells have a value in two rows or more below the header, and
// the first ones come once each. They do not all end together, or all begin with texts, or another one begins with the name of the first.
func areLists(list []block, rows []row, header int) bool {
	together, codes, again := true, false, false
	for i, b := range list {
		keys := map[uint64]bool{}
		for _, r := range rows[min(header, len(rows)):min(b.last+1, len(rows))] {
			if len(r.kinds) < b.to || keys[r.texts[b.from]] || slices.Contains(r.kinds[b.from:b.to], kind.Empty) {
				return false
			}
			keys[r.texts[b.from]] = true
			codes = codes || r.kinds[b.from] != kind.Word
		}
		if len(keys) < bodyRecords || !b.isNamed(rows[header-1]) {
			return false
		}
		together = together && b.last == list[0].last
		again = again || i > 0 && rows[header-1].repeats(list[0].from, b.from)
	}
	return !together || !codes || again
}

// isNamed reports whether the record has a name for each column of the block.
func (b block) isNamed(r row) bool {
	for i := b.from; i < b.to; i++ {
		if i >= len(r.kinds) || r.kinds[i] != kind.Word {
			return false
		}
	}
	return true
}
