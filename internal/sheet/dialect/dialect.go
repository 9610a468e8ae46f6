package dialect

import (
	"cmp"
	"slices"
	"strings"

	"sheetdrop/internal/sheet/csv"
)

// Dialect is how a text is written.
type Dialect struct {
	Delimiter string
	Quote     byte // 0 for none
	Escape    byte // Quote if quotes are doubled, or a backslash
	SkipSpace bool // spaces follow delimiters
	Brackets  bool // moments stand in brackets, with their zones
	Newline   string
}

// MayStandInNumbers reports whether the delimiter may be part of a number or a text, so that it has split one in two.
func (d Dialect) MayStandInNumbers() bool {
	delimiter := strings.Trim(d.Delimiter, " ")
	return delimiter == "" || delimiter == "," || delimiter == ":"
}

// Sample is a part of the text.
type Sample struct {
	Text []byte // UTF-8
	Head bool   // the text begins with it
	Tail bool   // the text ends with it
}

// Hints are what is known beforehand; nil fields are detected.
type Hints struct {
	Delimiter *string
	Quote     *byte
	Escape    *byte
	SkipSpace *bool
}

// Scored is a dialect that was tried.
type Scored struct {
	Dialect
	Consistency float64 // of the records' widths, from 0 to 1
	Types       float64 // how many cells look like values, from 0 to 1
	Score       float64
	records     int
	broken      int     // records that cannot be split, or contain parts of others
	misquoted   float64 // the share of cells that are wrongly quoted, including all cells of records that cannot be split
	single      float64 // the score if the text has one column
	inRuns      float64 // records among others of the same width: of a table, or of several of different widths
	width       int     // of most records
	// the first record has another width than most
	firstDiffers bool
	values       float64 // the share of cells that are numbers, dates and times
}

// Result is the dialect that was detected.
type Result struct {
	Dialect
	Declared   bool     // the first line says nothing but the delimiter
	Candidates []Scored // the chosen one first, then the best, at most ten
}

// maxShown is how many candidates a Result lists.
const maxShown = 10

// Detect finds out how the text is written. There must be a sample of the text's head; samples are in the order of the text.
func Detect(samples []Sample, h Hints) Result {
	delimiter, said := declared(samples[0].Text)
	if said && h.Delimiter == nil {
		h.Delimiter = &delimiter
	}
	texts := pieces(samples)
	if h.Quote == nil && h.Delimiter == nil && areQuoted(texts) {
		quote := byte('"')
		h.Quote = &quote
	}
	scored := scoreAll(texts, h)
	if whole := len(samples) == 1 && samples[0].Tail; whole && h.Delimiter == nil {
		doubtNames(scored, samples[0].Text)
		preferFewRecords(scored, samples[0].Text)
	}
	for i := range scored {
		if h.Quote == nil && scored[i].Quote == 0 && slices.ContainsFunc(scored, scored[i].isQuotedWell) {
			scored[i].Score = 0
		}
	}
	if h.Delimiter == nil && slices.ContainsFunc(scored, Scored.isEvenByTabs) {
		for i := range scored {
			if !scored[i].isEven() {
				scored[i].Score = 0
			}
		}
	}
	slices.SortStableFunc(scored, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	if delimiter, ok := singleColumn(texts, samples[0].Text, scored[0], h); ok {
		slices.SortStableFunc(scored, func(a, b Scored) int { return cmp.Compare(b.asOneColumn(delimiter), a.asOneColumn(delimiter)) })
	}
	newline := firstNewline(texts[0], scored[0].Dialect)
	for i := range scored {
		scored[i].Newline = newline
	}
	best := scored[0].Dialect
	best.Brackets = best.bracketsMoments(samples[0].Text)
	return Result{best, said, scored[:min(len(scored), maxShown)]}
}

// scoreAll returns the scores of all dialects that the text allows.
func scoreAll(texts []piece, h Hints) []Scored {
	list := candidates(texts, h)
	scored := make([]Scored, len(list))
	absent := map[Dialect]tally{} // what delimiters that do not occur make of the text, which is the same for all of them
	for i, d := range list {
		scored[i] = score(texts, d, absent)
	}
	for i := range scored {
		if h.Quote == nil {
			scored[i].doubtQuote(scored[i].isSwallowed(scored))
		}
	}
	return scored
}

// doubtQuote lowers the share of misquoted cells for apostrophes and a few stray quotes: they say little about a text,
// and nothing about a small one, unless it is swallowed by its quotes.
func (s *Scored) doubtQuote(swallowed bool) {
	factor := 1.0
	switch {
	case s.Quote == '\'' || s.Quote == '`':
		factor = apostropheFactor
	case s.Quote == 0 && s.records < ManyRecords && !swallowed:
		factor = 0
	case s.Quote == 0 && s.Delimiter == "\t": // text with tabs needs quotes less often
		factor = unquotedTabFactor
	case s.Quote == 0:
		factor = unquotedFactor
	}
	s.Score *= factor
	s.single *= factor
}

// isEven reports whether all records have one width, of two cells or more.
func (s Scored) isEven() bool { return s.width >= Narrow && s.Consistency == regularity(s.width) }

// isEvenByTabs reports whether all of many records have as many tabs, which no text does by chance: what splits them otherwise, and not
// evenly, stands in the cells.
//
//	Name            Kind
//	North;Alder     town
//	North;Alder;Hay ward
func (s Scored) isEvenByTabs() bool {
	return s.Delimiter == "\t" && s.records >= ManyRecords && s.broken == 0 && s.isEven()
}

// isSwallowed reports whether all records have one width if quotes are text, and quotes with the same delimiter make a cell of several of
// them:
//
//	"L" bracket,2.00,yes
//	Nail 3",0.05,no
func (s Scored) isSwallowed(others []Scored) bool {
	return s.Quote == 0 && s.width > Narrow && s.records > Evidence && s.isEven() &&
		slices.ContainsFunc(others, func(o Scored) bool {
			return o.Quote == '"' && o.Delimiter == s.Delimiter && o.SkipSpace == s.SkipSpace && o.broken > 0 && o.records < s.records
		})
}

// isQuotedWell reports whether the other dialect, which differs in that it has quotes, finds all of them where they should be.
func (s Scored) isQuotedWell(other Scored) bool {
	return other.Quote == '"' && other.Delimiter == s.Delimiter && other.Consistency >= someTable && other.misquoted == 0
}

// Scanner splits a text into records of at most so many bytes.
func (d Dialect) Scanner(t csv.Text, longest int) *csv.Scanner {
	return csv.NewTextScanner(t, csv.Config{
		Delimiter: d.Delimiter, Quote: d.Quote, Escape: d.Escape, SkipSpace: d.SkipSpace, Brackets: d.Brackets, Mark: "\ufeff",
		RecordBytes: longest, Fields: MaxColumns,
	})
}

// Samples are looked at within these bounds.
const (
	recordBytes  = 64 << 10 // of a record, where dialects are compared: many are wrong, and have quotes that nothing closes
	MaxColumns   = 256      // of a record
	firstRecords = 1000     // that have to agree with each other
)
