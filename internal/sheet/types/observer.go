package types

// Observer looks at the values of one column and finds out its type. It is for one goroutine, and holds a few KiB whatever the column.
type Observer struct {
	nulls, empty, values int64
	// recent holds short values that taught all that they can: to see one again changes nothing but the count.
	recent  [1 << recentBits]short
	batch   [64]short
	rows    [64]int64
	batched int
	plain   plain
	profile profile

	open    set // the candidates that fit every value
	watched set // those and the ones that missed few, of which it is worth saying what they missed
	seen    trait
	digits  int
	bounds  [endOfSlots]bounds
	misses  misses
}

const recentBits = 6

// NewObserver gives an Observer of an empty column.
func NewObserver() *Observer {
	return &Observer{open: inferred, watched: inferred, plain: newPlain(), profile: newProfile()}
}

// Add takes the cell of a row: nil where the file has none. A cell of white space counts as an empty one. Add does not keep the cell.
func (o *Observer) Add(row int64, cell []byte) {
	if uint(len(cell)-1) >= shortBytes {
		o.addOther(row, cell)
		return
	}
	i := o.batched % len(o.batch)
	if len(cell) <= 8 {
		o.batch[i] = short{head: headOf(cell)}
	} else {
		o.batch[i] = makeShort(cell)
	}
	o.rows[i] = row
	if o.batched = i + 1; o.batched == len(o.batch) {
		o.flush()
	}
}

// flush takes the values of the batch.
func (o *Observer) flush() {
	for i, s := range o.batch[:o.batched] {
		recent := &o.recent[s.place(recentBits)]
		if *recent != s && o.addShort(s, o.rows[i]) {
			*recent = s
		}
	}
	o.values += int64(o.batched)
	o.batched = 0
}

func (o *Observer) addShort(s short, row int64) bool {
	if c := byte(s.head); c <= ' ' || c >= 0x80 {
		var buffer [shortBytes]byte
		if isBlank(s.text(buffer[:0])) {
			o.empty++
			o.values--
			return false
		}
	}
	o.profile.addShort(s)
	if o.watched == 0 || o.plain.add(s) {
		return true
	}
	var buffer [shortBytes]byte
	return o.weigh(row, s.text(buffer[:0]))
}

// addOther takes a cell that is empty or long.
func (o *Observer) addOther(row int64, cell []byte) {
	switch {
	case cell == nil:
		o.nulls++
	case isBlank(cell):
		o.empty++
	default:
		o.values++
		o.profile.addLong(cell)
		if o.watched != 0 {
			o.flush()
			o.weigh(row, cell)
		}
	}
}

// weigh takes away the candidates that the cell does not fit, and reports whether there was none.
func (o *Observer) weigh(row int64, cell []byte) bool {
	var r reading
	r.read(cell, o.watched)
	missed := o.watched &^ r.fits
	if missed != 0 {
		o.misses.add(row, cell, missed, o.watched)
		o.open &^= missed
		o.watched &^= o.misses.spent
	}
	if r.fits != 0 {
		o.learn(&r, cell)
	}
	if missed != 0 || o.plain.kind == notPlain {
		o.plain.turn(o.watched, o.seen)
	}
	return missed == 0
}

// learn takes what is to be known of a cell that fits a candidate.
func (o *Observer) learn(r *reading, cell []byte) {
	o.seen |= r.seen
	o.digits = max(o.digits, r.digits)
	for i := range r.values {
		if v := &r.values[i]; slots[v.at]&o.open != 0 {
			o.bounds[v.at].add(v.key, cell, v.at.isNumber())
		}
	}
}
