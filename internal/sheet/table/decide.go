package table

import (
	"bytes"
	"strings"

	"sheetdrop/internal/sheet/dialect"
)

// Layout describes where in the text the table is.
type Layout struct {
	Preamble   int  // records before the header, including blank ones; 0 if all of them are blank
	BlankLines int  // above everything else in a text; Preamble includes them unless it is 0
	Header     int  // number of header records
	Blanks     int  // number of blank rows between these, in a worksheet
	Columns    int  // the most common number of cells in a record
	Ended      bool // a delimiter ends each line, and separates nothing: the cell behind it is none
	Trailing   int  // empty cells at the end of each record, as behind a last delimiter, that belong to no column
	Beside     int  // cells at the end of each record that stand beside the table, behind an empty column
	Leading    int  // empty cells at the beginning of each record that belong to no column
	Uniform    bool // nearly all records have Columns cells: an empty cell more in the header is none
	Listed     bool // the header lists the names with a delimiter of its own
	Marked     bool // the header is a comment: a mark stands before the first name, or, where blanks separate the names, in a cell of its own
	Unlabelled bool // cells less in the header mean that the last columns have no names
	// the header has no cell for the first column, which names the rows: its cells belong to the columns from the
	// second on
	RowNames   bool
	FooterLine int64 // the line in the last sample, from 1, at which the table has ended; 0 if it has not
	// the line in the last sample, from 1, at which another table begins; 0 if none does, or the text has several samples
	OtherLine int64

	// what tells the records among the rows that are none, such as totals of a part; nil if there are none
	Filter *Filter
	Pad    bool // records lack cells at their end that others often leave empty

	// the columns of a worksheet's table, where something else stands beside it: from the first, which counts as 0, to the one before
	// the last; To is 0 if nothing does
	From, To int
	Upper    bool // what stands behind To is another table further below
	Titled   bool // each of them has a title, right above the header's last row

	Named bool // the header has names, and not values, for two columns or more of at least two rows
	// of one column: its name is a word above values of another kind, so that the same word further below is none of them
	NameIsNoValue bool
	QuotedBlanks  bool // each record begins with a quote, so that one of empty quotes alone is blank
	Alone         bool // it is so much of a table that it is one above a larger one, too, and no names with their values

	grid   bool    // it is a worksheet, whose rows end with their last value
	priced bool    // of a worksheet: the row below the header has what holds for the columns, such as their prices
	head   row     // the last row of the header
	body   columns // of the rows below it
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
	dialect.Hints
	Preamble *int
	Header   *int
	NoFooter bool     // nothing follows the table, and nothing but its rows is in it
	Pad      *bool    // whether records may end before the last column
	RowNames bool     // the header lacks the first column's cell; if false and Header is nil, that is detected
	Names    []string // of columns that the header has to have
	From     int      // so many cells at the beginning of each record belong to another table
	Place    Place    // of the table among others

	dialect dialect.Dialect  // of a text
	samples []dialect.Sample // of a text
	log     bool             // it is a log whose first lines name its columns
	ended   bool             // a delimiter ends each line
	told    Told             // what a workbook says
}

// Result is what was decided about a text.
type Result struct {
	dialect.Dialect
	Layout
	Quoted     bool             // each line is quoted as a whole
	Candidates []dialect.Scored // the dialects that were tried: the chosen one first, then the best, at most ten
}

// Decide decides how the text is written and where in it the table is. There must be a sample of the text's head; samples are in the order
// of the text.
func Decide(samples []dialect.Sample, h Hints) Result {
	newline := dialect.FirstLineEnd(samples[0].Text)
	samples, above := withoutBlankEnds(samples, h)
	r, ok := decideQuoted(samples, h)
	if !ok {
		r = decideUnquoted(samples, h)
	}
	r.below(above, len(samples) == 1)
	if above > 0 {
		r.Newline = newline
	}
	return r
}

// decideUnquoted is Decide of a text whose lines are no quoted ones.
func decideUnquoted(samples []dialect.Sample, h Hints) Result {
	if log, ok := dialect.DetectLog(samples[0].Text); ok {
		h.use(log)
	}
	found := dialect.Detect(samples, h.Hints)
	return Result{found.Dialect, findLayout(samples, found.Dialect, found.Declared, h), false, found.Candidates}
}

// decideQuoted is Decide of a text whose lines were quoted as a whole, each as if it were a text with delimiters in one cell; ok is false
// if it is none.
func decideQuoted(samples []dialect.Sample, h Hints) (r Result, ok bool) {
	lines, ok := dialect.Unquote(samples)
	if !ok {
		return r, false
	}
	r = decideUnquoted(lines.Samples, h)
	r.Quoted = true
	if lines.Names != nil && !bytes.Contains(lines.Names, []byte(r.Delimiter)) { // above texts with delimiters in them
		return r, false
	}
	widths := r.Columns > narrow || r.Columns == narrow && (lines.Doubled || r.Named && r.Candidates[0].HasValues())
	return r, widths && r.Uniform && !r.SkipSpace && !strings.HasSuffix(r.Delimiter, " ")
}
