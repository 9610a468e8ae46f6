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
	Escape    byte // Quote if quotes are doubled, or a backslash
	SkipSpace bool // spaces follow delimiters
	Brackets  bool // moments stand in brackets, with their zones
	Newline   string
}

// Layout describes where in the text the table is.
type Layout struct {
	Preamble   int  // records before the header, including blank ones; 0 if all of them are blank
	Header     int  // number of header records
	Blanks     int  // number of blank rows between these, in a worksheet
	Columns    int  // the most common number of cells in a record
	Trailing   int  // empty cells at the end of each record, as behind a last delimiter, that belong to no column
	Beside     int  // cells at the end of each record that stand beside the table, behind an empty column
	Leading    int  // empty cells at the beginning of each record that belong to no column
	Uniform    bool // nearly all records have Columns cells: an empty cell more in the header is none
	Listed     bool // the header lists the names with a delimiter of its own
	Marked     bool // the header's first cell is the mark of a comment, behind which blanks separate the names
	Unlabelled bool // cells less in the header mean that the last columns have no names
	// the header has no cell for the first column, which names the rows: its cells belong to the columns from the
	// second on
	RowNames   bool
	FooterLine int64 // the line in the last sample, from 1, at which the table has ended; 0 if it has not
	// the line in the last sample, from 1, at which another table begins; 0 if none does, or the text has several samples
	OtherLine int64

	// what tells the records among the rows that are none, such as totals of a part; nil if there are none
	Among *Among
	Pad   bool // records lack cells at their end that others often leave empty

	// the columns of a worksheet's table, where something else stands beside it: from the first, which counts as 0, to the one before
	// the last; To is 0 if nothing does
	From, To int
	Upper    bool // what stands behind To is another table further below

	Named bool // the header has names, and not values, for two columns or more of at least two rows
	// of one column: its name is a word above values of another kind, so that the same word further below is none of them
	NameIsNoValue bool
	QuotedBlanks  bool // each record begins with a quote, so that one of empty quotes alone is blank
	Alone         bool // it is so much of a table that it is one above a larger one, too, and no names with their values

	grid   bool    // it is a worksheet, whose rows end with their last value
	priced bool    // of a worksheet: the row below the header has what holds for the columns, such as their prices
	head   row     // of a worksheet: the last row of the header
	body   columns // of a worksheet
	// of a worksheet: the columns in which nearly all rows have a value
	usual []bool
}

// Sample is a part of the text.
type Sample struct {
	Text []byte // UTF-8
	Head bool   // the text begins with it
	Tail bool   // the text ends with it
}

// Place is where a table stands among others of its text.
type Place int8

// The places of a table. A table above or beside another one is all that its samples have; below one, short ones may stand above a longer
// one, as in a text of which nothing is known.
const (
	First Place = iota
	AboveOrBeside
	Below
)

// Hints are what is known beforehand; nil fields are detected.
type Hints struct {
	Delimiter *string
	Quote     *byte
	Escape    *byte
	Preamble  *int
	Header    *int
	SkipSpace *bool
	NoFooter  bool     // nothing follows the table, and nothing but its rows is in it
	Pad       *bool    // whether records may end before the last column
	RowNames  bool     // the header lacks the first column's cell; if false and Header is nil, that is detected
	Names     []string // of columns that the header has to have
	From      int      // so many cells at the beginning of each record belong to another table
	Place     Place    // of the table among others
	log       bool     // it is a log whose first lines name its columns
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

// Result is the detected dialect and layout.
type Result struct {
	Dialect
	Layout
	Quoted     bool     // each line is quoted as a whole
	Candidates []Scored // the chosen one first, then the best, at most ten
}

// maxShown is how many candidates a Result lists.
const maxShown = 10

// Decide detects how the text is written. There must be a sample of the text's head; samples are in the order of the
// text.
func Decide(samples []Sample, h Hints) Result {
	delimiter, said := declared(samples[0].Text)
	if said && h.Delimiter == nil {
		h.Delimiter = &delimiter
	}
	if format, ok := ofLog(samples[0].Text); ok {
		format.apply(&h)
	}
	texts := pieces(samples)
	if h.Quote == nil && h.Delimiter == nil && areQuoted(texts) {
		quote := byte('"')
		h.Quote = &quote
	}
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
	if whole := len(samples) == 1 && samples[0].Tail; whole && h.Delimiter == nil {
		doubtNames(scored, samples[0].Text)
	}
	for i := range scored {
		if h.Quote == nil && scored[i].Quote == 0 && slices.ContainsFunc(scored, scored[i].isQuotedWell) {
			scored[i].Score = 0
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
	return Result{best, findLayout(samples, best, said, h), false, scored[:min(len(scored), maxShown)]}
}

// doubtQuote lowers the share of misquoted cells for apostrophes and a few stray quotes: they say little about a text,
// and nothing about a small one, unless it is swallowed by its quotes.
func (s *Scored) doubtQuote(swallowed bool) {
	factor := 1.0
	switch {
	case s.Quote == '\'' || s.Quote == '`':
		factor = apostropheFactor
	case s.Quote == 0 && s.records < manyRecords && !swallowed:
		factor = 0
	case s.Quote == 0 && s.Delimiter == "\t": // text with tabs needs quotes less often
		factor = unquotedTabFactor
	case s.Quote == 0:
		factor = unquotedFactor
	}
	s.Score *= factor
	s.single *= factor
}

// isSwallowed reports whether all records have one width if quotes are text, and quotes with the same delimiter make a cell of several of
// them:
//
//	"L" bracket,2.00,yes
//	Nail 3",0.05,no
func (s Scored) isSwallowed(others []Scored) bool {
	return s.Quote == 0 && s.width > narrow && s.records > evidence && s.Consistency == regularity(s.width) &&
		slices.ContainsFunc(others, func(o Scored) bool {
			return o.Quote == '"' && o.Delimiter == s.Delimiter && o.SkipSpace == s.SkipSpace && o.broken > 0 && o.records < s.records
		})
}

// isQuotedWell reports whether the other dialect, which differs in that it has quotes, finds all of them where they should be.
func (s Scored) isQuotedWell(other Scored) bool {
	return other.Quote == '"' && other.Delimiter == s.Delimiter && other.Consistency >= someTable && other.misquoted == 0
}

func (d Dialect) scanner(t csv.Text, longest int) *csv.Scanner {
	return csv.NewTextScanner(t, csv.Config{
		Delimiter: d.Delimiter, Quote: d.Quote, Escape: d.Escape, SkipSpace: d.SkipSpace, Brackets: d.Brackets, Mark: "\ufeff",
		RecordBytes: longest, Fields: maxColumns,
	})
}

// Samples are looked at within these bounds.
const (
	recordBytes = 64 << 10  // of a record, where dialects are compared: many are wrong, and have quotes that nothing closes
	sampleBytes = 384 << 10 // of a record of the one that was chosen; no sample is longer
	maxColumns  = 256
)

// seen returns how many cells are looked at of a record with so many.
func seen(width int) int { return min(width, maxColumns) }
