package dialect

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode"

	"sheetdrop/internal/sheet/csv"
)

// The number of records from which a layout is decided.
const (
	headRows  = 1000
	otherRows = 1000
)

// row is what is kept of a record.
type row struct {
	sample   int32
	colons   int32 // number of cells that end with a colon, as names do that stand before their values
	line     int64 // in its sample, from 1
	width    int
	filled   int    // number of non-empty cells
	part     uint64 // the hash of the name of the part that it sums up
	outline  uint32 // the hash of the number of parts that it begins with: 1.2
	outer    uint32 // and that of the number without its last part
	legend   uint64 // the hash of what its only cell explains: X = offered
	mark     string // of a comment, if it begins with one
	kinds    []kind
	texts    []uint64 // hashes of the cells
	appended *[]kind  // of the cells that a record of one cell has, split by another delimiter
	raw      *[]byte  // of a record that may list the names of the columns with another delimiter
	years    int      // number of cells that are years, each following the one in the cell before
	key      int32    // bytes of the first cell
	points   int32    // number of cells that are numbers with a point
	percents int32    // number of cells that are numbers with a percent sign
	meaning  int32    // the last cell behind the first one that explains what another means: x = done; 0 if none does
	hints    int32    // number of cells that say how a column is to be filled in
	yearish  int32    // number of cells that may be years
	calendar int32    // and of our time

	sumAt          uint16 // the cell behind the first one that is a word for a sum; 0 if none is
	blank          bool
	remark         bool // it begins with a # and a blank
	broken         bool
	extra          bool // the first non-empty cell, behind the first one, names a tax, a discount or the like
	keyless        bool // the first cell is a word for no value: (blank)
	quoted         bool // the first cell is quoted
	lastText       bool // the last cell is not empty, or is quoted
	prose          bool // the first non-empty cell consists of several words
	sentence       bool // it has many words
	split          bool // delimiters have split a sentence: Sheds of the quay, and what they hold
	numberedNote   bool // it begins with the number of a note
	item           bool // it begins as notes in a list do: 2. Break in series
	keyed          bool // the first non-empty cell is a name with its value: Created: 2024-01-31
	note           bool // it begins with a mark of notes
	unit           bool // a cell names the unit of the whole table
	opens          bool // it is named as the balance that an account begins with
	closes         bool // or ends with
	explains       bool // its cells explain what others mean: X = offered
	section        bool // it follows a title, below a blank record
	page           bool // it is the line between two pages
	numbered       bool // its last cell is such a line: Acme Ltd,,,Page 2
	marks          bool // its cells are marks of columns: letters, numbers, and 3=1x2
	paired         bool // one of its first two cells is a name with its value: Printed: 2024-05-31
	ruled          bool // its cells are drawn lines
	long           bool // one of which is no sign for nothing
	types          bool // its cells name types of columns
	total          bool // a cell says that the record sums up the table
	totalFirst     bool // and it is the first non-empty one
	totalMore      bool // which also says of what: Total: all
	sumBehind      bool // another cell is a word for a sum, too
	subtotal       bool // the first non-empty cell says that the record sums up a part of it
	partTotal      bool // likewise, of a part that it names
	countsRecords  bool // the first two cells are a number and a word for records: 4,record(s) downloaded
	counting       bool // the first non-empty cell is a word for a number of records
	mean           bool // the first non-empty cell says that the record is an average, or the like
	meanOf         bool // likewise, an average of what it names
	meanOfAll      bool // likewise, of all records
	extreme        bool // likewise, the least or the greatest value
	comment        bool // it is a comment above the table
	onlyBalance    bool // it has nothing but the name of a balance, in the first cell or behind it, and its value
	bracketed      bool // its cells stand in brackets, as units do
	hasSumWord     bool // a word of the first non-empty cell, which is not the first one, is one for a sum
	result         bool // the first non-empty cell names what is computed of several sums: Net income
	namesBalance   bool // the first non-empty cell is the name of a balance
	survey         bool // it has the names that a program for surveys gives its questions
	risesByOne     bool // the cells are whole numbers that rise by one
	namedByNumbers bool // it has a name or more, and then numbers that rise
	setting        bool // its first cell ends with a colon or an equals sign
	writeOn        bool // a cell behind the first one is a line to write on: Counted by,________
	toFillIn       bool // all of its cells are names of what is to be filled in: Date:, or a drawn line
	rising         bool // the cells behind its name are numbers that rise, and the workbook says that it may be a header
	yearsApart     bool // its years are two, with the distance of surveys or censuses, or several distances
}

