package types

// habits are what the columns of a sheet reveal about its writer: how many of them can be read in only one way.
type habits struct {
	point, comma         int // the decimal mark
	dayFirst, monthFirst int
	yearFirst, yearLast  int  // of years of two digits
	semicolons           bool // between the cells
}

func (h *habits) learn(c *column) {
	open := c.plausible()
	if byPoint, byComma := open&pointNumbers != 0, open&commaNumbers != 0; c.seen&marked != 0 && byPoint != byComma {
		if byPoint {
			h.point++
		} else {
			h.comma++
		}
	}
	open = c.likelier(open & moments)
	byYear := open&yearFirsts != 0
	if byDay, byMonth := open&dayFirsts != 0, open&monthFirsts != 0; byDay != byMonth && !byYear {
		if byDay {
			h.dayFirst++
		} else {
			h.monthFirst++
		}
	}
	if byYear && open&^yearFirsts == 0 {
		h.yearFirst++
	} else if !byYear && open&shorts != 0 {
		h.yearLast++
	}
}

// decision is how a column is read.
type decision struct {
	candidate set // empty means as text
	others    set // candidates that would change the meaning of every value and cannot be ruled out
}

// decide picks the narrowest of the remaining candidates.
func (c *column) decide(h habits) decision {
	open := c.plausible()
	switch {
	case open&booleans != 0:
		return decision{candidate: (open & booleans).narrowest()}
	case open&dateCompact != 0:
		return decision{candidate: dateCompact}
	case open&numbers != 0 && !(open&stampEvident != 0 && c.hasHours()):
		return c.decideNumber(open, h)
	}
	for _, group := range []set{dates, stamps, zoned} {
		if open&group != 0 {
			return decideMoment(c.likelier(open&group), h)
		}
	}
	return decision{candidate: (open & clocks).narrowest()}
}

// plausible returns the candidates that fit every value and the column as a whole.
func (c *column) plausible() set {
	open := c.open
	if c.values == 0 {
		return 0
	}
	// Two currencies do not make a column of numbers. If (1) and (2) are all there is, they are the marks of a list,
	// not -1 and -2; and 192.168.100.200 is an address.
	if currenciesIn(c.seen) > 1 || c.seen&(doubtful|usual) == doubtful {
		open &^= numbers
	}
	// The yen has no subunit: ¥1,200 is not 1.2.
	if c.seen&yenSeen != 0 && open&pointNumbers != 0 {
		open &^= commaNumbers
	}
	// A column with only NO is more likely one of countries.
	if c.seen&(affirmed|denied) != affirmed|denied {
		open &^= codes
	}
	if c.seen&oneDigitSeen != 0 && !c.areShortDays() {
		open &^= shorts
	}
	if open&moments != 0 && c.isBuddhist() {
		open &^= moments
	}
	return open
}

// What a column with 5.1.24 must have to be one of dates, rather than of versions: some values, a first part that is no month, and days
// that lie in these years.
const (
	fewShortDays  = 5
	shortDayYears = 30
)

// areShortDays reports whether the column has that.
func (c *column) areShortDays() bool {
	b := &c.bounds[ordinary]
	return c.values >= fewShortDays && c.seen&certainlyDays != 0 && b.any && b.span() < shortDayYears*366*daySeconds
}

// The years of the Buddhist calendar from 1900 to 2100, which is 543 years ahead.
const (
	firstBuddhistYear = 1900 + 543
	lastBuddhistYear  = 2100 + 543
)

// isBuddhist reports whether all days are in years that are hardly those of the Gregorian calendar: 31/01/2567 is a day of 2024 in
// Thailand.
func (c *column) isBuddhist() bool {
	if p := &c.plain; p.least <= p.greatest && (p.least/dayUnit/10_000 < firstBuddhistYear || p.greatest/dayUnit/10_000 > lastBuddhistYear) {
		return false
	}
	b := &c.bounds[ordinary]
	first, end := date{firstBuddhistYear, 1, 1}, date{lastBuddhistYear + 1, 1, 1}
	return b.any && b.min.key.high >= first.number()*daySeconds && b.max.key.high < end.number()*daySeconds
}

