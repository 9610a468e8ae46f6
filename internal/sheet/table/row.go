package table

import (
	"encoding/binary"

	"sheetdrop/internal/sheet/kind"
)

// row is what is kept of a record.
type row struct {
	sample   int32
	colons   int32 // number of cells that end with a colon, as names do that stand before their values
	line     int64 // in its sample, from 1
	width    int
	filled   int    // number of non-empty cells
	part     uint64 // the hash of the name, in small letters, of the part that it sums up or is the title of
	outline  uint32 // the hash of the number of parts that it begins with: 1.2
	outer    uint32 // and that of the number without its last part
	legend   uint64 // the hash of what its only cell explains: X = offered
	mark     string // of a comment, if it begins with one
	kinds    []kind.Kind
	texts    []uint64     // hashes of the cells
	appended *[]kind.Kind // of the cells that a record of one cell has, split by another delimiter
	raw      *[]byte      // of a record that may list the names of the columns with another delimiter
	key      int32        // bytes of the first cell
	points   int32        // number of cells that are numbers with a point, or a comma before cents
	hints    int32        // number of cells that say how a column is to be filled in
	years    int32        // number of cells that are years, each following the one in the cell before
	yearish  int32        // number of cells that may be years
	calendar int32        // and of our time
	series   uint32       // the hash of the word before the number that ends the first cell: Table 1.2

	sumAt    uint16 // the cell behind the first one that is a word for a sum; 0 if none is
	percents uint16 // number of cells that are numbers with a percent sign
	indent   uint8  // blanks before the text of the first cell
	steps    steps  // the numbers behind its names

	// what it is among other records
	blank   bool
	broken  bool
	comment bool // it is a comment above the table
	section bool // it follows a title, below a blank record
	heads   bool // the next row is grouped below it

	// how it is written
	quoted       bool // the first cell is quoted
	lastText     bool // the last cell is not empty, or is quoted
	prose        bool // the first non-empty cell consists of several words
	sentence     bool // it has many words
	spaced       bool // a cell behind the first one begins with a blank
	split        bool // delimiters have split a sentence: Sheds of the quay, and what they hold
	note         bool // the first non-empty cell begins with a mark of notes
	numberedNote bool // or with the number of a note
	item         bool // or as notes in a list do: 2. Break in series
	remark       bool // it begins with a # and a blank
	ruled        bool // its cells are drawn lines
	long         bool // one of which is no sign for nothing
	page         bool // it is the line between two pages
	pageOfPages  bool // it may be one that is no more than 2/5
	numbered     bool // its last cell is such a line: Acme Ltd,,,Page 2

	// names with their values, and what is to be filled in
	keyed    bool // the first non-empty cell is a name with its value: Created: 2024-01-31
	paired   bool // one of its first two cells is a name with its value: Printed: 2024-05-31
	setting  bool // its first cell ends with a colon or an equals sign
	writeOn  bool // a cell behind the first one is a line to write on: Counted by,________
	toFillIn bool // all of its cells are names of what is to be filled in: Date:, or a drawn line
	explains bool // its cells explain what others mean: X = offered

	// what it sums up or counts
	total         bool // a cell says that the record sums up the table
	totalFirst    bool // that cell is the first non-empty one
	totalMore     bool // it also says of what: Total: all
	sumBehind     bool // another cell is a word for a sum, too
	subtotal      bool // the first non-empty cell says that the record sums up a part of it
	partTotal     bool // likewise, of a part that it names
	mean          bool // the first non-empty cell says that the record is an average, or the like
	meanOf        bool // likewise, an average of what it names
	meanOfAll     bool // likewise, of all records
	extreme       bool // the first non-empty cell names the least or the greatest value
	extra         bool // the first non-empty cell, behind the first one, names a tax, a discount or the like
	ofWhich       bool // the first cell names a part of what the record above it sums up: of which women
	result        bool // the first non-empty cell names what is computed of several sums: Net income
	counting      bool // the first non-empty cell is a word for a number of records
	countsRecords bool // the first two cells are a number and a word for records: 4,record(s) downloaded
	keyless       bool // the first cell is a word for no value: (blank)

	// balances of an account
	opens        bool // the first non-empty cell names the balance that an account begins with
	closes       bool // or that it ends with
	namesBalance bool // the first non-empty cell is the name of a balance
	onlyBalance  bool // it has nothing but the name of a balance, in the first cell or behind it, and its value

	// what stands in headers and right below them
	unit           bool // a cell names the unit of the whole table
	bracketed      bool // its cells stand in brackets, as units do
	marks          bool // its cells are marks of columns: letters, numbers, and 3=1x2
	types          bool // its cells name types of columns
	limit          bool // the first cell is a word for what the values of the columns are held against: Limit
	reachable      bool // or for what can be reached
	survey         bool // it has the names that a program for surveys gives its questions
	yearsApart     bool // its years are two, with the distance of surveys or censuses, or several distances
	namedByNumbers bool // it has a name or more, and then numbers that rise
}

// noText is the hash of an empty cell.
const noText uint64 = 14695981039346656037

// isSomeText reports whether it is the hash of any other cell.
func isSomeText(text uint64) bool { return text != noText }

// hash is FNV-1a, of eight bytes at a time as long as there are so many.
func hash(b []byte) uint64 {
	const prime = 1099511628211
	h := noText
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * prime
		h ^= h >> 32
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * prime
	}
	return h
}

// textSet is a set of texts, as hashes.
type textSet map[uint64]bool

// has reports whether a cell's text is one of them.
func (s textSet) has(cell []byte) bool { return len(s) > 0 && s[hash(cell)] }

// again adds a text, and reports whether it was there already.
func (s textSet) again(text uint64) bool {
	was := s[text]
	s[text] = true
	return was
}
