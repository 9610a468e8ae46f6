package dialect

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// namesGroupsOf reports whether the record names groups of columns that the next one names: all of its names are words, and this
// record has names for so few columns that it is no header alone; or the next one has years, and below it are none. rows are those below.
//
//	Contact,,Address,,          town,people,,homes,
//	first,last,street,town,zip  ,2014,2020,2014,2020
func (r row) namesGroupsOf(next row, rows []row, width int) bool {
	if next.blank || next.broken || next.width != width || r.width != width || !r.groups([]row{next}, width) || r.isReplaced(next, rows) {
		return false
	}
	if next.calendar >= fewYears && next.numbers() == int(next.calendar) {
		return len(rows) > 0 && rows[0].numbers() > int(rows[0].yearish)
	}
	if r.comeAgain(next) && columnKinds(rows, width).n >= bodyRecords && isFilled(rows) {
		return true
	}
	groups, below := 0, 0
	for i := range next.kinds {
		switch {
		case next.kinds[i] != empty:
			below++
			if r.kinds[i] != empty {
				groups++
			}
		case r.kinds[i] == empty:
			return false
		}
	}
	if !onlyWords(next) {
		return false
	}
	body := columnKinds(rows, width)
	body.rows = rows
	if next.kinds[0] == empty && slices.Equal(body.usual(rows)[:1], []bool{true}) { // and so it is none of the rows
		return body.n >= bodyRecords && (share(groups, below) <= groupsNamed || next.answersOf(r, body))
	}
	if share(groups, below) > groupsNamed {
		return false
	}
	for i, text := range next.texts {
		if again, _ := body.holds(i, text, next); again {
			return false
		}
	}
	return body.n >= bodyRecords
}

// isReplaced reports whether the header comes again below a record with other texts in the same columns: both are titles of parts.
//
//	A/C: BARK,,Bark Timber,
//	No,   Day,     Details,Open
//	71,   04/01/24,Boards, 240.00
//	A/C: KNOB,,Knobs & Co,
//	No,   Day,     Details,Open
func (r row) isReplaced(head row, rows []row) bool {
	for i := 1; i < len(rows); i++ {
		if sameTexts(rows[i], head) && !rows[i-1].blank && sameShape(rows[i-1], r) && !sameTexts(rows[i-1], r) {
			return true
		}
	}
	return false
}

// answersOf reports whether the record has nothing in its first cells, which all rows have and the record above names, a text in each other
// one, and one group of three or more below one name, or of two that are the only texts of their columns: the answers to a question, beside
// questions that have one.
//
//	Id,Day,    Rating,  Used,,,           Remarks
//	,  ,       Response,Mail,Phone,Chat,  Open text
//	81,2024-01-03,Good, Mail,,Chat,
func (r row) answersOf(above row, body columns) bool {
	first := 0
	for first < len(r.kinds) && r.kinds[first] == empty {
		first++
	}
	if first == 0 || first+r.filled != r.width || body.n < evidence || !isFilled(body.rows) || slices.Contains(above.kinds[:first], empty) {
		return false
	}
	run, longest, said := 0, 0, 0
	for i, k := range above.kinds[first:] {
		if run++; k != empty {
			run, said = 1, 0
		}
		if longest = max(longest, run); body.saysOnly(first+i, r.texts[first+i]) {
			said++
		}
		if said >= narrow {
			return true
		}
	}
	return longest > narrow
}

// saysOnly reports whether one of the rows has this text in the column, and none has another one.
func (c columns) saysOnly(column int, text uint64) bool {
	found := false
	for _, b := range c.rows {
		switch {
		case b.blank || column >= len(b.kinds) || b.kinds[column] == empty:
		case b.texts[column] != text:
			return false
		default:
			found = true
		}
	}
	return found
}

// joinGroups removes the blank records between names of groups and the names of the columns that come again below each of them, so that
// both are the header.
//
//	,       Men,,  Women,
//	,       ,   ,  ,
//	Council,2011,2022,2011,2022
func joinGroups(rows []row, width int) []row {
	for i, r := range rows[:min(len(rows), maxPadded)] {
		if r.blank || r.broken || r.width != width || r.filled < groupNames || !onlyWords(r) {
			continue
		}
		next := i + 1
		for next < len(rows) && next <= i+maxTitles && rows[next].blank {
			next++
		}
		if next == i+1 || next >= len(rows) || rows[next].width != width || !r.comeAgain(rows[next]) {
			continue
		}
		below := next + 1
		for below < len(rows) && rows[below].blank {
			below++
		}
		if columnKinds(rows[below:], width).n < bodyRecords {
			return rows
		}
		return slices.Concat(rows[:i+1], rows[next:next+1], rows[below:])
	}
	return rows
}

// comeAgain reports whether the next record has the same texts below each of the record's names, of which each stands above two or more.
// One of the two lacks the first cell.
//
//	year,North,,South,       ,       2023,2023,2024,2024
//	,    0,    1,0,  1       Station,1,   7,   1,   7
func (r row) comeAgain(next row) bool {
	named := r.kinds[0] == empty && next.kinds[0] == word && next.filled == next.width
	if len(next.texts) != next.width || !named && (next.kinds[0] != empty || next.filled != next.width-1) {
		return false
	}
	var starts []int
	for i := 1; i < len(r.kinds); i++ {
		if r.kinds[i] != empty && r.texts[i] != r.texts[i-1] {
			starts = append(starts, i)
		}
	}
	if len(starts) < groupNames || starts[0] != 1 {
		return false
	}
	span := starts[1] - 1
	for i, start := range append(starts, next.width)[1:] {
		if start-starts[i] != span {
			return false
		}
	}
	for i, text := range next.texts[1:] {
		if text != next.texts[1+i%span] {
			return false
		}
	}
	return span >= narrow && next.texts[1] != next.texts[2]
}

