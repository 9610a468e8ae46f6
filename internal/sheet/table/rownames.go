package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
	"sheetdrop/internal/sheet/kind"
)

// namesRows reports whether the first row is a header that lacks a cell for the first column, as statistics programs write tables whose
// rows have names. All records must be one cell wider than the header and have unique names. A header that lost a delimiter looks the same,
// so it must be written as those programs do: with tabs or spaces, or with header and names in quotes. Commas do as well between numbers
// alone, if some have points: then no comma is part of one.
func namesRows(d dialect.Dialect, rows []row, width int) bool {
	if len(rows) <= evidence || width < narrow || width < rowNamesWidth && !rows[0].isNameOfVector() ||
		rows[0].width != width-1 || rows[0].broken || rows[0].filled < seen(width-1) {
		return false
	}
	last := func(r row) bool { return len(r.kinds) < width || r.kinds[width-1] != kind.Empty }
	if !slices.ContainsFunc(rows[1:], last) { // a delimiter stands behind the last cell
		return false
	}
	usual := width >= rowNamesWidth && (d.Delimiter == " " || d.Delimiter == "\t" || d.Delimiter == "," && namesNumbers(rows, width))
	names := textSet{}
	for i, r := range rows[1:] {
		switch {
		case r.blank || i == len(rows)-2 && r.width < width: // the last one may be truncated
			continue
		case r.broken || r.width != width || r.kinds[0] == kind.Empty || names.again(r.texts[0]) || !usual && !(r.quoted && rows[0].quoted):
			return false
		}
	}
	header := rows[0]
	header.kinds = append([]kind.Kind{kind.Empty}, header.kinds...)
	header.texts = append([]uint64{0}, header.texts...)
	body := columnKinds(rows[1:], width)
	return len(names) >= evidence && body.isHeader(header) && (width >= rowNamesWidth || body.kinds[width-1] == kind.Number)
}

// isNameOfVector reports whether the record is a word in quotes, as R writes it above the names and the values of a vector. Above texts it
// is rather a title.
//
//	"x"
//	"north",0.41
//	"south",0.22
func (r row) isNameOfVector() bool {
	return r.quoted && !r.blank && r.width == 1 && !r.prose && r.filled == 1 && r.kinds[0] <= kind.Word
}

// namesNumbers reports whether the header has nothing but words, or years, and each row a text or a day, and numbers behind it, some with
// points.
func namesNumbers(rows []row, width int) bool {
	named := onlyWords(rows[0]) || int(rows[0].years) == rows[0].filled && !rows[0].yearsApart
	if body := columnKinds(rows[1:], width); width <= rowNamesWidth || !named || body.kinds[0] == kind.Number {
		return false
	}
	points, numbers, others := 0, 0, 0
	for _, r := range rows[1:] {
		points += int(r.points)
		for _, k := range r.kinds[min(1, len(r.kinds)):] {
			switch k {
			case kind.Empty:
			case kind.Number:
				numbers++
			default:
				others++
			}
		}
	}
	return points > 0 && share(numbers, numbers+others) >= uniformRecords
}