// hasHours reports whether the first or the last moment of a column is not in the first hour of a day. Where all are numbers as well,
// 20240105090507, they may be days with a number behind each: 20240105000001.
func (c *column) hasHours() bool {
	const hour = 3600
	b := &c.bounds[ordinary]
	return b.min.key.high%daySeconds >= hour || b.max.key.high%daySeconds >= hour
}

// decideNumber decides what the marks mean: by the values themselves, otherwise by the sheet's other columns; otherwise the point is the
// decimal mark, and if there is none in the sheet so is the comma between semicolons.
func (c *column) decideNumber(open set, h habits) decision {
	byPoint, byComma := (open & pointNumbers).narrowest(), (open & commaNumbers).narrowest()
	switch {
	case byPoint == 0:
		return decision{candidate: byComma}
	case byComma == 0 || c.seen&marked == 0:
		return decision{candidate: byPoint}
	case h.comma > 0 && h.point == 0:
		return decision{candidate: byComma}
	case h.point > 0 && h.comma == 0:
		return decision{candidate: byPoint}
	}
	if h.semicolons && h.point+h.comma == 0 && byComma == decimalComma {
		return decision{candidate: byComma, others: byPoint}
	}
	return decision{candidate: byPoint, others: byComma}
}

// How many times the days of one reading have to be as far apart as those of another for that to be preferred; among many values a few less
// tell.
const (
	clearlyLonger   = 4
	longerAmongMany = 3
	manyShortYears  = 15
)

// likelier decides whether years of two digits stand first or last, where both are possible: what is read the right way lies closer
// together than what takes days for years.
func (c *column) likelier(open set) set {
	last := open &^ yearFirsts
	if last == open || last == 0 {
		return open
	}
	first := c.bounds[early].span()
	others := c.bounds[ordinary].span()
	if open&dayFirsts == 0 || open&monthFirsts != 0 && c.bounds[swapped].span() < others {
		others = c.bounds[swapped].span()
	}
	longer := int64(clearlyLonger)
	if c.values >= manyShortYears {
		longer = longerAmongMany
	}
	switch {
	case others*longer < first:
		return last
	case first*longer < others:
		return open & yearFirsts
	}
	return open
}

// decideMoment decides whether the day, the month or a year of two digits comes first: by the values, otherwise by the sheet's other
// columns; otherwise it is unknown, and the column stays text.
func decideMoment(open set, h habits) decision {
	byDay, byMonth, byYear := open&dayFirsts, open&monthFirsts, open&yearFirsts
	switch {
	case byYear != 0 && byYear != open && h.yearFirst > 0 && h.yearLast == 0:
		return decision{candidate: byYear}
	case byYear != 0 && byYear != open && h.yearLast > 0 && h.yearFirst == 0:
		return decideMoment(open&^yearFirsts, h)
	case byYear != 0 && byYear != open:
		return decision{others: open}
	case byDay == 0 || byMonth == 0:
		return decision{candidate: open}
	case h.dayFirst > 0 && h.monthFirst == 0:
		return decision{candidate: byDay}
	case h.monthFirst > 0 && h.dayFirst == 0:
		return decision{candidate: byMonth}
	}
	return decision{others: open}
}

// nearly returns the candidates of narrower types than the decision's for which it is worth reporting what kept the
// column from having that type.
func (d decision) nearly() set {
	switch d.candidate {
	case 0:
		return inferred
	case integerPoint, integerComma:
		return dateCompact
	case decimalPoint:
		return integerPoint
	case decimalComma:
		return integerComma
	case stampEvident:
		return dateEvident
	case stampDayFirst:
		return dateDayFirst
	case stampMonthFirst:
		return dateMonthFirst
	case elapsed:
		return timeOfDay
	}
	return 0
}
