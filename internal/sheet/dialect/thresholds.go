package dialect

// share returns part as a fraction of whole. It compares exactly with a threshold such as 4.0/5, because quotients are
// rounded correctly. Any part of nothing exceeds every threshold, and no part of nothing is below none.
func share(part, whole int) float64 { return float64(part) / float64(whole) }

// The thresholds of all rules, with their reasons. Each is followed by what the corpus (internal/sheet/testdata/corpus)
// requires: the lowest value with which all of its files are read correctly, with a file that is misread below it, and
// the highest value likewise; "free" means that there is no such file. The tests of this package have a case on each
// side of most thresholds; those of the weights, of firstDiffers, oneColumn, noTable and scoredCells verify only the
// order of what is weighed.

// Kinds of cells (kind.go).
const (
	// bytes of a number or moment; with units and eras they stay far below
	longestValue = 40 // 20 log-file .. free
	// letters: a@b.co is the shortest that is no typing error
	addressLetters = 4 // free
	// letters behind the point of a file's name
	longestEnding = 5 // free
	// spaces: 1 234 567, or date, time and zone; a text has more
	valueSpaces = 2 // free .. 2 log-file
	// letters: T and Z, or am; a third makes a code such as 5-MAR-2024
	momentLetters = 2 // 2 log-file .. free
	// bytes of a day with points and a year of four digits: 1.2.2023, 31.12.2023
	shortestDay, longestDay = 8, 10 // free
	// letters of a month in days such as 06-Jul-1975 01:00
	shortMonth = 3 // free
	// digits of an exponent, as programs for Windows write it: 1.5e-003
	exponentDigits = 3 // free
	// digits: 1:30; a ratio such as 1:3 has fewer
	momentDigits = 3 // free .. 14 log-file
	// bytes of the moment that a line of a log begins with: 08:15:30
	shortestStamp = 8 // free .. 20 log-file
	// bytes of it with nanoseconds and zone
	longestStamp = 32 // 20 log-file .. free
)

// The table among other records (layout.go, rows.go).
const (
	// records of one width make a table: two are as wide by chance
	evidence = 3 // 3 open-data-layout .. 3 delimiter-control-a
	// records in a row make a table though another has more; below, quotes as text are no rule
	manyRecords = 8 // 8 quote-unbalanced-twice .. free
	// columns: in so few a record with one cell is no title, and decimal commas make as many
	narrow = 2 // 1 log-file .. 2 preamble-no-header-below
	// years in a row are names if another cell is one
	fewYears = 2 // 1 bank-zengin-like-records .. 2 footer-padded-notes
	// years in a row are names, whatever stands beside them
	manyYears = 3 // free .. 3 exchange-rates-many-header-lines
	// the first year of which two that do not follow each other are names: lower numbers may be any
	firstYear = 1900 // free
	// the first one of any: numbers about 1,000 are counts
	oldestYear = 1500 // free
	// and the last one
	lastYear = 2099 // free
	// years between two columns of a survey
	halfDecade = 5 // 5 header-of-every-fifth-year .. 5 header-of-every-fifth-year
	// years between two columns of a census
	decade = 10 // 10 header-of-census-years .. 10 header-of-census-years
	// records of a table to lines of prose around it
	tableAmongProse = 1.0 / 8 // free .. 0.55 preamble-of-twelve-lines
	// cells: a single column with a delimiter behind it may be two
	trailingColumns = 2 // free .. 3 trailing-delimiter-not-in-the-header
	// records of the next ones are as wide as the first of a table
	followersAlike = 2 // free .. 3 mysql-boxed
	// records are looked at for that: some of them may be broken
	followersSeen = 4 // free
	// records above a table that are as wide as it is
	maxPadded = 40
	// filled cells of them: two of four, a name with its value
	paddedFilled = 1.0 / 2
	// empty cells of a line above a wide table: an address on the left, numbers on the right
	paddedGaps = 2 // free .. 2 above-key-values-on-the-right
	// records below the header that are as wide as most: others are broken
	uniformRecords = 9.0 / 10
	// cells of a name with its value
	listCells = 2
	// cells of two of them in a line of a form
	formCells = 4
	// lines of a form above a table
	maxForm = 12 // free
	// records that are such lines above a table, where others stand among them
	brokenList = 3.0 / 4 // free
	// records of a table to those of two columns above it, which are then none: a month and its year, twelve times
	muchLonger = 10 // free .. 10 weather-with-years-of-months-above
	// titles and blank records above the header of a second table
	maxTitles = 4
	// names of groups in a record above the header: one may be the title
	groupNames = 2
	// columns that have names in a row of groups above the header: with more it is a header that lacks some
	groupsNamed = 1.0 / 2 // 0.40 header-groups-of-texts .. free
	// columns that a line below the header numbers: 1, 2 may be values
	leastNumbered = 3
	// bytes of a name of a column in a comment
	longestName = 30 // free
	// bytes of a hint below the name of a column: required, max. 80 characters
	longestHint = 60 // free
	// digits of the width of a column before its letter: 15s
	typeWidth = 4 // free
	// columns of a table above the largest one, or two of which one has values
	columnsAbove = 3
	// cells of a line above a table: its title and the unit
	unitCells = 2 // 2 open-data-two-title-lines-and-total-first .. free
	// records that describe the columns and have nothing in common with those below: the others may have numbers
	describing = 1.0 / 2 // free
	// columns for each cell that a header may have too few or too many, and one
	headerSlack = 5 // free
	// cells of a header of another width than the table
	headerFilled = 3.0 / 4 // free .. 1.00 bank-zengin-like-records
	// records below a table; more are a text of their own
	maxFooter = 8 // 4 statistics-german-table .. free
	// likewise, of those that are padded to the table's width, which would be rows: terms of use have as many
	maxNotes = 40 // free
	// filled cells: in a table with fewer, records with gaps are nothing special
	sparseTable = 1.0 / 2 // free .. 0.70 open-data-layout
	// empty cells of a total without a value of its columns
	totalEmpty = 1.0 / 3 // free
	// empty cells of a total with one: subtotals have fewer
	totalMostlyEmpty = 1.0 / 2 // free
	// columns, filled in nearly all records, that a sum without a word for it lacks
	sumLacks = 2 // free .. 2 footer-tax-and-amount-due
	// rows that stand above one that sums up all of them, whatever it is called
	leastSummed = 3 // free .. 3 TestSumsOfAllRows
	// digits of the numbers of such a sum, without zeros at their ends: small ones may be sums by chance
	sumDigits = 5 // 3 last-row-that-is-no-sum-stays .. 5 TestUnseenFiles
	// likewise, where a word says that it is one, or the row has nothing else and others have more
	bareDigits = 3 // free
	// lines of a text that is nothing but names of attributes with their values
	maxAttributes = 40 // free
	// of these names, how many are usual ones
	attributesKnown = 1.0 / 2 // free
	// rows with few cells right above a total that includes them
	maxAddends = 2 // free
	// width of a note to that of the table: wider ones are broken records
	noteWidth = 1.0 / 2 // 0.50 footer-note-of-two-cells .. free
	// filled cells: in a table with fewer, a record of a single text is one of it
	fullTable = 2.0 / 3 // free .. 0.70 open-data-layout
	// words: names of people and places have two
	proseWords = 3 // 2 bank-zengin-like-records .. free
	// words: no key has so many
	sentenceWords = 7 // free
	// characters of a footnote's mark: 12) or (a)
	footnoteMark = 2 // 1 open-data-footnote-numbers .. free
	// bytes of a mark in cells that a legend explains, with a blank behind it
	longestMark = 4 // free
	// strokes of a drawn line: placeholders and negative signs have fewer
	shortestRuler = 5 // free .. 23 mysql-boxed
	// bytes of a word for a total, with what is behind it; a list may have longer words
	longestTotal = 24 // 6 footer-total-japanese .. free
	// bytes of it with what it is the total of
	longestTotalOf = 60 // free
	// records that end before the last column, all at the same one
	endsTogether = 1.0 / 5 // free .. 0.33 short-rows-of-an-optional-tail
	// empty cells of a column that other records lack
	oftenEmpty = 1.0 / 4 // free .. 0.40 short-rows-of-many-lengths
	// rows of what stands beside a table to the table's own: a column with fewer values may have lost its name
	besideRows = 2.0 / 3 // free .. 0.50 beside-a-smaller-table
	// lines between the last record of a page and the header on the next one
	maxPageLines = 12 // free
	// records that have a value in a column, where lines of pages stand between them
	mostOften = 1.0 / 2 // free
	// bytes of a line between two pages
	longestPageLine = 40 // free
	// bytes of the number of a part: 1.12.3, A.01.0010
	longestOutline = 16 // 3 among-numbered-titles-of-parts .. free
	// records that have a value in a column from which a total is told by its gap
	nearlyAlways = 3.0 / 4 // free
)

