package dialect

// titleLooks counts the titles of parts, and tells whether they are bold or coloured, as strong has it of a worksheet's first rows, and
// most rows are not.
type titleLooks struct {
	strong []bool
	titles int
	bold   int // titles that are strong
	plain  int // rows that are not, less those that are
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
