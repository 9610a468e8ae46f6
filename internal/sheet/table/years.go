package table

import (
	"slices"

	"sheetdrop/internal/sheet/kind"
)

// The digits of years, and of months with their years.
const (
	yearDigits  = 4
	monthDigits = 6
)

// years counts the cells of a record that are years, or months such as 202403. Each follows the one in the cell before, or has the distance
// of surveys or censuses from it; or all rise, or all fall. Years before our time may be any numbers: there are six or more of them that
// rise, and no other number.
type years struct {
	n, ours             int
	first, last         int
	wide, again, broken bool
	uneven              bool // the distance is another one
	rises, falls        bool // somewhere
	months              bool // they are months: 202403
}

func (y *years) add(cell []byte) {
	months := len(cell) == monthDigits
	if len(cell) != yearDigits && !months || cell[0] != '1' && cell[0] != '2' {
		return
	}
	year := 0
	for _, c := range cell {
		if c < '0' || c > '9' {
			y.broken = y.broken || !months
			return
		}
		year = year*10 + int(c-'0')
	}
	calendar := year
	if months {
		month := year % 100
		if month == 0 || month > 12 {
			return
		}
		calendar, year = year/100, year/100*12+month
	}
	if calendar < oldestYear {
		return
	}
	y.broken = y.broken || y.n > 0 && y.months != months
	y.months = months
	if calendar >= firstYear && calendar <= lastYear {
		y.ours++
	}
	y.follow(year)
}

// follow adds a year, or the number of a month.
func (y *years) follow(year int) {
	switch {
	case y.n == 0 || year == y.last+1 || year == y.last-1:
	case year == y.last, year == y.first: // once more, as under the next group
		y.wide, y.again = true, true
	case year == y.last+halfDecade || year == y.last+decade:
		y.wide = true
	default:
		y.uneven = true
	}
	y.rises, y.falls = y.rises || y.n > 0 && year >= y.last, y.falls || y.n > 0 && year <= y.last
	if y.n == 0 {
		y.first = year
	}
	y.last, y.n = year, y.n+1
}

// rise returns how many there are among so many numbers, and whether they are but two that do not follow each other, or have several
// distances.
func (y *years) rise(numbers int) (n int, apart bool) {
	if y.uneven {
		old := y.ours < y.n
		if y.broken || y.n < fewYears || y.rises && y.falls || old && (y.falls || y.months || y.n < max(numbers, manyStepped)) {
			return 0, false
		}
		return y.n, true
	}
	apart = y.wide && y.n < manyYears
	if y.broken || apart && (y.again || y.ours == 0) || (y.months || y.again) && y.ours < y.n { // 1017,1017,1017 are counts
		return 0, false
	}
	return y.n, apart
}

// isNamedByYears reports whether the record has three years or more that rise from cell to cell: by one, or as surveys and censuses do, or
// otherwise if no row below does. Or it has nothing but years and lacks the first cell, which all rows have, above numbers that are no
// years.
//
//	country,2010,2012,2014,2018,2019        ,,2023
//	                                   Pupils,girls,4120
func (c columns) isNamedByYears(r row) bool {
	if len(r.kinds) > 0 && r.kinds[0] == kind.Empty && r.filled > 0 && int(r.calendar) == r.filled &&
		c.isWithoutOurYears() && isFilled(c.rows) {
		return true
	}
	without := c.isWithoutYears() || c.yearish == 0 && c.n >= bodyRecords
	return r.years >= manyYears && (!r.yearsApart || without || r.years > manyYears && c.inYears == 0 && c.n >= manyRecords)
}

// goesOnWithYears reports whether the first value of a single column may be a year as well as the line above: numbers such as 2001, 2002,
// 3002 are a list.
func (c columns) goesOnWithYears() bool {
	return c.width == 1 && len(c.rows) > 0 && c.rows[0].yearish > 0
}

// isWithoutYears reports whether hardly any cell below may be a year, in a table of enough records.
func (c columns) isWithoutYears() bool { return c.n >= evidence && c.yearish*fewYears < c.n }

// IsOurYear reports whether the cell is a year of our time.
func IsOurYear(cell []byte) bool {
	var y years
	if len(cell) == yearDigits {
		y.add(cell)
	}
	return y.ours == 1
}

// isWithoutOurYears reports the same of years of our time: other numbers of four digits may be amounts.
func (c columns) isWithoutOurYears() bool { return c.n >= evidence && c.calendar*fewYears < c.n }

// isNamedByOneYear reports whether the record has names and a single year, above numbers of which hardly any is a year of our time.
//
//	Country,Code,2010      Country,2008
//	Aruba,  ABW, 564.83    Austria,48816
func (c columns) isNamedByOneYear(r row) bool {
	if r.calendar != 1 || r.numbers() != 1 || r.filled != seen(r.width) || r.filled < narrow || c.n < manyRecords {
		return false
	}
	n := 0
	for _, b := range c.rows {
		if b.width == c.width && b.numbers() > 0 {
			n++
		}
	}
	others := slices.ContainsFunc(r.kinds, func(k kind.Kind) bool { return k != kind.Word && k != kind.Number })
	return !others && share(c.calendar, n) <= yearsByChance
}

// areDated reports whether nearly all records have a year of our time.
func (c columns) areDated() bool { return c.n >= evidence && share(c.calendar, c.n) >= columnOfKind }

// hasOnlyYears reports whether all numbers of the record are years of our time: in a table where each record has one it sums up nothing,
// whatever it is called.
//
//	Title,              Year,Pages
//	Notes from the yard,1931,312 p.
//	Total war: a sketch,1961,
func (r row) hasOnlyYears() bool { return r.calendar > 0 && int(r.calendar) == r.numbers() }
