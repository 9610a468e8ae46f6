// Package dialect finds out how a delimited text is written: delimiter, quote, escape, and where in it the table stands: behind which
// lines of prose, under how many header rows, above which closing lines.
//
// Every dialect that the text allows is tried on samples of it, and each gets a score: how regular the records are, times how many of
// their cells look like values. The first factor follows the pattern score of G. van den Burg, A. Nazábal and C. Sutton, "Wrangling
// messy CSV files by detecting row and type patterns" (Data Mining and Knowledge Discovery 33, 2019), the second their type score, and
// the side-by-side trial T. Döhmen, H. Mühleisen and P. Boncz, "Multi-hypothesis CSV parsing" (SSDBM 2017). The header is decided as in
// both: by the types of the first rows against those of the columns below.
//
// What is decided depends on the samples alone.
package dialect

import (
	"cmp"
	"slices"

	"sheetdrop/internal/sheet/csv"
)

// Dialect is how a text is written.
type Dialect struct {
	Delimiter string
	Quote     byte // 0 for none
	Escape    byte // Quote where quotes are doubled, or a backslash
	SkipSpace bool // spaces stand behind delimiters
	Newline   string
}

// Layout is where in the text the table stands.
type Layout struct {
	Preamble   int   // records before the header, blank ones counted; 0 where all are blank
	Header     int   // records of the header
	Columns    int   // the usual number of cells in a record
	Trailing   bool  // each record ends with a delimiter behind its last cell
	RowNames   bool  // the header has no cell for the first column, which names the rows: its cells belong to the columns from the second on
	FooterLine int64 // the line in the last sample, from 1, from which on the table has ended; 0 where it has not
}

// Sample is a piece of the text.
type Sample struct {
	Text []byte // UTF-8
	Head bool   // the text begins with it
	Tail bool   // the text ends with it
}

// Hints are what is known beforehand; what is nil is found out.
type Hints struct {
	Delimiter *string
	Quote     *byte
	Escape    *byte
	Preamble  *int
	Header    *int
	NoFooter  bool // nothing stands below the table
}

// Scored is a dialect that was tried.
type Scored struct {
	Dialect
	Consistency float64 // of the records' widths, from 0 to 1
	Types       float64 // how many cells look like values, from 0 to 1
	Score       float64
	records     int
	misquoted   float64 // the share of cells that are wrongly quoted, records that cannot be split at all counted as such
	single      float64 // the score if the text has one column
	width       int     // of most records
	values      float64 // the share of cells that are numbers, dates and times
}

// Result is what was decided.
type Result struct {
	Dialect
	Layout
	Candidates []Scored // the choice first, then the best, at most ten
}

// maxShown is how many candidates are shown.
const maxShown = 10

// Decide finds out how the text is written. There must be a sample of the text's head; samples stand in the text's order.
func Decide(samples []Sample, h Hints) Result {
	delimiter, said := declared(samples[0].Text)
	if said && h.Delimiter == nil {
		h.Delimiter = &delimiter
	}
	texts := pieces(samples)
	list := candidates(texts, h)
	scored := make([]Scored, len(list))
	absent := map[Dialect]tally{} // what delimiters that stand nowhere make of the text, which is the same for all of them
	for i, d := range list {
		scored[i] = score(texts, d, absent)
		if h.Quote == nil {
			scored[i].doubtQuote()
		}
	}
	for i := range scored {
		if h.Quote == nil && scored[i].Quote == 0 && slices.ContainsFunc(scored, scored[i].isQuotedWell) {
			scored[i].Score = 0
		}
	}
	slices.SortStableFunc(scored, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	if delimiter, ok := singleColumn(texts, scored[0], h); ok {
		slices.SortStableFunc(scored, func(a, b Scored) int { return cmp.Compare(b.asOneColumn(delimiter), a.asOneColumn(delimiter)) })
	}
	newline := firstNewline(texts[0], scored[0].Dialect)
	for i := range scored {
		scored[i].Newline = newline
	}
	best := scored[0].Dialect
	return Result{best, findLayout(samples, best, said, h), scored[:min(len(scored), maxShown)]}
}

// doubtQuote allows for apostrophes, and for a few stray quotes: they say little of a text, and of a small one nothing.
func (s *Scored) doubtQuote() {
	factor := 1.0
	switch {
	case s.Quote == '\'' || s.Quote == '`':
		factor = apostropheFactor
	case s.Quote == 0 && s.records < manyRecords:
		factor = 0
	case s.Quote == 0 && s.Delimiter == "\t": // text with tabs needs quotes less often
		factor = unquotedTabFactor
	case s.Quote == 0:
		factor = unquotedFactor
	}
	s.Score *= factor
	s.single *= factor
}

// isQuotedWell reports whether the other dialect, which differs in that it has quotes, finds all of them where they should be.
func (s Scored) isQuotedWell(other Scored) bool {
	return other.Quote == '"' && other.Delimiter == s.Delimiter && other.Consistency >= someTable && other.misquoted == 0
}

func (d Dialect) scanner(t csv.Text) *csv.Scanner {
	return csv.NewTextScanner(t, csv.Config{
		Delimiter: d.Delimiter, Quote: d.Quote, Escape: d.Escape, SkipSpace: d.SkipSpace, Mark: "\ufeff",
		RecordBytes: recordBytes, Fields: maxColumns,
	})
}

// Samples are looked at within these bounds.
const (
	recordBytes = 64 << 10
	maxColumns  = 256
)
