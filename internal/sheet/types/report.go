package types

// Report is what an Observer found out about a column.
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
	Examples  []string `json:"examples,omitempty"` // the first five different values, their first 64 bytes
	Nearly    *Nearly  `json:"nearly,omitempty"`
}

// Nearly says that a column would have a narrower type but for some of its values: not more than a thousand, and less than half.
type Nearly struct {
	Type    Type     `json:"type"`
	Format  string   `json:"format,omitempty"`
	Count   int64    `json:"count"`   // of the values that are not of the type
	Misfits []Misfit `json:"misfits"` // the first five
}

// Reports decides the types of a sheet's columns. They are decided together: where a column could be read in two ways, as 1.234 or
// 1/2/2024 can, it is read as the others are, if those agree.
func Reports(columns []*Observer) []Report {
	var c convention
	for _, o := range columns {
		o.flush()
		c.learn(o)
	}
	reports := make([]Report, len(columns))
	for i, o := range columns {
		reports[i] = o.report(c)
	}
	return reports
}

func (o *Observer) report(c convention) Report {
	d := o.decide(c)
	r := Report{
		Type:     typeOf(d.candidate),
		Format:   formatOf(d.candidate, o.seen),
		Nulls:    o.nulls,
		Empty:    o.empty,
		Distinct: min(o.profile.distinct.estimate(), o.values),
		Longest:  o.profile.longest,
		Examples: o.profile.examples,
	}
	if d.candidate&numbers != 0 {
		r.Digits = max(o.digits, o.plain.digits)
	}
	d.others.each(func(i int) { r.Ambiguous = append(r.Ambiguous, formatOf(1<<i, o.seen)) })
	r.Min, r.Max = o.limits(d.candidate)
	if nearly, count := o.misses.fewest(d.nearly(), o.values); nearly != 0 {
		r.Nearly = &Nearly{typeOf(nearly), formatOf(nearly, o.seen), count, o.misses.of(nearly)}
	}
	return r
}

// limits gives the least and the greatest value.
func (o *Observer) limits(candidate set) (least, greatest string) {
	if candidate&booleans != 0 {
		return "", ""
	}
	if candidate == 0 {
		return shown(o.profile.least.text), shown(o.profile.greatest.text)
	}
	var all bounds
	for at := noSlot; at < endOfSlots; at++ {
		if slots[at]&candidate != 0 {
			all.join(&o.bounds[at], at.isNumber())
		}
	}
	if candidate&(numbers|dateClear|stampClear) != 0 {
		o.plain.addTo(&all, candidate)
	}
	text := Converter{accept: candidate}
	return text.canonical(all.min.text), text.canonical(all.max.text)
}

// As gives the report of a column whose type was declared: what was found out about values of another type is left out.
func (r Report) As(t Type, format string) Report {
	if r.Type != t {
		r.Min, r.Max, r.Digits = "", "", 0
	}
	r.Type, r.Format, r.Ambiguous, r.Nearly = t, format, nil, nil
	return r
}
