package drawn

import (
	"bytes"
	"slices"
)

// width returns how many columns of a text of fixed width a character takes: those of East Asia take two, as they have two
// bytes in the encodings from which such texts come.
func width(r rune) int {
	if r >= 0x1100 && (r < 0xFF61 || r > 0xFF9F) && (r < 0xFFE8 || r > 0xFFEE) && (r < 0x2000 || r > 0x2E7F) {
		return 2
	}
	return 1
}

// maxWidth is the width of lines that are looked at.
const maxWidth = 4096

// FindFixed returns the columns of a text of fixed width: those of the line that underlines its header, or those between
// which all lines are blank, from the line above one drawn line on if there is one, or below titles and a blank line,
// or those of the header alone.
// The lines are the text's first ones, and others are whole lines from further below. ok is false if the text is none.
func FindFixed(lines, others [][]byte) (t Table, ok bool) {
	all := lines
	pages, lines := findHeadings(lines)
	if t, ok = findFixed(lines, others); !ok && len(others) == 0 {
		t, ok = aboveClosing(lines)
	}
	for pages.first >= 0 && t.Preamble < len(lines) && len(bytes.TrimSpace(lines[t.Preamble])) == 0 {
		t.Preamble++
	}
	t.Header = max(t.Header, 1)
	if ok {
		t.takeGroups(lines)
	}
	t.headings = pages.of(all, t.Preamble)
	return t, ok
}

func findFixed(lines, others [][]byte) (t Table, ok bool) {
	for i, line := range lines[:min(len(lines), mostAbove)] {
		if !isRule(line) || bytes.ContainsAny(line, "|+") || underlinesGroups(lines[i:]) {
			continue
		}
		if bytes.Contains(bytes.TrimSpace(line), []byte(" ")) {
			return underlined(lines, i)
		}
		if i > 0 && len(bytes.TrimSpace(lines[i-1])) > 0 {
			if t, ok = betweenBlanks(append([][]byte{lines[i-1]}, lines[i+1:]...), others); ok {
				t.Preamble = i - 1
				return t, true
			}
		}
	}
	isTitle := len(lines) > leastLines && texts(lines[0]) == 1
	if isTitle && len(bytes.TrimSpace(lines[1])) == 0 {
		if t, ok = belowLines(lines, others, 2); ok {
			return t, true
		}
	}
	if t, ok = betweenBlanks(lines, others); ok {
		return t, true
	}
	for i, line := range lines[:min(len(lines), mostAbove)] {
		if texts(line) > titleTexts {
			break
		}
		ends := i == 0 && isTitle && len(bytes.TrimSpace(lines[1])) > 0 || i+1 < len(lines) && groupNames(line, apart(lines[i+1])) != nil
		if !ends && (i == 0 || len(bytes.TrimSpace(line)) > 0 || len(bytes.TrimSpace(lines[i-1])) == 0) {
			continue
		}
		if t, ok = belowLines(lines, others, i+1); ok {
			return t, true
		}
	}
	return byHeader(lines, others)
}

// belowLines returns the table below so many lines, if it has a header there.
func belowLines(lines, others [][]byte, n int) (t Table, ok bool) {
	t, ok = betweenBlanks(lines[n:], others)
	t.Preamble = n
	return t, ok && !t.Nameless
}

// aboveClosing returns the table above a blank line and a few last ones of the text, whatever their width.
func aboveClosing(lines [][]byte) (t Table, ok bool) {
	isEmpty := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	end := len(lines)
	for end > 0 && isEmpty(lines[end-1]) {
		end--
	}
	last := end
	for last > 0 && !isEmpty(lines[last-1]) {
		last--
	}
	if last <= leastLines || end-last > mostClosing {
		return Table{}, false
	}
	t, ok = findFixed(lines[:last-1], nil)
	t.Below = last + 1
	return t, ok
}

// texts counts the texts of a line that two blanks or more separate.
func texts(line []byte) (n int) {
	for text := range bytes.SplitSeq(line, []byte("  ")) {
		if len(bytes.TrimSpace(text)) > 0 {
			n++
		}
	}
	return n
}

// betweenBlanks returns the columns between which all lines but drawn ones are blank.
func betweenBlanks(lines, others [][]byte) (t Table, ok bool) {
	lines, others = withoutRules(lines), withoutRules(others)
	all := append(append([][]byte{}, lines...), others...)
	used, n, padded := make([]bool, maxWidth), 0, 0
	for _, line := range all {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if bytes.IndexByte(line, '\t') >= 0 || len(line) > maxWidth {
			return t, false
		}
		if bytes.Contains(bytes.TrimSpace(line), []byte("  ")) {
			padded++
		}
		n++
		mark(used, line)
	}
	if n < leastLines-1 || padded*2 < n {
		return t, false
	}
	t.starts = startsOf(used)
	if len(t.starts) > mostColumns || !t.nameColumns(lines) {
		return t, false
	}
	return t, t.Columns > 1 && t.isTable(lines)
}

