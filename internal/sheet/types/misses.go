package types

import "slices"

const (
	// mostMisses is how many values a candidate may miss before they are no longer worth listing.
	mostMisses = 1000
	// shownMisses is how many of them are reported.
	shownMisses = 5
	// keptMisses limits what a column of very mixed values can hold.
	keptMisses = 32
)

// Misfit is a value that does not have a type.
type Misfit struct {
	Row   int64  `json:"row"`
	Value string `json:"value"` // its first 64 bytes
}

// misses are the values that candidates missed.
type misses struct {
	all   [len(families)]uint16 // per family: values that all of it missed
	some  [64]uint16            // per candidate index: values that not all of its family missed
	most  [len(families)]uint16 // per family: the maximum of some
	spent set                   // the candidates that missed more than mostMisses
	full  set                   // those with enough values to report
	kept  []miss
	room  int // how many more values may be kept
}

// families are groups of candidates that usually miss the same values.
var families = [...]set{numbers, moments, clocks, booleans}

type miss struct {
	Misfit
	by set
}

// add counts a value that candidates missed, among those that are watched.
func (m *misses) add(row int64, cell []byte, by, watched set) {
	if by&^m.full != 0 && len(m.kept) < m.room {
		m.keep(row, cell, by)
	}
	for f, family := range families {
		switch by & family {
		case 0:
			continue
		case watched & family:
			m.all[f]++
		default:
			(by & family).each(func(i int) {
				m.some[i]++
				m.most[f] = max(m.most[f], m.some[i])
			})
		}
		if m.all[f]+m.most[f] > mostMisses {
			m.spend(f)
		}
	}
}

func (m *misses) keep(row int64, cell []byte, by set) {
	m.kept = append(m.kept, miss{Misfit{row, shown(trim(cell))}, by})
	by.each(func(i int) {
		n := 0
		for _, k := range m.kept {
			n += int(k.by >> i & 1)
		}
		if n >= shownMisses {
			m.full |= 1 << i
		}
	})
}

// spend determines the candidates of a family that missed too many values, and drops the values that only those missed.
func (m *misses) spend(f int) {
	before := m.spent
	families[f].each(func(i int) {
		if m.all[f]+m.some[i] > mostMisses {
			m.spent |= 1 << i
		}
	})
	if m.spent != before {
		m.kept = slices.DeleteFunc(m.kept, func(k miss) bool { return k.by&^m.spent == 0 })
	}
}

// fewest returns the candidate that missed the fewest values, if it missed any, and less than half of all.
func (m *misses) fewest(candidates set, values int64) (best set, count int64) {
	for f, family := range families {
		(candidates & family &^ m.spent).each(func(i int) {
			n := int64(m.all[f] + m.some[i])
			if n > 0 && 2*n < values && (best == 0 || n < count) {
				best, count = 1<<i, n
			}
		})
	}
	return best, count
}

// of returns the first values that the candidate missed.
func (m *misses) of(candidate set) []Misfit {
	var found []Misfit
	for _, k := range m.kept {
		if k.by&candidate != 0 && len(found) < shownMisses {
			found = append(found, k.Misfit)
		}
	}
	return found
}