// leavesOut reports whether the record has nothing above a group that the next one has between two columns where it has a name: that is
// rather a title with the day of the table. The cells of groups have their names.
//
//	Leeds,Leeds,      ,     ,May 2020,May 2020
//	Ward, All,  Sex,  Sex,  Trade,   Trade
//	,     ,     women,men,  shops,   farms
func (r row) leavesOut(next row) bool {
	named := false
	for i := range min(len(r.kinds), len(next.kinds)) {
		if named = named || r.kinds[i] != empty; !named || r.kinds[i] != empty || next.kinds[i] == empty {
			continue
		}
		group := i + 1
		for group < min(len(r.kinds), len(next.kinds)) && r.kinds[group] == empty && next.texts[group] == next.texts[i] {
			group++
		}
		if group > i+1 && group < len(r.kinds) && r.kinds[group] != empty {
			return true
		}
	}
	return false
}

// numbers counts the record's numbers; a record that has dates or times as well counts as none.
func (r row) numbers() int {
	n := 0
	for _, k := range r.kinds {
		switch k {
		case number:
			n++
		case moment:
			return 0
		}
	}
	return n
}

// numbersColumns reports whether the record has the numbers of the columns, 1 and following, where some column has no number otherwise:
// forms of authorities have such a line below their header.
func (c columns) numbersColumns(r row) bool {
	if r.blank || r.broken || r.width != c.width || r.width < leastNumbered || !isCount(r) && !isLettered(r) || c.n < evidence {
		return false
	}
	for i, k := range c.kinds {
		if k == number {
			continue
		}
		others := 0
		for _, b := range c.rows {
			if i < len(b.kinds) && b.kinds[i] == number && !sameTexts(b, r) {
				others++
			}
		}
		if others == 0 {
			return true
		}
	}
	return false
}

// isCounted reports whether the record numbers the columns behind the first one, which has texts, as the plates of laboratories do: 1, 2, 3
// and so on. The first one has no name, or there are names behind the numbers, too, above values.
//
//	,  1,    2,    3          Player,1,2,3,Points
//	A, 0.112,0.093,1.201      Lee,   ,1,0,1.0
func (c columns) isCounted(r row) bool {
	if len(r.texts) <= leastNumbered || len(r.texts) != len(c.kinds) || r.kinds[0] > word {
		return false
	}
	if (r.kinds[0] == word || r.kinds[1] == word) && c.isCountedBehind(r) {
		return true
	}
	if !isFilled(without(c.rows, r)) {
		return false
	}
	if c.kinds[0] != word { // numbers or days, which nobody has named
		return r.kinds[0] == empty && c.isCountedBehind(r)
	}
	n := 1 + countsFrom(r, 1)
	for i, k := range r.kinds[n:] {
		if k != word || c.kinds[n+i] <= word {
			return false
		}
	}
	return n > leastNumbered && (n < len(r.texts) || r.kinds[0] == empty)
}

// isCountedBehind reports whether the record numbers the last columns, behind names of the others, as no record below does.
//
//	Plate,Temp,1,    2,    3,    4
//	A,    23.5,0.112,0.093,1.201,0.950
func (c columns) isCountedBehind(r row) bool {
	first := slices.IndexFunc(r.kinds, func(k kind) bool { return k > word })
	if first < 0 || len(r.texts)-first <= leastNumbered || countsFrom(r, first) < len(r.texts)-first {
		return false
	}
	return !slices.ContainsFunc(c.rows, func(other row) bool {
		return len(other.texts) == len(r.texts) && countsFrom(other, first) > 1 && !sameTexts(other, r)
	})
}

// countsFrom returns how many cells from the first-th on are 1, 2, 3 and so on, or 0, 1, 2.
func countsFrom(r row, first int) (n int) {
	least := 1
	if first < len(r.texts) && r.texts[first] == hash([]byte("0")) {
		least = 0
	}
	for first+n < len(r.texts) && r.texts[first+n] == hash(strconv.AppendInt(nil, int64(n+least), 10)) {
		n++
	}
	return n
}

// isFilled reports whether all rows have a first cell.
func isFilled(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return !r.blank && len(r.kinds) > 0 && r.kinds[0] == empty })
}

// isColumnMark reports whether the cell is a letter, a number of two digits at most, or begins with one and says how it is computed: 3=1x2.
func isColumnMark(cell []byte) bool {
	digits := 0
	for digits < len(cell) && cell[digits] >= '0' && cell[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		return digits <= 2 && (digits == len(cell) || cell[digits] == '=' || cell[digits] == ' ' && cell[digits+1] == '=')
	}
	r, size := utf8.DecodeRune(cell)
	return size == len(cell) && unicode.IsUpper(r)
}

// isLettered reports whether the record has a letter for each column of names, and numbers from 1 on for the others.
//
//	A,B,1,2,3=1x2
func isLettered(r row) bool {
	if !r.marks || r.filled != len(r.kinds) || r.kinds[0] != word {
		return false
	}
	n := 0
	for i, text := range r.texts {
		switch {
		case text == hash(strconv.AppendInt(nil, int64(n+1), 10)):
			n++
		case r.kinds[i] == number:
			return false
		}
	}
	return n > 1
}

// isCount reports whether the record's cells are 1, 2, 3 and so on, or (1), (2), (3).
func isCount(r row) bool {
	for i, text := range r.texts {
		no := strconv.AppendInt([]byte("("), int64(i+1), 10)
		if text != hash(no[1:]) && text != hash(append(no, ')')) {
			return false
		}
	}
	return len(r.texts) > 0
}
