package types

import (
	"fmt"
	"math/bits"
	"runtime/debug"
)

// Table looks at the cells of a sheet's rows and finds out the types of its columns. It is for one goroutine, and has one of its own at
// work now and then, which ends by itself.
//
// Rows are taken in batches, and a batch is looked at column by column, while the next one is filled: what a column's values need is at
// hand then, and the reader of the rows need not wait.
type Table struct {
	columns []column
	filling batch
	looking batch
	busy    bool       // a goroutine looks at the batch looking
	done    chan error // how that ended: nil, or what it panicked with
	look    func()
}

const (
	recentBits  = 8 // of the number of a column's recent values
	recentCells = 1 << 16
)

// NewTable gives a Table of so many columns and no row.
func NewTable(columns int) *Table {
	t := &Table{columns: make([]column, columns), filling: newBatch(columns), looking: newBatch(columns), done: make(chan error, 1)}
	share := bits.Len(uint(recentCells/max(1, columns))) - 1
	for i := range t.columns {
		t.columns[i] = newColumn(max(0, min(recentBits, share)))
	}
	t.look = func() { t.done <- t.lookAway() }
	return t
}

// lookAway looks at a batch in a goroutine of its own, and leaves a panic to the caller's.
func (t *Table) lookAway() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v\n%s", p, debug.Stack())
		}
	}()
	t.looking.look(t.columns)
	return nil
}

// Add takes the cells of a row, one for each column: nil where the file has none. They are UTF-8 without U+0000. A cell of white space
// counts as an empty one. Add keeps no cell.
func (t *Table) Add(row int64, cells [][]byte) {
	t.filling.add(row, cells[:len(t.columns)])
	if t.filling.full() {
		t.wait()
		t.filling, t.looking = t.looking, t.filling
		t.busy = true
		go t.look()
	}
}

// wait waits until the batch at hand has been looked at.
func (t *Table) wait() {
	if !t.busy {
		return
	}
	t.busy = false
	if err := <-t.done; err != nil {
		panic(err)
	}
}

// flush looks at all that is left.
func (t *Table) flush() {
	t.wait()
	t.filling.look(t.columns)
}