// readRows reads the first and the last records of the text, and some of each sample between, without their first cells.
func readRows(samples []Sample, d Dialect, from int) []row {
	rows := make([]row, 0, headRows+otherRows)
	for i, s := range samples {
		last := i == len(samples)-1
		text := s.Text
		if i > 0 && !last { // it only tells how wide the table is there
			text = endOf(text)
		}
		before := len(rows)
		rows = d.reading(i, from).sample(rows, text, last)
		if i > 0 && len(rows) > before { // its first one may have begun before the sample
			rows = slices.Delete(rows, before, before+1)
		}
	}
	return rows
}

// reading makes rows of a sample's records.
type reading struct {
	Dialect
	memory
	no   int // of the sample
	from int // the first cell that is looked at
}

func (d Dialect) reading(no, from int) *reading { return &reading{Dialect: d, no: no, from: from} }

// sample appends the first records and, if last is set, the last ones.
func (m *reading) sample(rows []row, text []byte, last bool) []row {
	sc := m.scanner(csv.NewText(text), sampleBytes)
	most := len(rows) + headRows
	var tail ending
	for {
		rec, err := sc.Next()
		switch {
		case errors.Is(err, io.EOF):
			return m.rows(rows, tail)
		case len(rows) < most:
			rows = append(rows, m.row(rec))
		case len(tail) < otherRows:
			tail.add(rec)
		case !last:
			return m.rows(rows, tail)
		default:
			tail.halve()
			tail.add(rec)
		}
	}
}

// rows appends the rows of records.
func (m *reading) rows(rows []row, records []csv.Record) []row {
	rows = slices.Grow(rows, len(records))
	for i := range records {
		rows = append(rows, m.row(&records[i]))
	}
	return rows
}

// ending is the last records of a text, as they were split: only those that no other one follows are worth a closer look.
type ending []csv.Record

// add appends a record, in the memory of one that was dropped.
func (e *ending) add(rec *csv.Record) {
	var fields []csv.Field
	if n := len(*e); n < cap(*e) {
		fields = (*e)[:n+1][n].Fields
	}
	kept := *rec
	fields = append(fields[:0], rec.Fields...)
	kept.Fields = fields
	*e = append(*e, kept)
}

// halve drops the first half.
func (e *ending) halve() {
	half := len(*e) / 2
	for i := range half {
		(*e)[i], (*e)[half+i] = (*e)[half+i], (*e)[i]
	}
	*e = (*e)[:half]
}

// memory allocates the cells of many records.
type memory struct {
	kinds []kind
	texts []uint64
}

// take returns memory for n cells.
func (m *memory) take(n int) ([]kind, []uint64) {
	if len(m.kinds) < n {
		m.kinds, m.texts = make([]kind, 8*maxColumns), make([]uint64, 8*maxColumns)
	}
	kinds, texts := m.kinds[:n:n], m.texts[:n:n]
	m.kinds, m.texts = m.kinds[n:], m.texts[n:]
	return kinds, texts
}

