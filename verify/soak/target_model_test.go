//go:build linux

package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A target as it ought to be: its files are loaded one after the other into a table in memory. It knows no undo: a load is taken back by loading
// the others from nothing.

// modelRow is a row of a target.
type modelRow struct {
	values map[string]string // "" is NULL
	load   int64             // 0 where a person has added it
	no     int
	edited bool
}

func (r modelRow) String() string {
	return fmt.Sprintf("%s by load %d row %d, edited %t", strings.Join([]string{r.values["id"], r.values["part"], r.values["amount"], r.values["day"],
		r.values["remark"]}, "|"), r.load, r.no, r.edited)
}

// history are the tables of a target: its rows, the versions that loads displaced, and what they repeated.
type history struct {
	rows map[string]modelRow // by key; without one by load and number
	was  map[string]string   // by key and the load that displaced it
	seen map[string]string   // by key and load: the row number
}

func newHistory() history {
	return history{map[string]modelRow{}, map[string]string{}, map[string]string{}}
}

// loadCounts are what a load has done.
type loadCounts struct{ inserted, updated, unchanged, deleted int }

// modelLoad is a file that was loaded.
type modelLoad struct {
	*targetFile
	id int64
}

// modelTarget is a target with the loads that count, in their order.
type modelTarget struct {
	history
	keyed     bool
	replacing bool
	loads     []modelLoad
	edits     map[int64][]edit    // by the load after which they were made
	kept      map[string]modelRow // edited rows of loads that were undone
}

func newModel(target *soakTarget, edits []edit) *modelTarget {
	m := &modelTarget{
		history: newHistory(), keyed: target.keyed, replacing: strings.Contains(target.rules, "replace"), edits: map[int64][]edit{},
		kept: map[string]modelRow{},
	}
	for _, e := range edits {
		if e.Target == target.name {
			m.edits[e.AfterLoad] = append(m.edits[e.AfterLoad], e)
		}
	}
	return m
}

// load loads a file behind the others.
func (m *modelTarget) load(l modelLoad) (counts loadCounts) {
	m.loads = append(m.loads, l)
	return m.apply(l)
}

// undo takes a load back, and before it its corrections, and returns how many rows stay because somebody has edited them.
func (m *modelTarget) undo(id int64) (kept int) {
	loads := slices.Clone(m.loads)
	for _, first := range loads {
		for _, l := range loads {
			if first.id == id && l.corrects == first.targetFile {
				kept += m.takeBack(l.id)
			}
		}
	}
	return kept + m.takeBack(id)
}

func (m *modelTarget) takeBack(id int64) (kept int) {
	for _, e := range m.edits[id] {
		if row, found := m.rows[e.Key]; found && row.edited && row.load == id {
			m.kept[e.Key] = row
			kept++
		}
	}
	m.loads = slices.DeleteFunc(m.loads, func(l modelLoad) bool { return l.id == id })
	m.history = newHistory()
	for _, l := range m.loads {
		m.apply(l)
	}
	maps.Copy(m.rows, m.kept)
	return kept
}

func (m *modelTarget) apply(l modelLoad) (counts loadCounts) {
	parts, mine := map[string]bool{}, map[string]bool{}
	for _, r := range l.rows {
		key := m.key(l.id, r)
		mine[key], parts[r.values["part"]] = true, true
		m.put(key, l, r, &counts)
	}
	for key, row := range m.rows {
		if m.replacing && !mine[key] && parts[row.values["part"]] {
			m.was[fmt.Sprint(key, " by ", l.id)] = row.String()
			delete(m.rows, key)
			counts.deleted++
		}
	}
	m.edit(l.id)
	return counts
}

// put writes a row of a file.
func (m *modelTarget) put(key string, l modelLoad, r targetRow, counts *loadCounts) {
	old, found := m.rows[key]
	values := map[string]string{"remark": "open"}
	if found {
		values = maps.Clone(old.values)
	}
	for _, name := range l.columns {
		values[name] = r.values[name]
	}
	by := fmt.Sprint(key, " by ", l.id)
	switch {
	case !found:
		counts.inserted++
	case sameRow(values, old.values):
		counts.unchanged++
		m.seen[by] = fmt.Sprint(r.no)
		return
	default:
		counts.updated++
		m.was[by] = old.String()
	}
	m.rows[key] = modelRow{values: values, load: l.id, no: r.no}
}

func sameRow(a, b map[string]string) bool {
	for _, name := range []string{"id", "part", "amount", "day", "remark"} {
		if a[name] != b[name] {
			return false
		}
	}
	return true
}

// edit does what people have done behind a load; behind none they have added rows.
func (m *modelTarget) edit(after int64) {
	for _, e := range m.edits[after] {
		if e.What == "deleted" {
			delete(m.rows, e.Key)
			continue
		}
		row := m.rows[e.Key]
		row.values, row.edited = maps.Clone(row.values), true
		if e.What == "added" {
			row.values, row.edited = map[string]string{"id": e.Key, "part": "own", "remark": "open"}, false
		}
		row.values["amount"] = e.Amount
		m.rows[e.Key] = row
	}
}

// key is by what a row is known.
func (m *modelTarget) key(load int64, r targetRow) string {
	if m.keyed {
		return r.values["id"]
	}
	return fmt.Sprint(load, "/", r.no)
}
