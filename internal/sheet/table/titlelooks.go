package table

import "sheetdrop/internal/sheet/kind"

// titleLooks counts the titles of parts, and tells whether they are bold or coloured, as strong has it of a worksheet's first rows, and
// most rows are not.
type titleLooks struct {
	strong []bool
	titles int
	bold   int // titles that are strong
	plain  int // rows that are not, less those that are
	values int // strong years and days that stand alone as titles do
	apart  int // years and days alone above rows without a first cell
	begun  int // rows with more cells that have a first one

	parents int // titles of which the next row is a part by its number or its indent: 1 Walls, above 1.1 Plaster

	summed int // sums of parts that name a title above

	names   map[uint64]bool // the hashes of the titles, where they are looked at
	ofParts map[uint64]bool // and of the parts, in small letters and without what they end with
}

// looksOfTitles looks for titles of parts among the rows, of which this is the first one that is not blank.
func (c columns) looksOfTitles(rows []row, first int, strong []bool) titleLooks {
	looks := titleLooks{strong: strong, names: map[uint64]bool{}, ofParts: map[uint64]bool{}}
	alone := rows[first].width == 1 && rows[first].isTitle() && columnKinds(c.fuller(rows), c.width).kinds[0] > kind.Word // so may others be
	nested := rows[first].isTitle() && nests(rows[first+1:])
	for i := range rows {
		switch r := &rows[i]; {
		case r.isTitle() && (r.width == c.width || i == first || r.width == 1 && (alone || rows[i-1].blank)) &&
			(rows[i+1].filled > 1 || nested && nests(rows[i+1:])):
			looks.names[r.texts[0]] = true
			looks.ofParts[r.part] = true
			looks.addTitle(i)
			if rows[i+1].isPartOf(*r) {
				looks.parents++
			}
		case r.isValueAlone() && i+1 < len(rows) && rows[i+1].filled > 1 && looks.isStrong(i) && !c.beginAs(*r):
			looks.values++
		case r.isValueAlone() && i+1 < len(rows) && rows[i+1].filled > 1 && rows[i+1].kinds[0] == kind.Empty:
			looks.apart++
		case r.partTotal && looks.ofParts[r.part]:
			looks.summed++
		case r.filled > 1 && !r.isSum():
			looks.addRow(i)
			if r.kinds[0] != kind.Empty {
				looks.begun++
			}
		}
	}
	return looks
}

func (l *titleLooks) isStrong(i int) bool { return i < len(l.strong) && l.strong[i] }

func (l *titleLooks) addTitle(i int) {
	if l.titles++; l.isStrong(i) {
		l.bold++
	}
}

func (l *titleLooks) addRow(i int) {
	switch {
	case l.isStrong(i):
		l.plain--
	case i < len(l.strong):
		l.plain++
	}
}

// areStrong reports whether so many strong titles are enough.
func (l *titleLooks) areStrong(titles int) bool { return titles >= sectionTitles && l.plain > 0 }
