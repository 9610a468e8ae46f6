package table

import "sheetdrop/internal/sheet/dialect"

// The thresholds of all rules, with their reasons. Behind each stands what the corpus requires of it, as in the thresholds of package
// dialect. The tests of this package have a case on each side of most of them.

// What package dialect counts with as well.
const (
	evidence       = dialect.Evidence
	manyRecords    = dialect.ManyRecords
	narrow         = dialect.Narrow
	uniformRecords = dialect.UniformRecords
)

// share is dialect.Share.
func share(part, whole int) float64 { return dialect.Share(part, whole) }

// The table among other records (layout.go, rows.go).
const (
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
	// numbers that are years of our time by chance, where one of them names the column
	yearsByChance = 1.0 / 20 // free
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
	// cells of a name with its value
	listCells = 2
	// records of a list of these without a name: values go on there
	withoutName = 1.0 / 4 // free
	// cells of two of them in a line of a form
	formCells = 4
	// lines of a form above a table
	maxForm = 12 // free
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
	// columns of a table that is no list of names with their values, numbers of one kind in a record, and the like
	severalColumns = 3
	// cells of a line above a table: its title and the unit
	unitCells = 2 // 2 open-data-two-title-lines-and-total-first .. free
	// records that describe the columns and have nothing in common with those below: the others may have numbers
	describing = 1.0 / 2 // free
	// columns for each cell that a header may have too few or too many, and one
	headerSlack = 5 // free
	// cells of a header of another width than the table
	headerFilled = 3.0 / 4 // free .. 1.00 bank-zengin-like-records
	// last records that totals may be
	maxFooter = 8 // 4 statistics-german-table .. free
	// records of several cells below a table; more are a text of their own
	maxClosing = 10 // 9 state-of-the-account-below-its-entries .. free
	// likewise, of those of a single text: terms of use, and what statistics offices explain, have as many
	maxNotes = 40 // free
	// filled cells: in a table with fewer, records with gaps are nothing special
	sparseTable = 1.0 / 2 // free .. 0.70 open-data-layout
	// empty cells of a total without a value of its columns
	totalEmpty = 1.0 / 3 // free
	// empty cells of a total with one: subtotals have fewer
	totalMostlyEmpty = 1.0 / 2 // free
	// columns, filled in nearly all records, that a sum without a word for it lacks
	sumLacks = 2 // free .. 2 footer-tax-and-amount-due
	// lines of a text that is nothing but names of attributes with their values
	maxAttributes = 40 // free
	// of these names, how many are usual ones
	attributesKnown = 1.0 / 2 // free
	// rows with few cells right above a total that includes them
	maxAddends = 2 // free
	// rows of a name and numbers below a sum in bold type, whatever else they are
	maxOthers = 2 // free
	// width of a note to that of the table: wider ones are broken records
	noteWidth = 1.0 / 2 // 0.50 footer-note-of-two-cells .. free
	// filled cells: in a table with fewer, a record of a single text is one of it
	fullTable = 2.0 / 3 // free .. 0.70 open-data-layout
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
	// bytes of the number of a part: 1.12.3, A.01.0010
	longestOutline = 16 // 3 among-numbered-titles-of-parts .. free
	// records that have a value in a column from which a total is told by its gap
	nearlyAlways = 3.0 / 4 // free
)

// The header (header.go, rownames.go).
const (
	// cells of a column tell its kind
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
	// cells of a header's further row that are of other kinds than those below
	nearlyAllNames = 9.0 / 10 // free
	// whole numbers that rise, as lengths and doses do above what was measured of each
	leastStepped = 4
	// numbers that rise or fall, as no row does by chance: the wavelengths of a spectrum
	manyStepped = 6
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

// Worksheets (grid.go). The corpus holds texts only.
const (
	// rows for each that may be wider than the table: notes beside it
	gridOutliers = 10 // free
	// bold or coloured texts alone in their rows: one may be a row that somebody has marked
	sectionTitles = 2 // free
	// more than so many cells of the first row of the table are filled
	gridRowFilled = 1.0 / 2 // free
)
