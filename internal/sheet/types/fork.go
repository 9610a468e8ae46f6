package types

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// What a Table reports depends on the order of its rows only in which values are named, so rows further on can be observed at the same time
// by a fork. It begins with the candidates that the rows before both have left, so that it has few values to look at closely.

// The values that candidates missed are noted by a fork, so that they can be counted again, as long as they and their notes have no more
// bytes than this in all columns.
const (
	mostNotedBytes = 4 << 20
	noteBytes      = 32
)

// notes are the values that candidates missed in a column of a fork.
type notes struct {
	list []Misfit // with the value as in the file
	room *int     // bytes for those of all columns
	lost bool     // there were too many

	examples int // of the column when it was forked
}

func (n *notes) add(row int64, cell []byte) {
	if *n.room -= len(cell) + noteBytes; *n.room < 0 {
		n.lost, n.list = true, nil
		return
	}
	n.list = append(n.list, Misfit{row, string(cell)})
}

// Fork returns a Table for rows that follow later ones of t, to be joined once those were added to t. The two can be used concurrently.
func (t *Table) Fork() *Table {
	fork, room := NewTable(len(t.columns)), mostNotedBytes
	for i := range t.columns {
		t.columns[i].forkTo(&fork.columns[i], &room)
	}
	return fork
}

func (c *column) forkTo(fork *column, room *int) {
	fork.plain.kind, fork.plain.between = c.plain.kind, c.plain.between
	fork.open, fork.watched, fork.seen = c.open, c.watched, c.seen
	fork.profile.distinct, fork.profile.examples = c.profile.distinct.Clone(), slices.Clone(c.profile.examples)
	if c.recent == nil {
		fork.recent = nil
	}
	fork.notes = &notes{room: room, examples: len(c.profile.examples)}
}

// Join adds the rows of a fork, whose numbers are rowsBefore too low, to those of t. It reports whether the result is that of adding them
// one by one to t, and otherwise changes nothing.
func (t *Table) Join(fork *Table, rowsBefore int64) bool {
	all := make([]joined, len(t.columns))
	for i := range t.columns {
		var ok bool
		if all[i], ok = t.columns[i].joinedWith(&fork.columns[i], rowsBefore); !ok {
			return false
		}
	}
	for i := range t.columns {
		t.columns[i].join(&fork.columns[i], all[i])
	}
	return true
}

// joined is what a column has that depends on the order of its values, once those of a fork are added.
type joined struct {
	misses   misses
	watched  set
	examples []string
}

// joinedWith counts the misses of a fork, and takes its examples. It reports false where that cannot be told, or where the column may have
// other values.
func (c *column) joinedWith(fork *column, rowsBefore int64) (j joined, ok bool) {
	if fork.notes.lost {
		return j, false
	}
	j = joined{misses: c.misses, watched: c.watched}
	if j.examples, ok = c.profile.examplesWith(&fork.profile, fork.notes.examples); !ok {
		return j, false
	}
	j.misses.kept = slices.Clone(j.misses.kept)
	for _, value := range fork.notes.list {
		cell := []byte(value.Value)
		if by := j.watched &^ fitting(cell, j.watched); by != 0 {
			j.misses.add(value.Row+rowsBefore, cell, by, j.watched)
			j.watched &^= j.misses.spent
		}
	}
	// Where nothing but text is left, the words for no value were values, each as it is written.
	return j, j.watched != 0 || len(fork.words) == 0
}

// fitting returns the candidates that a cell fits, among those that are watched.
func fitting(cell []byte, watched set) set {
	word := readNullWord(cell)
	if word != 0 {
		watched &= booleans
	}
	var r reading
	r.read(cell, watched)
	return r.fits | word
}

func (c *column) join(fork *column, j joined) {
	c.misses, c.watched, c.profile.examples = j.misses, j.watched, j.examples
	c.open &= fork.open
	c.nulls += fork.nulls
	c.empty += fork.empty
	c.values += fork.values
	c.seen |= fork.seen
	c.digits = max(c.digits, fork.digits)
	for at := range c.bounds {
		c.bounds[at].join(&fork.bounds[at], slot(at).isNumber())
	}
	c.plain.join(&fork.plain)
	c.plain.turn(c.watched, c.seen)
	c.profile.join(&fork.profile)
	if c.profile.distinct.Sketch() != nil {
		c.recent = nil
	}
	c.words.join(fork.words)
}

func (p *plain) join(fork *plain) {
	if fork.digits > p.digits {
		p.digits, p.power = fork.digits, fork.power
	}
	p.least, p.greatest = min(p.least, fork.least), max(p.greatest, fork.greatest)
}

func (p *profile) join(fork *profile) {
	p.distinct.Join(&fork.distinct)
	p.longest = max(p.longest, fork.longest)
	for _, e := range []extreme{fork.least, fork.greatest} {
		if e.text != nil {
			p.stretch(bytes.Clone(e.text), e.high, e.low)
		}
	}
}

// examplesWith returns the examples with those that a fork found besides its first ones. It reports false where the fork may have had more.
func (p *profile) examplesWith(fork *profile, first int) (all []string, ok bool) {
	all = slices.Clone(p.examples)
	for _, example := range fork.examples[first:] {
		if len(all) == p.examplesKept {
			break
		}
		if len(example) > shownBytes-utf8.UTFMax { // it may be cut off
			return nil, false
		}
		if !p.distinct.Has(hashOf([]byte(example))) {
			all = append(all, example)
		}
	}
	return all, len(all) == p.examplesKept || len(fork.examples) < fork.examplesKept
}

func (w *wordCounts) join(fork wordCounts) {
	for cell, n := range fork {
		w.add([]byte(cell), n)
	}
}