func (m *reading) row(rec *csv.Record) row {
	r := row{sample: int32(m.no), line: rec.Line, width: max(0, rec.Width-m.from), blank: isBlank(rec), broken: rec.Fault != csv.NoFault}
	r.mark, r.remark = m.markOf(rec.Raw), bytes.HasPrefix(rec.Raw, []byte("# "))
	fields := rec.Fields[min(len(rec.Fields), m.from):]
	r.kinds, r.texts = m.take(len(fields))
	var y years
	for i, f := range fields {
		r.look(i, trim(rec.Raw[f.Start:f.End]), &y)
	}
	r.lookAtAll(func(i int) []byte { return rec.Raw[fields[i].Start:fields[i].End] }, &y, true)
	if rec.Width == 1 && r.filled == 1 && !r.broken {
		if kinds := m.appendedKinds(rec.Raw); kinds != nil {
			r.appended = &kinds
		}
	}
	if m.no == 0 && m.from == 0 && !r.blank && (rec.Width == 1 || r.mark != "" || m.Delimiter == " ") {
		line := rec.Raw
		r.raw = &line
	}
	r.split = r.prose && r.filled == len(fields) && isSplit(rec.Raw, fields)
	r.blank = r.blank || r.filled == 0 && (m.from > 0 || bytes.IndexByte(rec.Raw, m.Quote) < 0)
	if len(fields) > 0 {
		r.quoted = m.Quote != 0 && fields[0].Start > 0 && rec.Raw[fields[0].Start-1] == m.Quote
		f := fields[len(fields)-1]
		last := trim(rec.Raw[f.Start:f.End])
		r.numbered = r.filled > 1 && r.filled <= paddedGaps+1 && r.kinds[len(fields)-1] != number && isPageLine(last)
		r.lastText = f.End > f.Start || int(f.End) < len(rec.Raw)
	}
	return r
}

// look records what cell i shows.
func (r *row) look(i int, cell []byte, y *years) {
	r.kinds[i], r.texts[i] = kindOf(cell), hash(cell)
	if i == 0 {
		r.key = int32(len(cell))
		r.outline, r.outer = outlineOf(cell)
		r.keyless = r.kinds[0] == empty && bytes.ContainsFunc(cell, unicode.IsLetter)
	}
	if len(cell) == 0 {
		return
	}
	r.legend = 0
	if r.filled++; r.filled == 1 {
		r.note = isNote(cell)
		r.prose = r.note || isProse(cell)
		r.keyed = bytes.Contains(cell, []byte(": "))
		r.sentence = r.prose && hasWords(cell, sentenceWords)
		r.item = r.prose && isItem(cell)
		r.numberedNote = r.sentence && isNumberedNote(cell)
		r.legend = explained(cell)
		r.ruled, r.types, r.marks, r.explains = true, true, true, true
		if k := r.kinds[i]; k != number && k != moment {
			r.lookForLabel(i, cell)
		}
	}
	if i == 1 && r.filled == listCells && r.kinds[0] == number {
		r.countsRecords = isOfRecords(cell)
	}
	r.survey = (r.survey || r.filled == 1) && isImportID(cell)
	if i == 0 {
		r.setting = cell[len(cell)-1] == ':' || cell[len(cell)-1] == '='
	}
	line := isRuler(cell)
	r.ruled, r.long = r.ruled && (line || isStroke(cell)), (r.long && r.filled > 1) || line
	r.marks = r.marks && isColumnMark(cell)
	r.types = r.types && (isTypeName(cell) || i == 0 && cell[0] == '#') // #q2:types
	r.toFillIn = (r.toFillIn || r.filled == 1) && isToFill(cell)
	r.writeOn = r.writeOn || i > 0 && isWriteLine(cell)
	r.unit = r.unit || isUnit(cell)
	r.bracketed = (r.bracketed || r.filled == 1) && isBracketed(cell)
	if cell[len(cell)-1] == ':' {
		r.colons++
	} else if !r.paired && r.filled <= groupNames {
		r.paired = bytes.Contains(cell, []byte(": ")) || bytes.Contains(cell, []byte("："))
	}
	if i > 0 && r.kinds[i] == word && explained(cell) != 0 {
		r.meaning = int32(i)
	}
	r.explains = r.explains && r.kinds[i] != number && r.kinds[i] != moment && explained(cell) != 0
	if r.kinds[i] == number {
		r.countSigns(cell)
	}
	if r.kinds[i] == word {
		r.lookForSum(i, cell)
		if r.line <= hintLines && isHint(cell) {
			r.hints++
		}
	}
	y.add(cell)
}

