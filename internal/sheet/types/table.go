package types

// Table observes the cells of a sheet's rows and determines the types of its columns. It is not safe for concurrent
// use.
type Table struct {
	columns    []column
	semicolons bool
}

// usualColumns is the width beyond which tables do not cache recent values, to save 4 KiB per column, and keep only one
// example and misfit.
const usualColumns = 1024

// NewTable returns an empty Table with this many columns.
func NewTable(columns int) *Table {
	t := &Table{columns: make([]column, columns)}
	for i := range t.columns {
		t.columns[i] = newColumn()
		c := &t.columns[i]
		if columns > usualColumns {
			c.profile.examplesKept, c.misses.room = 1, 1
		} else {
			c.recent = new([1 << recentBits]short)
		}
	}
	return t
}

// Add adds the cells of a row, one for each column: nil for cells that the file does not have. They are UTF-8 without
// U+0000. A cell of white space counts as empty. Add does not retain cells.
func (t *Table) Add(row int64, cells [][]byte) {
	columns := t.columns
	for i, cell := range cells[:len(columns)] {
		c := &columns[i]
		var s short
		switch n := len(cell); {
		case n == 0:
			c.addEmpty(cell == nil)
			continue
		case n <= 8:
			s.head = headOf(cell)
		case n <= shortBytes:
			s.head, s.tail = word(cell), tailOf(cell)
		default:
			c.addLong(row, cell)
			continue
		}
		if c.recent == nil {
			c.addShort(row, s)
		} else if recent := &c.recent[s.place()]; *recent == s {
			c.values++
		} else if c.addShort(row, s) {
			*recent = s
		}
	}
}

// Elapsed says, before Reports, that the column's clock values are hours, minutes and seconds that have passed, even if none of them is
// beyond a day.
func (t *Table) Elapsed(column int) {
	if c := &t.columns[column]; c.open&elapsed != 0 {
		c.open &^= timeOfDay
		c.watched &^= timeOfDay
	}
}

// Decimal says, before Reports, that the column's numbers are displayed with decimals, even if all of them are whole.
func (t *Table) Decimal(column int) {
	if c := &t.columns[column]; c.open&decimalPoint != 0 {
		c.open &^= integerPoint
	}
}

// Semicolons says, before Reports, that semicolons separate the cells, as they do where commas are decimal marks: 1,125 is then no 1125
// unless other values tell.
func (t *Table) Semicolons() { t.semicolons = true }

// Report is what a Table found out about a column.
type Report struct {
	Type      Type     `json:"type"`
	Format    string   `json:"format,omitempty"`    // how its values are written; empty for text
	Digits    int      `json:"digits,omitempty"`    // the maximum number of significant digits of its numbers
	Ambiguous []string `json:"ambiguous,omitempty"` // formats that would change the meaning of every value and could not be ruled out
	Nulls     int64    `json:"nulls"`               // rows that do not have the cell
	Empty     int64    `json:"empty"`               // cells that are empty or white space
	// number of distinct values: exact up to 192, then an estimate with a standard error of 2.3 %
	Distinct int64  `json:"distinct"`
	Min      string `json:"min,omitempty"` // as Converter.Value returns it; for text the first 64 bytes, in byte order
	Max      string `json:"max,omitempty"`
	Longest  int    `json:"longest"` // characters of the longest value
	// the first five distinct values, truncated to 64 bytes; in a table of more than 1,024 columns only the first
	Examples []string `json:"examples,omitempty"`
	Nearly   *Nearly  `json:"nearly,omitempty"`

	NullWords []NullWord `json:"null_words,omitempty"` // cells that stand for no value, as N/A among numbers; they are no values here
}

// Nearly says that a column would have a narrower type except for some of its values: at most a thousand, and less than
// half.
type Nearly struct {
	Type    Type     `json:"type"`
	Format  string   `json:"format,omitempty"`
	Count   int64    `json:"count"`   // of the values that do not have the type
	Misfits []Misfit `json:"misfits"` // the first five; in a table of more than 1,024 columns only one
}

// Reports decides the types of the columns. They are decided together: a column that could be read in two ways, like
// 1.234 or 1/2/2024, is read like the others if those agree.
func (t *Table) Reports() []Report {
	h := habits{semicolons: t.semicolons}
	for i := range t.columns {
		h.learn(&t.columns[i])
	}
	reports := make([]Report, len(t.columns))
	for i := range t.columns {
		reports[i] = t.columns[i].report(h)
	}
	return reports
}

func (c *column) report(h habits) Report {
	d := c.decide(h)
	c.keepWords(d.candidate)
	r := Report{
		Type:     typeOf(d.candidate),
		Format:   formatOf(d.candidate, c.seen),
		Nulls:    c.nulls,
		Empty:    c.empty,
		Distinct: min(c.profile.distinct.Estimate(), c.values),
		Longest:  c.profile.longest,
		Examples: c.profile.examples,

		NullWords: c.words.list(),
	}
	if d.candidate&numbers != 0 {
		r.Digits = max(c.digits, c.plain.digits)
	}
	d.others.each(func(i int) { r.Ambiguous = append(r.Ambiguous, formatOf(1<<i, c.seen)) })
	r.Min, r.Max = c.limits(d.candidate)
	if nearly, count := c.misses.fewest(d.nearly(), c.values); nearly != 0 {
		r.Nearly = &Nearly{typeOf(nearly), formatOf(nearly, c.seen), count, c.misses.of(nearly)}
	}
	return r
}

// limits returns the minimum and the maximum.
func (c *column) limits(candidate set) (least, greatest string) {
	if candidate&booleans != 0 {
		return "", ""
	}
	if candidate == 0 {
		return shown(c.profile.least.text), shown(c.profile.greatest.text)
	}
	var all bounds
	for at := range endOfSlots {
		if slots[at]&candidate != 0 {
			all.join(&c.bounds[at], at.isNumber())
		}
	}
	if candidate&(numbers|dateEvident|stampEvident) != 0 {
		c.plain.addTo(&all, candidate)
	}
	text := Converter{accept: candidate}
	return text.canonical(all.min.text), text.canonical(all.max.text)
}

// as returns the report of a column with a declared type and this many digits: what was found about values of another
// type is omitted.
func (r Report) as(t Type, format string, digits int) Report {
	number := func(t Type) bool { return t == Integer || t == Decimal }
	if r.Type != t && !(number(r.Type) && number(t)) {
		r.Min, r.Max = "", ""
	}
	r.Type, r.Format, r.Digits, r.Ambiguous, r.Nearly = t, format, digits, nil, nil
	return r
}
