package dialect

import "sheetdrop/internal/sheet/csv"

// bracketsMoments reports whether each of the first records, three at least, has a moment and its zone in brackets, between which a blank
// stands that is no delimiter, as web servers write it.
//
//	192.0.2.11 - - [11/Feb/2025:06:00:01 +0100] "GET / HTTP/1.1" 200 512
func (d Dialect) bracketsMoments(text []byte) bool {
	if d.Delimiter != " " {
		return false
	}
	sc, n := d.Scanner(csv.NewText(text), recordBytes), 0
	for ; n < firstRecords; n++ {
		rec, err := sc.Next()
		if err != nil {
			break
		}
		if IsBlank(rec) {
			continue
		}
		found := false
		for i := 0; i+1 < len(rec.Fields) && !found; i++ {
			f, zone := rec.Fields[i], rec.Fields[i+1]
			found = f.End > f.Start && rec.Raw[f.Start] == '[' && csv.IsZone(rec.Raw[zone.Start:zone.End])
		}
		if !found {
			return false
		}
	}
	return n >= Evidence
}
