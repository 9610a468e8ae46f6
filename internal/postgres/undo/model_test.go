package undo_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A target as it ought to be: a table in memory, into which files are loaded one after the other. It knows no undo: a load is taken back by
// loading the others from nothing.

type row struct {
	values [3]string // of the columns p, a and b; "" is NULL
	load   int64
	no     int64
}

type file struct {
	load      int64
	series    string            // "" where it has none
	sheet     int               // of a file that is parsed again and again; 0: of another one each time
	columns   []string          // of p, a, b that it has, in this order
	mode      string            // upsert, replace or partition: replaces the rows whose p is one of its own
	rows      map[string]fields // by key
	partition map[string]bool
	corrects  int64 // the load whose rejects it has corrected; its series and sheet are those of that load
}

type fields struct {
	values [3]string
	no     int64
}

var names = []string{"p", "a", "b"}

// tables are what a target has: its rows, the versions that loads displaced, what they repeated, and what superseded loads have written.
type tables struct {
	rows  map[string]row
	was   map[string]row   // by key and the load that displaced it
	seen  map[string]int64 // numbers of rows by key and load
	aside map[string]int64
}

// replayAll loads files into an empty target: those whose place no later one takes.
func replayAll(files []file) tables {
	t := tables{map[string]row{}, map[string]row{}, map[string]int64{}, map[string]int64{}}
	for i, f := range files {
		if !slices.ContainsFunc(files[i+1:], f.isReplacedBy) {
			f.loadInto(t)
			continue
		}
		for key, given := range f.rows {
			t.aside[fmt.Sprint(key, " ", f.load)] = given.no
		}
	}
	return t
}

// settled is a target of which the loads up to one can no longer be undone.
type settled struct {
	upTo   int64
	before int64          // what was displaced or repeated before this load is forgotten
	aside  map[int64]bool // loads that will not return
}

// settle settles the loads up to one, before that of a number comes.
func (s *settled) settle(files []file, upTo, coming int64) {
	s.upTo = upTo
	before := coming
	for i, f := range files {
		next := slices.IndexFunc(files[i+1:], f.isReplacedBy)
		switch {
		case next >= 0 && files[i+1+next].load <= upTo:
			s.aside[f.load] = true
		case next >= 0 || f.load > upTo || f.series != "":
			before = min(before, f.load)
		}
	}
	s.before = max(s.before, before)
}

// refuses reports whether a file would have to take the place of a load that can no longer be taken back, or has been loaded into its series
// before another one.
func (s *settled) refuses(files []file, f file) bool {
	isOld := func(earlier file) bool {
		return earlier.load <= s.upTo && earlier.series == "" && earlier.isReplacedBy(f)
	}
	another := func(last file) bool { return last.sheet == 0 && last.series == f.series }
	before := func(earlier file) bool { return earlier.sheet == f.sheet && earlier.series == f.series }
	return slices.ContainsFunc(files, isOld) ||
		f.sheet > 0 && f.series != "" && slices.ContainsFunc(files, another) && slices.ContainsFunc(files, before)
}

// forget takes out what no undo needs.
func (s *settled) forget(t tables) {
	old := func(by string, _ row) bool { return loadOf(by) < s.before }
	maps.DeleteFunc(t.was, old)
	maps.DeleteFunc(t.seen, func(by string, _ int64) bool { return loadOf(by) < s.before })
	maps.DeleteFunc(t.aside, func(by string, _ int64) bool { return s.aside[loadOf(by)] })
}

// loadOf returns the load of a key of tables.
func loadOf(by string) (load int64) {
	_, _ = fmt.Sscan(by[strings.LastIndex(by, " ")+1:], &load)
	return load
}

func (f file) isReplacedBy(later file) bool {
	return later.corrects == 0 && (f.series != "" && f.series == later.series || f.sheet > 0 && f.sheet == later.sheet)
}

func (f file) loadInto(t tables) {
	for key, given := range f.rows {
		old, found := t.rows[key]
		values := [3]string{"", "7", ""} // a has a default
		if found {
			values = old.values
		}
		for i, name := range names {
			if slices.Contains(f.columns, name) {
				values[i] = given.values[i]
			}
		}
		by := fmt.Sprint(key, " ", f.load)
		switch {
		case found && values == old.values:
			t.seen[by] = given.no
			continue
		case found:
			t.was[by] = old
		}
		t.rows[key] = row{values, f.load, given.no}
	}
	for key, r := range t.rows {
		if _, mine := f.rows[key]; !mine && (f.mode == "replace" || f.mode == "partition" && f.partition[r.values[0]]) {
			t.was[fmt.Sprint(key, " ", f.load)] = r
			delete(t.rows, key)
		}
	}
}

// randomFile makes a file with rows for many groups of four keys. Groups share a load and its mode, but nothing else, so that each is a
// history of its own.
func randomFile(random *rand.Rand, load int64, groups int) file {
	f := file{load: load, columns: names, rows: map[string]fields{}, partition: map[string]bool{}}
	f.mode = []string{"upsert", "upsert", "replace", "partition"}[random.IntN(4)]
	if f.mode == "upsert" && random.IntN(5) < 3 {
		f.columns = [][]string{{"a"}, {"p", "b"}, {"p", "a"}}[random.IntN(3)]
	}
	if random.IntN(3) == 0 {
		f.series = []string{"tokyo", "osaka"}[random.IntN(2)]
	}
	f.sheet = max(0, random.IntN(6)-3)
	for g := range groups {
		for _, k := range random.Perm(4)[:random.IntN(5)] {
			p := fmt.Sprint("xy"[random.IntN(2):][:1], g)
			f.rows[fmt.Sprintf("%d/%d", g, k)] = fields{[3]string{p, fmt.Sprint(random.IntN(2)), []string{"", "1"}[random.IntN(2)]}, int64(len(f.rows) + 1)}
			f.partition[p] = true
		}
	}
	return f
}

// randomCorrection makes a file with corrected rejects of one of the loads that count; false where there is none.
func randomCorrection(random *rand.Rand, files []file, load int64, groups int) (f file, ok bool) {
	var counting []file
	for i, other := range files {
		if other.corrects == 0 && !slices.ContainsFunc(files[i+1:], other.isReplacedBy) {
			counting = append(counting, other)
		}
	}
	if len(counting) == 0 {
		return f, false
	}
	of := counting[random.IntN(len(counting))]
	f = randomFile(random, load, groups)
	f.mode, f.columns, f.series, f.sheet, f.corrects = "upsert", of.columns, of.series, of.sheet, of.load
	return f, true
}

// without takes a load out, and those that have corrected its rejects.
func without(files []file, load int64) []file {
	return slices.DeleteFunc(files, func(f file) bool { return f.load == load || f.corrects == load })
}

// keys are in order, so that a seed makes the same statements each time.
func (f file) keys() []string { return slices.Sorted(maps.Keys(f.rows)) }