// withoutRules returns the lines that are not drawn.
func withoutRules(lines [][]byte) [][]byte {
	return slices.DeleteFunc(slices.Clone(lines), isRule)
}

// nameColumns joins columns without a name to the one before: their texts happen to have blanks at the same place, and so has a name of
// two words above shorter texts. It reports whether each of the names is one.
func (t *Table) nameColumns(lines [][]byte) bool {
	first := slices.IndexFunc(lines, func(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 })
	if first < 0 {
		return false
	}
	names, _ := t.Split(nil, lines[first])
	if _, mark := uncommented(names[0]); mark != "" && mark == string(names[0]) && t.hasNothingBut(lines[first+1:], 0, mark) {
		return false // the names are a comment
	}
	starts, used := t.starts[:1], make([]bool, maxWidth)
	mark(used, lines[first])
	for i, name := range names {
		second := i > 0 && t.starts[i] > 1 && used[t.starts[i]-2] && t.hasNothingBut(lines[first+1:], i, "")
		if i > 0 && len(name) > 0 && !second {
			starts = append(starts, t.starts[i])
		}
		if bytes.Contains(name, []byte("  ")) {
			return false
		}
	}
	t.starts, t.Columns = starts, len(starts)
	return true
}

// hasNothingBut reports whether no line has another text in column i.
func (t *Table) hasNothingBut(lines [][]byte, i int, text string) bool {
	return !slices.ContainsFunc(lines, func(line []byte) bool {
		cells, _ := t.Split(nil, line)
		return len(cells[i]) > 0 && string(cells[i]) != text
	})
}

// underlined returns the table whose columns are those of a drawn line.
func underlined(lines [][]byte, at int) (t Table, ok bool) {
	used := make([]bool, maxWidth)
	mark(used, lines[at])
	t.starts = startsOf(used)
	t.Columns, t.underlined = len(t.starts), true
	t.widenLeft(used, lines[at+1:])
	header := at + 1 // a simple table of reStructuredText has a line above the header too
	if at > 0 && len(bytes.TrimSpace(lines[at-1])) > 0 {
		header = at - 1
		for t.Header = 1; header > 0 && t.Columns <= mostColumns && t.stacks(lines[header-1], lines[header]); t.Header++ {
			header--
		}
	}
	t.Preamble = header
	for t.Preamble > 0 && isRule(lines[t.Preamble-1]) {
		t.Preamble--
	}
	return t, t.Columns > 1 && t.Columns <= mostColumns && header+2 < len(lines)
}

// widenLeft lets columns begin where the numbers of the lines do, up to a blank one, which stand to the left of a line that underlines only
// the name: behind what is blank in all of them, between two drawn lines. underlined is where these are.
//
//	Name           Id
//	----           --
//	Long Name   14044
func (t *Table) widenLeft(underlined []bool, lines [][]byte) {
	if n := slices.IndexFunc(lines, func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }); n >= 0 {
		lines = lines[:n]
	}
	crosses := func(line []byte) bool {
		_, crossed := t.Split(nil, line)
		return crossed > 0
	}
	if t.Columns > mostColumns || !slices.ContainsFunc(lines, crosses) {
		return
	}
	used := slices.Clone(underlined)
	for _, line := range lines {
		mark(used, line)
	}
	starts := slices.Clone(t.starts)
	for i, start := range starts[1:] {
		first, best, run := starts[i], 0, 0
		for at := start - 1; at > first && !underlined[at]; at-- {
			if run++; used[at] {
				run = 0
			} else if run > best {
				best, t.starts[i+1] = run, at+run
			}
		}
	}
}

// mark marks where a line has characters.
func mark(used []bool, line []byte) {
	at := 0
	for _, r := range string(line) {
		w := width(r)
		if r != ' ' && r != '\u3000' && r != '\r' {
			for i := at; i < min(at+w, len(used)); i++ {
				used[i] = true
			}
		}
		at += w
	}
}

// startsOf returns where columns begin: behind each run of blanks. The first one begins at 0.
func startsOf(used []bool) []int {
	starts := []int{0}
	seen := false
	for i := 1; i < len(used); i++ {
		seen = seen || used[i-1]
		if used[i] && !used[i-1] && seen {
			starts = append(starts, i)
		}
	}
	return starts
}

// columnsOfRows returns between how many columns all lines below the header are blank, whatever the header says.
func (t *Table) columnsOfRows(lines, others [][]byte) int {
	used := make([]bool, maxWidth)
	for _, line := range slices.Concat(withoutRules(lines[min(t.Preamble+max(t.Header, 1), len(lines)):]), withoutRules(others)) {
		mark(used, line)
	}
	return len(startsOf(used))
}
