package metrics

import (
	"slices"
	"sync"
	"time"

	"sheetdrop/internal/clock"
)

// Outbox is how the outbox and its queue stand.
type Outbox struct {
	Due, Delayed, Failed int64         // messages: that could be sent now, that wait for their time, that were rejected for good
	OldestDue            time.Duration // since the oldest due message could have been sent
	Oldest               time.Duration // since the oldest message that is not sent was written
	QueueKnown           bool          // the queue has answered
	Queue, Poison        int64         // messages in it, and in the poison queue
}

// Stock is what is in the database.
type Stock struct {
	Pending, Processing, Failed int64 // tasks; FAILED ones only where they are the newest of their file, up to 10,000
	DeadLetters                 int64 // up to 10,000
	PurgeFiles, PurgeRows       int64 // deleted files whose sheets remain, and rows of deleted sheets
	Size                        int64 // bytes of the database
	Tables                      []Table
	Owners                      []Owner // those with most tasks that wait or run
}

// Table is one of sheetdrop's own tables.
type Table struct {
	Name string
	Size int64 // bytes, with its indexes
}

// Owner is an owner with tasks that wait or run.
type Owner struct {
	Hash  string // the first 12 digits of the owner's SHA-256
	Tasks int64
}

// MostOwners is how many owners are told of.
const MostOwners = 10

const mostTables = 64

// figures are kept until somebody asks for them, so that asking costs no query and waits for nothing.
type figures struct {
	mu       sync.Mutex
	outbox   kept[Outbox]
	stock    kept[Stock]
	breakers kept[map[string]bool] // open or not, by destination
	pools    []pool
}

// kept is a figure that is told for a while: later on another process has counted it anew, and this one's would mislead.
type kept[T any] struct {
	value T
	age   func() time.Duration
	limit time.Duration
}

// outdated is after how many periods a figure that is counted once in each is not told any more.
const outdated = 3

func keep[T any](f *figures, at *kept[T], value T, period time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*at = kept[T]{value, clock.Start(), outdated * period}
}

func current[T any](f *figures, at *kept[T]) (value T, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at.age == nil || at.age() > at.limit {
		return value, false
	}
	return at.value, true
}

// CountedOutbox keeps how the outbox stands, which is counted once in a period.
func (r *Recorder) CountedOutbox(o Outbox, period time.Duration) {
	if r != nil {
		keep(&r.figures, &r.outbox, o, period)
	}
}

// CountedStock keeps what is in the database, which is counted once in a period.
func (r *Recorder) CountedStock(s Stock, period time.Duration) {
	if r != nil {
		keep(&r.figures, &r.stock, s, period)
	}
}

// Relayed keeps which breakers the run of the relay in a period has left open, by destination.
func (r *Recorder) Relayed(open map[string]bool, period time.Duration) {
	if r != nil {
		keep(&r.figures, &r.breakers, open, period)
	}
}

// Pool is how a pool of connections stands.
type Pool struct {
	Idle, Used, Max int64
	Waits           int64 // for a connection, so far
	Waited          time.Duration
}

type pool struct {
	name string
	stat func() Pool
}

// Watch tells of a pool from now on. stat must not block.
func (r *Recorder) Watch(name string, stat func() Pool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pools = append(r.pools, pool{name, stat})
}

func (f *figures) watched() []pool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.pools)
}
