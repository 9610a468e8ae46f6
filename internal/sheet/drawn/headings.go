package drawn

import (
	"bytes"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// page is what the heading of a printed page ends with.
var page = regexp.MustCompile(`(?i)(^|\s)(page|seite|p\S{1,2}gina|p\S{1,2}g\.?|side|sida|sivu|strona|strana|страница|стр\.|pg\.?)[\s:#]*\d{1,5}(\s*(of|von|de|di|van|af|av|z|из|/)\s*\d{1,5})?\s*$`)

// digits are what may differ between headings of pages.
var digits = regexp.MustCompile(`\d+`)

// headings are the lines that each printed page of a text begins with. The first of them, with which the text begins, ends with the number
// of the page, and all are the same on each page but for their numbers.
//
//	RUN DATE 03/02/25      MEMBER LIST           PAGE 1
//	BRANCH 0012
type headings struct {
	first int // the line with the first page's number; -1 if there is none
	like  int // lines from that on that come again on each page, such as titles, the header and blank lines
}

// findHeadings returns the headings and the lines without them: with blank ones in place of the first one of each page, and of all that
// come again on a later one.
func findHeadings(lines [][]byte) (h headings, left [][]byte) {
	h.first = slices.IndexFunc(lines, func(line []byte) bool { return len(bytes.TrimSpace(line)) > 0 })
	if h.first < 0 || !page.Match(lines[h.first]) {
		return headings{first: -1}, lines
	}
	left = slices.Clone(lines)
	pages := []int{}
	for i, line := range lines {
		if page.Match(line) && withoutNumbers(line) == withoutNumbers(lines[h.first]) {
			if n := len(pages); n > 0 && i-pages[n-1] <= leastLines { // as each line of a table may
				return headings{first: -1}, lines
			}
			pages, left[i] = append(pages, i), nil
		}
	}
	h.like = 1
	for len(pages) > 1 && h.like <= mostAbove && !slices.ContainsFunc(pages[1:], func(at int) bool {
		return at+h.like >= len(lines) || withoutNumbers(lines[at+h.like]) != withoutNumbers(lines[h.first+h.like])
	}) {
		for _, at := range pages[1:] {
			left[at+h.like] = nil
		}
		h.like++
	}
	return h, left
}

// of returns the headings without their numbers: those of the lines above the header.
func (h headings) of(lines [][]byte, header int) (list []string) {
	for i := h.first; i >= 0 && i < min(h.first+h.like, header, len(lines)); i++ {
		if text := withoutNumbers(lines[i]); bytes.ContainsFunc(lines[i], unicode.IsLetter) {
			list = append(list, text)
		}
	}
	return list
}

// withoutNumbers returns a line with one sign for each of its numbers, one blank for each run of them, and nothing beyond ASCII, which the
// file may have in another encoding.
func withoutNumbers(line []byte) string {
	ascii := bytes.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return -1
		}
		return r
	}, line)
	return string(digits.ReplaceAll(bytes.Join(bytes.Fields(ascii), []byte(" ")), []byte("0")))
}

// isHeading reports whether a line is one of those that each printed page begins with.
func (t *Table) isHeading(line []byte) bool {
	return len(t.headings) > 0 && slices.Contains(t.headings, withoutNumbers(line))
}

// stacks reports whether a line right above the lower one has the first words of its names: it has two texts or more, each above one
// column, no number, and a text for each column that the lower one has no name for, and stands above no name without one behind another.
//
//	ITEM  DESCRIPTION    ON HAND    UNIT
//	NO.                      QTY   PRICE
//	----  -----------    -------  ------
func (t *Table) stacks(upper, lower []byte) bool {
	above, crossed := t.Split(nil, upper)
	names, crosses := t.Split(nil, lower)
	if crossed+crosses > 0 || len(above) != len(names) || isRule(upper) || page.Match(upper) {
		return false
	}
	n, begun := 0, false
	for i, cell := range above {
		switch {
		case isValue(cell) || bytes.Contains(cell, []byte("  ")):
			return false
		case len(cell) > 0:
			n, begun = n+1, true
		case begun || len(names[i]) == 0:
			return false
		}
	}
	return n > 1
}
