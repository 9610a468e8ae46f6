package table

import (
	"slices"

	"sheetdrop/internal/sheet/dialect"
)

// setComments finds the lines at the text's beginning that are comments, all with the same mark, and rules them out as records of the
// table. The last one stays if it may name the columns:
//
//	# station 4401
//	# time,air,soil
//	2024-01-01T00:00,1.2,4.4
//
// Where blanks are the delimiter, the mark is a cell of its own, before as many words as there are columns.
func setComments(rows []row, columns int) {
	end := endOfComments(rows)
	if end == 0 || columns == 1 && !areRemarks(rows[:end]) {
		return
	}
	last := end - 1
	for rows[last].blank {
		last--
	}
	if columns == 1 {
		setBroken(rows[:last+1])
		return
	}
	same, other := columnKinds(rows[end+1:], columns).compare(rows[end])
	if names := nameComment(rows[:last+1], columns); names >= 0 && same > 0 && columnKinds(rows[end:], columns).isNamedBy(rows[names]) {
		setBroken(rows[:names])
		setBroken(rows[names+1 : last+1])
		return
	}
	alone := rows[last].width > 0 && len(rows[last].texts) > 0 && rows[last].texts[0] == hash([]byte(rows[last].mark))
	named := !rows[last].isNamedValue()
	if named && (same > 0 || other == 0) && (!alone || rows[last].width <= columns || rows[last].isMarked(columns)) { // no header follows
		last--
		if last >= 0 && rows[last+1].hasUnitsOf(rows[last], columns) {
			last--
		}
	}
	setBroken(rows[:last+1])
}

// hasUnitsOf reports whether the comment has a word for each column, one of them twice, and so has the one above, each of them another: it
// has the units of these names.
//
//	# day,air,soil
//	# utc,°C,°C
func (r row) hasUnitsOf(names row, columns int) bool {
	return r.namesAllOf(columns) && names.namesAllOf(columns) && hasEachTextOnce(names) && !hasEachTextOnce(r)
}

// nameComment returns the index of the comment that names the columns, where the last ones, of a cell each, say something else; -1 if none
// does:
//
//	# depth of the lake
//	# day,depth [m]
//	# measured by hand
//	2024-05-01,4.15
func nameComment(comments []row, columns int) int {
	for i, r := range slices.Backward(comments) {
		switch {
		case r.blank || r.width == 1 && i+1 > len(comments)-followersSeen || r.types && r.filled >= leastNumbered && i > 0:
		case i+1 == len(comments) || r.width != columns || r.filled != columns || r.isNamedValue() || r.colons > 0 || !onlyWords(r) || r.sentence:
			return -1
		default:
			return i
		}
	}
	return -1
}

// isMarked reports whether the record is the mark of a comment and a name for each column behind it.
func (r row) isMarked(columns int) bool {
	return r.mark != "" && r.width == columns+1 && len(r.texts) == r.width && r.texts[0] == hash([]byte(r.mark)) &&
		r.isWithoutValues()
}

// isCommentAmong reports whether the header begins with a mark as comments among the rows do.
func (l Layout) isCommentAmong(head row, rows []row) bool {
	return head.mark != "" && slices.ContainsFunc(rows, func(r row) bool { return r.mark == head.mark && (r.comment || r.width < l.Columns) })
}

// setBroken rules records out that are comments.
func setBroken(rows []row) {
	for i := range rows {
		rows[i].comment = true
		rows[i].broken = true
	}
}

// isNamedValue reports whether the record is the name of a setting, which ends with a sign, and its value: #Acquired=,16.12.2019 09:57:07.
func (r row) isNamedValue() bool { return r.setting && r.width == listCells }

// areRemarks reports whether all comments above a single column have a blank behind a #: #1 may be a value.
func areRemarks(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return !r.blank && !r.remark })
}

// endOfComments returns how many records, with blank ones between and behind them, the text begins with that are comments of one kind; 0 if
// nothing else follows.
func endOfComments(rows []row) int {
	first := pastBlank(rows, 0)
	if first == len(rows) || rows[first].mark == "" {
		return 0
	}
	end := first
	for end < len(rows) && (rows[end].blank || rows[end].mark == rows[first].mark) {
		end++
	}
	if end == len(rows) {
		return 0
	}
	return end
}

// commentMark returns the mark of comments among the rows, below the records that stand above the table; "" if none is there. Lines that
// begin with it have too few cells for the table, or no values where it has some. Marks other than #, // and ; begin texts and numbers as
// well, so a line above the table must begin with it too.
func (c columns) commentMark(above, rows []row) (found string) {
	first := "" // the mark of the text's first record, if it stands above the table
	if i := pastBlank(above, 0); i < len(above) {
		first = above[i].mark
	}
	if len(above)+len(rows) >= headRows { // there may be some further below
		found = first
	}
	for i := range rows {
		switch r := &rows[i]; {
		case r.mark == "" || r.mark != "#" && r.mark != "//" && r.mark != ";" && r.mark != first:
		case !c.isComment(*r):
			return ""
		case r.width > 0:
			found = r.mark
		}
	}
	return found
}

// isComment reports whether a record that begins with a mark is a comment, and no record of the table.
func (c columns) isComment(r row) bool {
	return r.width < c.width || r.width == c.width && c.isUnlike(r)
}

// use fills in what the hints leave open about a log.
func (h *Hints) use(log dialect.Log) {
	h.log = true
	if h.Delimiter == nil {
		h.Delimiter = &log.Delimiter
	}
	if h.areOpen() {
		h.Preamble, h.Header = &log.Above, new(1)
	}
}

// setDirectives marks the lines of a log that begin with # and are no records of it.
func setDirectives(rows []row) {
	for i := range rows {
		rows[i].broken = rows[i].broken || rows[i].mark == "#"
	}
}
