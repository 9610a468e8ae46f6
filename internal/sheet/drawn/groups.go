package drawn

import (
	"bytes"
	"slices"
)

// groupNames returns the name of a group for each of the columns with these names, "" for those without one, if the line is one of two
// groups or more, and the last columns have the same names, two or more, below each of them; otherwise nil.
//
//	        ----- 2023 -----  ----- 2024 -----
//	Branch  Orders   Revenue  Orders   Revenue
func groupNames(line []byte, names [][]byte) (columns [][]byte) {
	groups := apart(line)
	if len(groups) < 2 {
		return nil
	}
	for each := (len(names) - 1) / len(groups); each > 1; each-- {
		if own := len(names) - each*len(groups); comeAgain(names[own:], each) {
			columns = slices.Repeat([][]byte{nil}, own)
			for _, group := range groups {
				columns = append(columns, slices.Repeat([][]byte{group}, each)...)
			}
			return columns
		}
	}
	return nil
}

// apart returns the texts of a line that two blanks or more separate, without lines that are drawn around them.
func apart(line []byte) (texts [][]byte) {
	for text := range bytes.SplitSeq(line, []byte("  ")) {
		if text = bytes.Trim(text, " -=_<>|"); len(text) > 0 {
			texts = append(texts, text)
		}
	}
	return texts
}

// comeAgain reports whether each name is the one so many columns before, and none is empty.
func comeAgain(names [][]byte, each int) bool {
	for i, name := range names {
		if len(name) == 0 || i >= each && !bytes.Equal(name, names[i-each]) {
			return false
		}
	}
	return true
}

// takeGroups makes the line above the header a line of it, if it names groups of columns. Lines may be drawn between the two.
func (t *Table) takeGroups(lines [][]byte) {
	head, above := t.Preamble, t.Preamble-1
	for head < len(lines) && isRule(lines[head]) {
		head++
	}
	for above > 0 && isRule(lines[above]) {
		above--
	}
	if t.Nameless || t.RowNames || above < 0 || head >= len(lines) {
		return
	}
	names, _ := t.Split(nil, lines[head])
	if t.groups = groupNames(lines[above], names); t.groups != nil {
		t.groupLine, t.Preamble, t.Header = string(lines[above]), above, max(t.Header, 1)+1
	}
}

// underlinesGroups reports whether another line is drawn below the names that stand below the first of the lines, and has more parts.
func underlinesGroups(lines [][]byte) bool {
	return len(lines) > 2 && isRule(lines[2]) && len(bytes.Fields(lines[2])) > max(1, len(bytes.Fields(lines[0])))
}
