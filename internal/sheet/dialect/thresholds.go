package dialect

// Share returns part as a fraction of whole. It compares exactly with a threshold such as 4.0/5, because quotients are
// rounded correctly. Any part of nothing exceeds every threshold, and no part of nothing is below none.
func Share(part, whole int) float64 { return float64(part) / float64(whole) }

// The thresholds of all rules of this package, and those that package table shares, with their reasons. Each is followed by what the corpus
// (internal/sheet/testdata/corpus) requires: the lowest value with which all of its files are read correctly, with a file that is misread
// below it, and the highest value likewise; "free" means that there is no such file. The tests have a case on each side of most thresholds;
// those of the weights, of firstDiffers, oneColumn, noTable and scoredCells verify only the order of what is weighed.

// How much of a text says something.
const (
	// records of one width make a table: two are as wide by chance
	Evidence = 3 // 3 open-data-layout .. 3 delimiter-control-a
	// records in a row make a table though another has more; below, quotes as text are no rule
	ManyRecords = 8 // 8 quote-unbalanced-twice .. free
	// columns: in so few a record with one cell is no title, and decimal commas make as many
	Narrow = 2 // 1 log-file .. 2 preamble-no-header-below
	// records below the header that are as wide as most, and lines that are quoted as a whole: others are broken
	UniformRecords = 9.0 / 10
)

// How much delimiters and quotes are believed, of 1 (score.go, dialect.go).
const (
	// of | and control characters, which hardly stand in text; after the usual three
	goodPrior = 0.99 // 0.91 delimiter-double-pipe .. 1.00 delimiter-comma-and-space
	// of other signs
	otherPrior = 0.85 // 0.45 delimiter-tilde .. free
	// of colons: times, keys
	colonPrior = 0.75 // free
	// of spaces: all of text
	spacePrior = 0.7 // free
	// below: colons and spaces need more evidence (single.go)
	doubtfulPrior = 0.8 // 0.70 fixed-width-of-unequal-gaps .. 0.99 mysql-boxed
	// of quotes that are apostrophes as well
	apostropheFactor = 0.97 // 0.39 quotes-backticks .. free
	// of quotes that are text between tabs, which need none
	unquotedTabFactor = 0.95 // free .. 1.00 quotes-inches-at-the-start-of-cells
	// of quotes that are text elsewhere
	unquotedFactor = 0.9 // free
	// where the first record is of another width, as below a title
	firstDiffers = 0.8 // 0.28 comment-lines-vcf-like .. 0.93 escape-backslash-without-quotes
	// and the delimiter is a colon or a space
	doubtfulFirstDiffers = 0.5 // 0.02 header-one-cell-short-row-names .. free
	// lines of prose count in full: a title and a date
	shortPreamble = 2 // free
	// percent of further lines that do not count
	longPreambleDiscount = 75 // free .. 214 preamble-of-twelve-lines
	// regularity of one column, which every wrong delimiter sees
	oneColumn = 0.02 // free .. 0.34 open-data-notes-above-and-below
	// delimiters beside a line end in a cell: a letter has three commas in two lines
	swallowedDelimiters = 4 // free
	// cells of a record are looked at: others say the same
	scoredCells = 64 // 3 escape-backslash-without-quotes .. free
)

// One column, or a table with this delimiter (single.go). The first three are regularities.
const (
	// no delimiter
	noTable = 0.05 // free .. 0.33 preamble-as-long-as-the-table
	// of a delimiter that the first line does not hold
	littleTable = 0.25 // free .. 0.33 preamble-as-long-as-the-table
	// of a comma that it does not hold; of a table among as much prose
	someTable = 0.35 // 0.20 log-file .. 0.37 open-data-notes-above-and-below
	// records among others of the same width: tables of different widths, of which none is most of the text
	severalTables = 2.0 / 3 // free .. 0.84 second-table-wider-than-the-first
	// of colons and spaces
	doubtfulTable = 0.45 // 0.36 fixed-width-of-unequal-gaps .. 0.64 header-one-cell-short-row-names
	// of a table in which no values of one column are looked for
	regularTable = 0.5 // free .. 0.53 preamble-no-header-below
	// of colons and spaces that the first line does not hold
	doubtfulUnheld = 0.7 // free
	// lines of a text in which a header with a row or two is looked for
	fewLines = 16 // free
	// commas of a line of prose around a table whose records have more of them
	proseCommas = 3 // free
	// values among the cells of two columns with a colon or space
	doubtfulValues = 0.3 // free
	// likewise, of more columns below a first line that holds none, or fewer: streets have a number
	unheldValues = 1.0 / 2 // 0.34 one-column-of-streets .. free
	// lines without the delimiter below those of a table
	maxClosing = 8 // free
	// lines that are values or days make one column
	columnLines = 2 // free .. 2 delimiter-control-a
	// lines with runs of blanks: those of fixed width
	paddedLines = 1.0 / 2 // free
	// digits of a group
	thousands = 3
	// behind the comma of an amount
	cents = 2
	// lines that are values make one column, as columnOfKind has it
	linesOfValues = 4.0 / 5 // 0.50 comment-lines-first .. 0.80 one-column-of-decimal-commas
)

// What a cell is worth, of 1 for a value (value.go). Their order is what counts.
const (
	// a stray quote
	misquotedValue = 0.3 // free .. 1.00 escape-mixed
	// both quotes left as text
	unreadQuotesValue = 0.1 // free .. 0.78 row-in-single-quotes
	// a delimiter that another dialect would split at
	unsplitValue = 0.1 // free .. 1.06 preamble-as-long-as-the-table
	// spaces
	blankValue = 0.6 // free
	// nothing
	emptyValue = 0.8 // free .. 1.01 delimiter-double-pipe
	// a space before the text, which SkipSpace would leave out
	spaceFirstFactor = 0.8 // free .. 1.00 delimiter-comma-and-space
	// text
	wordValue = 0.9 // 0.59 delimiter-double-pipe .. free
	// quoted text with a line end, which a stray quote makes as well
	quotedLinesValue = 0.9 // free
	// a code, an address, a line of a log
	codeValue = 0.95 // free
)

// Which delimiters are tried (candidates.go).
const (
	// signs for each line
	rareInLines = 1.0 / 2 // free
	// signs of two characters for each line
	doubledInLines = 2 // free
	// colons that are those of times
	colonsInTimes = 4.0 / 5 // 0.07 delimiter-colon .. 0.91 log-file
	// delimiters that stand in runs of one length: || or empty cells between |
	delimiterRuns = 4.0 / 5 // 0.00 delimiter-tilde-pipe-tilde .. 0.94 delimiter-double-pipe
	// more than so many delimiters have a space behind them
	spacedDelimiters = 1.0 / 2 // 0.38 padding-with-spaces .. 0.62 markdown-table
	// times that one of several characters stands in the text
	longDelimiterSeen = 3 // free .. 8 delimiter-tilde-pipe-tilde
	// characters more than one, as in ~|~
	maxDelimiter = 4 // 2 delimiter-double-colon .. free
)
