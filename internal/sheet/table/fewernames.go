package table

import "sheetdrop/internal/sheet/dialect"

// takeFewer takes the text's first line, right above the rows, for the header, if none was found: it names fewer columns than they have,
// half of them and three at least, two above values. The delimiter is none that splits numbers, as a comma does.
//
//	Day;Time;Temperatures
//	2024-01-31;10:00;16.31;20.50;18.62
//	2024-01-31;10:05;17.06;20.44;19.12
func (l *Layout) takeFewer(d dialect.Dialect, rows []row, start int, h Hints) {
	told := h.Header != nil || h.Preamble != nil || l.RowNames || l.Header > 0
	if told || l.grid || start == 0 || start == len(rows) || d.MayStandInNumbers() {
		return
	}
	for _, r := range rows[:start-1] {
		if !r.blank && !r.comment {
			return
		}
	}
	head, body := rows[start-1], columnKinds(rows[start:], l.Columns)
	same, other := body.compare(head)
	fewer := head.width < l.Columns && head.filled == head.width && head.filled >= columnsAbove && 2*head.filled >= l.Columns
	if !fewer || !onlyWords(head) || head.prose || head.colons > 0 || same > 0 || other < headerCells || !isUniform(rows[start:], l.Columns) {
		return
	}
	l.Preamble, l.Header = start-1, 1
}