// lookForLabel records what the first text that is not empty, cell i, says of its record: what it sums up, or the like.
func (r *row) lookForLabel(i int, cell []byte) {
	r.totalMore = isTotalOf(cell)
	r.total = r.totalMore || isTotalIn(cell)
	r.totalFirst = r.total
	r.subtotal, r.partTotal, r.mean = isSubtotal(cell), isPartTotal(cell), isMean(cell)
	if r.partTotal {
		r.kinds[i], r.part = word, partOf(cell) // which looks like a code in 第1週計
	} else if part, found := bytes.CutSuffix(cell, partTitle); found {
		r.part = hash(part)
	}
	r.extreme, r.meanOf, r.counting = isExtreme(cell), isMeanOf(cell), isCounting(cell)
	r.meanOfAll = r.meanOf && isMeanOfAll(cell)
	r.result, r.extra = i == 0 && isResultName(cell), i > 0 && isExtra(cell)
	r.opens, r.closes = opensAccount(cell), closesAccount(cell)
	r.namesBalance, r.hasSumWord = r.kinds[i] == word && isBalance(cell), r.kinds[i] == word && i > 0 && hasSumWord(cell)
}

// lookForSum records whether cell i, a text that is not empty, is a word for a sum.
func (r *row) lookForSum(i int, cell []byte) {
	total, subtotal := readSumWord(cell)
	if r.filled > 1 && r.sumAt == 0 && (total || subtotal) {
		r.sumAt = uint16(i) // of maxColumns at most
	}
	if total {
		r.total = true
		if r.totalFirst = r.totalFirst || r.filled == 1; r.filled > 1 {
			r.sumBehind = true
		}
	}
}

// lookAtAll records what the cells show together, after each of them was looked at; cell returns one of them. balanceFirst says that the
// name of a balance may stand in the first cell, and its value behind it.
func (r *row) lookAtAll(cell func(i int) []byte, y *years, balanceFirst bool) {
	r.yearish, r.calendar = int32(y.n), int32(y.ours)
	r.years, r.yearsApart = y.rise()
	if r.filled == listCells && len(r.kinds) > narrow {
		name := slices.Index(r.kinds, word)
		if name > 0 && r.kinds[0] == empty || balanceFirst && name == 0 && slices.Contains(r.kinds, number) {
			r.onlyBalance = isBalance(cell(name))
		}
	}
	if r.filled == 1 {
		only := 0
		for only < len(r.kinds) && len(bytes.TrimSpace(cell(only))) == 0 {
			only++
		}
		r.page = isPageLine(bytes.TrimSpace(cell(only)))
	}
}

// dropTrailing removes the last n cells of a record of this width, if they are empty; of any wider than the table, if n is not 1.
func (r *row) dropTrailing(width, n int) {
	width -= n
	if r.width <= width || n == 1 && (r.lastText || r.width != width+n) {
		return
	}
	if n > 1 && slices.ContainsFunc(r.texts[min(width, len(r.texts)):], isSomeText) {
		return
	}
	r.width = width
	kept := min(r.width, len(r.kinds))
	r.kinds, r.texts = r.kinds[:kept], r.texts[:kept]
}

// dropLeading removes the first n cells of a record, if they are empty or have nothing but a title, or the word of a total.
func (r *row) dropLeading(n int) {
	if len(r.texts) <= n || !r.beginsAsSum() && r.filled > 1 && slices.ContainsFunc(r.texts[:n], isSomeText) {
		return
	}
	label := slices.IndexFunc(r.texts[:n], isSomeText)
	if label >= 0 && r.kinds[n] == empty {
		r.kinds[n], r.texts[n] = word, r.texts[label]
	}
	r.width -= n
	r.kinds, r.texts = r.kinds[n:], r.texts[n:]
}

// cutTo removes the cells from that column on.
func (r *row) cutTo(to int) {
	for i, k := range r.kinds[to:] {
		if r.has(to+i, k) {
			r.filled--
		}
	}
	r.width, r.kinds, r.texts = to, r.kinds[:to], r.texts[:to]
	r.blank = r.blank || r.filled <= 0
}
