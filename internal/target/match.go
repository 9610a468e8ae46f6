package target

import (
	"slices"
	"strings"

	"sheetdrop/internal/sheet"
)

// The problems of a mapping.
var (
	ambiguous = sentence{"The headers %s all match the column %q; name the one that is meant.",
		"見出し%sがいずれも列「%s」に対応します。どれを使うか指定してください。"}
	unmatched = sentence{"No header matches the column %q, which is required.",
		"必須の列「%s」に対応する見出しがありません。"}
	unwanted = sentence{"The header %q matches no column, and the target refuses columns that it does not have.",
		"見出し「%s」に対応する列がありません。この取り込み先は余分な列を受け付けません。"}
	noHeader = sentence{"The mapping names the header %q, which the file does not have.",
		"対応付けにある見出し「%s」がファイルにありません。"}
	noColumn = sentence{"The mapping names the column %q, which the target does not have.",
		"対応付けにある列「%s」が取り込み先にありません。"}
)

// MatchHeaders says which column of a file goes into which column of the target. headers are the labels as they stand in
// the file; they may repeat or be empty. asked is the request's mapping by the unique names of sheet.ColumnNames, which for
// a label that occurs once is the label. remembered has earlier choices by their folded headers. The first of these rules
// that finds exactly one free column decides: asked, remembered, the column's name or label as it stands, the same
// folded, a synonym folded. A column that two headers reach by the same rule is left to neither.
//
// Any problem means that the file cannot be loaded. The result depends on the arguments alone.
func MatchHeaders(def Definition, headers []string, asked, remembered map[string]Choice) (Mapping, []Problem) {
	m := newMatcher(def, headers)
	m.choose(ByRequest, m.asked(asked))
	m.choose(ByChoice, m.remembered(remembered))
	m.match(ByName, strings.TrimSpace, func(c Column) []string { return []string{c.Name, c.Label} })
	m.match(ByFolded, Fold, func(c Column) []string { return []string{c.Name, c.Label} })
	m.match(BySynonym, Fold, func(c Column) []string { return c.Synonyms })
	m.suggest()
	return m.result(), m.problems(asked)
}

// matcher is a matching in progress.
type matcher struct {
	def     Definition
	headers []string
	names   []string       // of the headers, unique
	number  map[string]int // of the columns, by name

	found   []Match
	decided []bool // by header
	taken   []bool // by column: matched, or ambiguous
	doubts  []doubt
}

// doubt is a column that several headers reach by the same rule.
type doubt struct {
	column  int
	headers []int
}

func newMatcher(def Definition, headers []string) *matcher {
	m := &matcher{
		def: def, headers: headers, names: sheet.ColumnNames(headers), number: make(map[string]int, len(def.Columns)),
		found: make([]Match, len(headers)), decided: make([]bool, len(headers)), taken: make([]bool, len(def.Columns)),
	}
	for i, header := range headers {
		m.found[i] = Match{Header: header, ColumnNo: i + 1}
	}
	for i, c := range def.Columns {
		m.number[c.Name] = i
	}
	return m
}

// asked returns the request's choice for each header.
func (m *matcher) asked(choices map[string]Choice) func(header int) (Choice, bool) {
	return func(header int) (Choice, bool) {
		choice, ok := choices[m.names[header]]
		if !ok && strings.TrimSpace(m.headers[header]) == m.names[header] {
			choice, ok = choices[m.headers[header]]
		}
		return choice, ok
	}
}

// remembered returns the earlier choice for each header. A repeated header without a choice of its own has that of the
// label, so that a choice for the only one of its label does not decide between two.
func (m *matcher) remembered(choices map[string]Choice) func(header int) (Choice, bool) {
	return func(header int) (Choice, bool) {
		choice, ok := choices[Fold(m.names[header])]
		if !ok {
			choice, ok = choices[Fold(m.headers[header])]
		}
		return choice, ok
	}
}

// choose applies what somebody has chosen. A choice of a column that is not there, or is taken, says nothing.
func (m *matcher) choose(rule Rule, choiceOf func(header int) (Choice, bool)) {
	claims := make(map[int][]int)
	formats := make(map[int]string)
	for h := range m.headers {
		choice, ok := choiceOf(h)
		if !ok || m.decided[h] {
			continue
		}
		if choice.Column == "" {
			m.found[h].Rule, m.decided[h] = rule, true
			continue
		}
		if c, ok := m.number[choice.Column]; ok && !m.taken[c] {
			claims[c], formats[h] = append(claims[c], h), choice.Format
		}
	}
	m.settle(rule, claims, formats)
}

// match applies a rule about the texts of a column.
func (m *matcher) match(rule Rule, form func(string) string, textsOf func(Column) []string) {
	columns := make(map[string][]int)
	for i, c := range m.def.Columns {
		for _, text := range textsOf(c) {
			if text = form(text); text != "" && !m.taken[i] && !slices.Contains(columns[text], i) {
				columns[text] = append(columns[text], i)
			}
		}
	}
	claims := make(map[int][]int)
	for h, header := range m.headers {
		if reached := columns[form(header)]; len(reached) == 1 && !m.decided[h] {
			claims[reached[0]] = append(claims[reached[0]], h)
		}
	}
	m.settle(rule, claims, nil)
}

// settle assigns the columns that one header claims, and leaves those that several claim to none.
func (m *matcher) settle(rule Rule, claims map[int][]int, formats map[int]string) {
	for c, headers := range claims {
		m.taken[c] = true
		for _, h := range headers {
			m.decided[h] = true
		}
		if len(headers) > 1 {
			m.doubts = append(m.doubts, doubt{c, headers})
			continue
		}
		found := &m.found[headers[0]]
		found.Rule, found.Column, found.Format = rule, m.def.Columns[c].Name, formats[headers[0]]
		if found.Format == "" {
			found.Format = m.def.Columns[c].Format
		}
	}
}

func (m *matcher) result() Mapping {
	matched := make(map[string]bool, len(m.found))
	for _, f := range m.found {
		matched[f.Column] = true
	}
	mapping := Mapping{Columns: m.found}
	for _, c := range m.def.Columns {
		if !matched[c.Name] {
			mapping.Missing = append(mapping.Missing, c.Name)
		}
	}
	return mapping
}