// The header (header.go, rownames.go).
const (
	// cells of a column tell its kind, and lines that of a text of one column
	columnCells = 2 // free .. 2 delimiter-control-a
	// cells of one kind make the column's: one of five may be a remark
	columnOfKind = 4.0 / 5 // free .. 0.80 header-three-rows-japanese
	// records in which words that come again tell values from names
	repeatsRecords = 5 // free .. 6 header-none-all-text
	// such words: one comes again by chance
	repeatedCells = 2 // free .. 2 header-none-all-text
	// such words of the record's
	repeatedShare = 1.0 / 2 // free .. 0.66 header-none-all-text
	// bytes of a code that is hardly the name of a column
	codeLength = 6 // free
	// rows of a header: group, name, code, unit, date
	maxHeader = 5 // 4 statistics-british-table .. 5 statistics-british-table
	// records below a header: of one nothing is known of the columns
	bodyRecords = 2 // free .. 2 delimiter-control-a
	// values in a first record of another width make it none
	shortRowSame = 2 // free .. 4 bank-zengin-like-records
	// values to other cells in it
	shortRowFactor = 2 // free .. 3 bank-zengin-like-records
	// words above values in each further row: one may be a remark
	headerCells = 2 // 2 markdown-table .. 2 header-units-in-brackets-some-empty
	// columns of a table whose header lacks one, two of them values
	rowNamesWidth = 3 // free .. 4 header-one-cell-short-tabs
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
	// commas of a line of prose around a table whose records have more of them
	proseCommas = 3 // free
	// values among the cells of two columns with a colon or space
	doubtfulValues = 0.3 // free
	// likewise, of more columns below a first line that holds none, or fewer: streets have a number
	unheldValues = 1.0 / 2 // 0.34 one-column-of-streets .. free
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

// Worksheets (grid.go). The corpus holds texts only.
const (
	// rows for each that may be wider than the table: notes beside it
	gridOutliers = 10 // free
	// bold or coloured texts alone in their rows: one may be a row that somebody has marked
	sectionTitles = 2 // free
	// more than so many cells of the first row of the table are filled
	gridRowFilled = 1.0 / 2 // free
)
