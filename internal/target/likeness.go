package target

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The limits of suggestions.
const (
	maxSuggestions = 3
	maxEdits       = 2
	maxLikeRunes   = 100 // of a text that is compared
	maxLikeWords   = 20
)

// suggest adds, to each header that no rule has matched, the columns without a header that it resembles. Nobody but a
// person decides by them.
func (m *matcher) suggest() {
	var open []likeness
	for i, c := range m.def.Columns {
		if !m.taken[i] || m.isDoubted(i) {
			open = append(open, likenessOf(append([]string{c.Name, c.Label}, c.Synonyms...)...))
			open[len(open)-1].column = i
		}
	}
	words := wordIndex(open)
	for h := range m.found {
		if m.found[h].Rule == "" {
			found := &m.found[h]
			found.Candidates = m.similar(likenessOf(m.headers[h]), open, words)
			for _, c := range found.Candidates {
				found.Suggestions = append(found.Suggestions, c.Column)
			}
		}
	}
}

func (m *matcher) isDoubted(column int) bool {
	return slices.ContainsFunc(m.doubts, func(d doubt) bool { return d.column == column })
}

// likeness is what a column's or a header's texts are compared by.
type likeness struct {
	column int
	texts  []likeText
}

type likeText struct {
	letters []rune // folded
	bag     uint64 // a bit for each letter, by its hash
	words   []string
}

func likenessOf(texts ...string) (l likeness) {
	for _, text := range texts {
		t := likeText{letters: []rune(Fold(text)), words: wordsOf(text)}
		if len(t.letters) == 0 || len(t.letters) > maxLikeRunes {
			continue
		}
		for _, r := range t.letters {
			t.bag |= 1 << (uint32(r) * 0x9E3779B1 >> 26)
		}
		l.texts = append(l.texts, t)
	}
	return l
}

// wordsOf returns a text's different words, folded.
func wordsOf(text string) []string {
	if utf8.RuneCountInString(text) > 4*maxLikeRunes {
		return nil
	}
	words := strings.FieldsFunc(norm.NFKC.String(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != 'ー'
	})
	for i := range words {
		words[i] = Fold(words[i])
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxLikeWords)]
}

// place is a text of a column.
type place struct{ column, text int }

// wordIndex says where each word occurs.
func wordIndex(columns []likeness) map[string][]place {
	index := make(map[string][]place)
	for c, column := range columns {
		for t, text := range column.texts {
			for _, word := range text.words {
				index[word] = append(index[word], place{c, t})
			}
		}
	}
	return index
}

// similar returns the columns that are most like a header: by few edits, or because all words of one of the two are the other's.
func (m *matcher) similar(header likeness, open []likeness, words map[string][]place) []Candidate {
	if len(header.texts) == 0 {
		return nil
	}
	text := header.texts[0]
	score := make(map[int]float64)
	for i, column := range open {
		if likeness := text.likeness(column); likeness > 0 {
			score[i] = likeness
		}
	}
	shared := make(map[place]int)
	for _, word := range text.words {
		for _, p := range words[word] {
			other := len(open[p.column].texts[p.text].words)
			if shared[p]++; shared[p] == min(len(text.words), other) {
				score[p.column] = max(score[p.column], byWords(shared[p], len(text.words), other))
			}
		}
	}
	return m.best(score, open)
}

func (m *matcher) best(score map[int]float64, open []likeness) []Candidate {
	near := slices.Collect(maps.Keys(score))
	slices.SortFunc(near, func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	var candidates []Candidate
	for _, i := range near[:min(len(near), maxSuggestions)] {
		candidates = append(candidates, Candidate{m.def.Columns[open[i].column].Name, score[i]})
	}
	share(candidates)
	return candidates
}

// likeness returns the confidence that the text is one of the column's but for a few letters; 0 if more than maxEdits have to be changed,
// or half of them.
func (t likeText) likeness(column likeness) (most float64) {
	for _, other := range column.texts {
		longer := max(len(t.letters), len(other.letters))
		if longer-min(len(t.letters), len(other.letters)) > maxEdits || bits.OnesCount64(t.bag^other.bag) > 2*maxEdits {
			continue
		}
		if n := Distance(t.letters, other.letters); n <= maxEdits && 2*n < longer {
			most = max(most, byEdits(n, longer))
		}
	}
	return most
}

// Distance returns the number of letters to insert, delete or replace (Levenshtein), or 3 if there are more than two.
func Distance(a, b []rune) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// Only cells near the diagonal can have so few edits: row[d+1] is of a's first letters and d-maxEdits more or fewer of b's.
	const width, far = 2*maxEdits + 1, maxEdits + 1
	var row [width + 2]int // with a border on each side
	for d := range row {
		if row[d] = d - 1 - maxEdits; row[d] < 0 || row[d] > maxEdits {
			row[d] = far
		}
	}
	for i := 1; i <= len(a); i++ {
		least, left := far, far
		for d := 1; d <= width; d++ {
			j := i + d - 1 - maxEdits
			cell := far
			switch {
			case j == 0:
				cell = i
			case j > 0 && j <= len(b):
				cell = min(left+1, row[d+1]+1, replaced(row[d], a[i-1] == b[j-1]))
			}
			row[d], left, least = cell, cell, min(least, cell)
		}
		if least > maxEdits {
			return far
		}
	}
	if end := len(b) - len(a) + maxEdits; end >= 0 && end < width {
		return min(row[end+1], far)
	}
	return far
}

func replaced(edits int, same bool) int {
	if same {
		return edits
	}
	return edits + 1
}
