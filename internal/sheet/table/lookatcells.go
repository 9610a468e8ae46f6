package table

import (
	"bytes"
	"slices"
	"unicode"

	"sheetdrop/internal/sheet/kind"
	"sheetdrop/internal/sheet/words"
)

// look records what cell i shows.
func (r *row) look(i int, cell []byte, y *years) {
	r.kinds[i], r.texts[i] = kind.Of(cell), hash(cell)
	if i == 0 {
		r.key = int32(len(cell))
		r.outline, r.outer = outlineOf(cell)
		r.series = seriesOf(cell)
		r.keyless = r.kinds[0] == kind.Empty && bytes.ContainsFunc(cell, unicode.IsLetter)
	}
	if len(cell) == 0 {
		return
	}
	r.legend = 0
	if r.filled++; r.filled == 1 {
		r.lookAtFirst(i, cell)
	}
	if i == 1 && r.filled == listCells && r.kinds[0] == kind.Number {
		r.countsRecords = words.IsOfRecords(cell)
	}
	r.survey = (r.survey || r.filled == 1) && words.IsImportID(cell)
	if i == 0 {
		r.setting = cell[len(cell)-1] == ':' || cell[len(cell)-1] == '='
	}
	r.lookForMarks(i, cell)
	if cell[len(cell)-1] == ':' {
		r.colons++
	} else if !r.paired && r.filled <= groupNames {
		r.paired = bytes.Contains(cell, []byte(": ")) || bytes.Contains(cell, []byte("："))
	}
	r.explains = r.explains && r.kinds[i] != kind.Number && r.kinds[i] != kind.Moment && words.Explained(cell) != nil
	if r.kinds[i] == kind.Number {
		r.countSigns(cell)
	}
	if r.kinds[i] == kind.Word {
		r.lookForSum(i, cell)
		if i > r.filled && r.kinds[0] == kind.Moment { // behind gaps
			r.opens, r.closes = r.opens || words.OpensAccount(cell), r.closes || words.ClosesAccount(cell)
		}
		if r.line <= hintLines && words.IsHint(cell) {
			r.hints++
		}
	}
	y.add(cell)
}

// lookForMarks records whether cell i, which is not empty, is as all cells of a line are that is no row: drawn, to be filled in, in
// brackets or the like.
func (r *row) lookForMarks(i int, cell []byte) {
	line, first := words.IsRuler(cell), r.filled == 1
	r.ruled, r.long = r.ruled && (line || words.IsStroke(cell)), r.long && !first || line
	r.marks = r.marks && words.IsColumnMark(cell)
	r.types = r.types && (words.IsTypeName(cell) || i == 0 && cell[0] == '#') // #q2:types
	r.toFillIn = (r.toFillIn || first) && words.IsToFill(cell)
	r.bracketed = (r.bracketed || first) && words.IsBracketed(cell)
	r.writeOn = r.writeOn || i > 0 && words.IsWriteLine(cell)
	r.unit = r.unit || r.filled <= unitCells && words.IsUnit(cell)
}

// lookAtFirst records what the first cell that is not empty, cell i, shows of the whole record.
func (r *row) lookAtFirst(i int, cell []byte) {
	r.note = words.IsNote(cell)
	r.prose = r.note || words.IsProse(cell)
	r.keyed = bytes.Contains(cell, []byte(": ")) || bytes.Contains(cell, []byte("："))
	r.sentence = r.prose && words.IsSentence(cell)
	r.item = r.prose && words.IsItem(cell)
	r.numberedNote = r.sentence && words.IsNumberedNote(cell)
	if text := words.Explained(cell); text != nil {
		r.legend = hash(text)
	}
	r.ruled, r.types, r.marks, r.explains = true, true, true, true
	if k := r.kinds[i]; k != kind.Number && k != kind.Moment {
		r.lookForLabel(i, cell)
	}
}

// lookForLabel records what the first text that is not empty, cell i, says of its record: what it sums up, or the like.
func (r *row) lookForLabel(i int, cell []byte) {
	r.totalMore = words.IsTotalOf(cell)
	r.total = r.totalMore || words.IsTotalIn(cell)
	r.totalFirst = r.total
	r.subtotal, r.partTotal, r.mean = words.IsSubtotal(cell), words.IsPartTotal(cell), words.IsMean(cell)
	part := words.TitledPart(cell)
	if r.partTotal {
		r.kinds[i], part = kind.Word, words.PartOf(cell) // which looks like a code in 第1週計
	}
	if i == 0 {
		r.part = hash(bytes.ToLower(part))
	}
	r.extreme, r.meanOf, r.counting = words.IsExtreme(cell), words.IsMeanOf(cell), words.IsCounting(cell)
	r.meanOfAll = r.meanOf && words.IsMeanOfAll(cell)
	r.result, r.extra = i == 0 && words.IsResultName(cell), i > 0 && words.IsExtra(cell)
	r.ofWhich = i == 0 && words.IsOfWhich(cell)
	r.reachable = i == 0 && words.IsReachable(cell)
	r.limit = r.reachable || i == 0 && words.IsLimit(cell)
	r.opens, r.closes = words.OpensAccount(cell), words.ClosesAccount(cell)
	r.namesBalance = r.kinds[i] == kind.Word && words.IsBalance(cell)
}

// lookForSum records whether cell i, a text that is not empty, is a word for a sum.
func (r *row) lookForSum(i int, cell []byte) {
	total, subtotal := words.ReadSumWord(cell)
	if r.filled > 1 && r.sumAt == 0 && (total || subtotal) {
		r.sumAt = uint16(i) // of maxColumns at most
	}
	if total {
		r.total = true
		if r.totalFirst = r.totalFirst || r.filled == 1; r.filled > 1 {
			r.sumBehind = true
		}
	}
}

// lookAtAll records what the cells show together, after each of them was looked at; cell returns one of them. balanceFirst says that the
// name of a balance may stand in the first cell, and its value behind it.
func (r *row) lookAtAll(cell func(i int) []byte, y *years, balanceFirst bool) {
	r.yearish, r.calendar = int32(y.n), int32(y.ours)
	years, apart := y.rise(r.numbers())
	r.years, r.yearsApart = int32(years), apart
	named := len(r.kinds)
	for named > 0 && r.kinds[named-1] == kind.Empty { // behind a last delimiter
		named--
	}
	r.steps = stepsOf(r.kinds[:named], cell)
	if r.filled == listCells && len(r.kinds) > narrow {
		name := slices.Index(r.kinds, kind.Word)
		if name > 0 && r.kinds[0] == kind.Empty || balanceFirst && name == 0 && slices.Contains(r.kinds, kind.Number) {
			r.onlyBalance = words.IsBalance(cell(name))
		}
	}
	if r.filled == 1 {
		only := 0
		for only < len(r.kinds) && len(bytes.TrimSpace(cell(only))) == 0 {
			only++
		}
		text := bytes.TrimSpace(cell(only))
		r.page, r.pageOfPages = words.IsPageLine(text), words.IsPageOfPages(text)
	}
}

// countSigns counts the numbers with a point, or a comma before cents, and those with a percent sign.
func (r *row) countSigns(cell []byte) {
	if cents := len(cell) - len(",00"); bytes.IndexByte(cell, '.') >= 0 || cents > 0 && cell[cents] == ',' {
		r.points++
	}
	if cell[len(cell)-1] == '%' {
		r.percents++
	}
}
