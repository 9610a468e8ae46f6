package target

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// shownHeaders is how many headers a message lists.
const shownHeaders = 10

// problems returns why the file cannot be loaded as it was matched, ambiguous columns first.
func (m *matcher) problems(asked map[string]Choice) (all []Problem) {
	slices.SortFunc(m.doubts, func(a, b doubt) int { return cmp.Compare(a.column, b.column) })
	unclear := make(map[int]bool)
	for _, d := range m.doubts {
		unclear[d.column] = true
		all = append(all, ambiguous.with(AmbiguousHeader, m.listed(d.headers), m.def.Columns[d.column].Name))
	}
	all = append(all, m.unknown(asked)...)
	for i, c := range m.def.Columns {
		if !m.taken[i] && m.needs(c) {
			all = append(all, unmatched.with(MappingNeeded, c.Name))
		}
	}
	for h, header := range m.headers {
		if m.def.Extra == RefuseExtra && !m.decided[h] {
			all = append(all, unwanted.with(MappingNeeded, header))
		}
	}
	return all
}

// unknown returns the headers and columns of the request's mapping that do not exist.
func (m *matcher) unknown(asked map[string]Choice) (all []Problem) {
	known := make(map[string]bool, 2*len(m.headers))
	for h, name := range m.names {
		known[name], known[m.headers[h]] = true, true
	}
	for _, header := range slices.Sorted(maps.Keys(asked)) {
		if !known[header] {
			all = append(all, noHeader.with(MappingNeeded, header))
		}
		if column := asked[header].Column; column != "" {
			if _, ok := m.number[column]; !ok {
				all = append(all, noColumn.with(MappingNeeded, column))
			}
		}
	}
	return all
}

// needs reports whether a column must have a header: no default can stand for a row's key.
func (m *matcher) needs(c Column) bool {
	return c.Required && (c.Default == nil || slices.Contains(m.def.Key, c.Name))
}

// listed formats headers for a message, by their unique names.
func (m *matcher) listed(headers []int) string {
	var texts []string
	for _, h := range headers[:min(len(headers), shownHeaders)] {
		texts = append(texts, strconv.Quote(m.names[h]))
	}
	if len(headers) > shownHeaders {
		texts = append(texts, "…")
	}
	return strings.Join(texts, ", ")
}
