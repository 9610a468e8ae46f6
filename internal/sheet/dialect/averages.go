package dialect

import (
	"slices"
	"strings"
)

// everybody are parts of words for all that a table lists.
var everybody = []string{
	"class", "klasse", "clase", "třídy", "klasy", "overall", "all ", "gesamt", "alle ", "général", "generale", "group", "grupp", "grupo",
	"学年", "学級", "クラス", "全体", "班级", "全班", "年级", "반 ", "전체",
}

// isMeanOfAll reports whether the cell, which is an average of what it names, is one of all records: Class average, Overall mean. An
// average of anything else, such as a country's, may be a row.
func isMeanOfAll(cell []byte) bool {
	text := strings.ToLower(string(cell))
	return slices.ContainsFunc(everybody, func(word string) bool { return strings.Contains(text, word) })
}
