package types

// Report is what a Table found out about a column.
type Report struct {
	Type      Type     `json:"type"`
	Format    string   `json:"format,omitempty"`    // how its values are written; empty for text
	Digits    int      `json:"digits,omitempty"`    // the most significant digits that a number has
	Ambiguous []string `json:"ambiguous,omitempty"` // formats that give every value another meaning and could not be ruled out
	Nulls     int64    `json:"nulls"`               // rows in which the file has no cell
	Empty     int64    `json:"empty"`               // cells that are empty or white space
	Distinct  int64    `json:"distinct"`            // different values, exact up to 192, else an estimate with a standard error of 2.3 %
	Min       string   `json:"min,omitempty"`       // as Converter.Value gives it; of text its first 64 bytes, in the order of bytes
	Max       string   `json:"max,omitempty"`
	Longest   int      `json:"longest"`            // characters of the longest value
	Examples  []string `json:"examples,omitempty"` // the first five different values, their first 64 bytes; of a table of more than 1,024 columns the first one
	Nearly    *Nearly  `json:"nearly,omitempty"`
}

// Nearly says that a column would have a narrower type but for some of its values: not more than a thousand, and less than half.
type Nearly struct {
	Type    Type     `json:"type"`
	Format  string   `json:"format,omitempty"`
	Count   int64    `json:"count"`   // of the values that are not of the type
	Misfits []Misfit `json:"misfits"` // the first five; of a table of more than 1,024 columns one of them
}

// Reports decides the types of the columns. They are decided together: where a column could be read in two ways, as 1.234 or 1/2/2024
// can, it is read as the others are, if those agree.
func (t *Table) Reports() []Report {
	var h habits
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
	r := Report{
		Type:     typeOf(d.candidate),
		Format:   formatOf(d.candidate, c.seen),
		Nulls:    c.nulls,
		Empty:    c.empty,
		Distinct: min(c.profile.distinct.estimate(), c.values),
		Longest:  c.profile.longest,
		Examples: c.profile.examples,
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

// limits returns the least and the greatest value.
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

// as returns the report of a column whose type was declared and whose numbers have so many digits: what was found out about values of
// another type is left out.
func (r Report) as(t Type, format string, digits int) Report {
	number := func(t Type) bool { return t == Integer || t == Decimal }
	if r.Type != t && !(number(r.Type) && number(t)) {
		r.Min, r.Max = "", ""
	}
	r.Type, r.Format, r.Digits, r.Ambiguous, r.Nearly = t, format, digits, nil, nil
	return r
}
