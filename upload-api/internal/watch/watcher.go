// Package watch tells clients what becomes of tasks, as server-sent events.
package watch

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/progress"
)

const (
	pollPause   = 250 * time.Millisecond
	pauseFactor = 9               // the pause after a query is at least so many times as long as the query took
	outagePause = 5 * time.Second // after a query that failed
)

// Watcher polls the database for the tasks of all streams of a process: however many streams there are, one query asks
// for all of their tasks, and no connection is held between two queries.
type Watcher struct {
	DB       *postgres.DB
	Log      *slog.Logger
	Lifetime time.Duration // of a stream; its client goes on with another one
	Idle     time.Duration // after which a stream sends a comment, so that nobody takes the connection for dead

	mu      sync.Mutex
	streams map[uuid.UUID]int // how many streams wait for a task
	stop    context.CancelFunc
	begun   int // the number of the newest poll
	last    poll
	next    chan struct{} // closed when last is replaced
}

// poll is what one query has found.
type poll struct {
	number int
	asked  map[uuid.UUID]bool
	states map[uuid.UUID]progress.State // without those of deleted files
}

// New returns a Watcher with the times of production.
func New(db *postgres.DB, log *slog.Logger) *Watcher {
	return &Watcher{
		DB: db, Log: log, streams: map[uuid.UUID]int{}, next: make(chan struct{}),
		// A host that stops lets requests end for 30 s, and a silent request is closed by proxies after a minute or more.
		Lifetime: 25 * time.Second, Idle: 10 * time.Second,
	}
}

// join has tasks polled until leave is called, once. Polls up to the returned one may be older than what the caller
// reads afterwards.
func (w *Watcher) join(ids []uuid.UUID) (after int, leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.streams) == 0 {
		ctx, stop := context.WithCancel(context.Background()) // not the first stream's: others may join, and outlast it
		w.stop = stop
		go w.run(ctx)
	}
	for _, id := range ids {
		w.streams[id]++
	}
	return w.begun, func() { w.leave(ids) }
}

func (w *Watcher) leave(ids []uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range ids {
		if w.streams[id]--; w.streams[id] == 0 {
			delete(w.streams, id)
		}
	}
	if len(w.streams) == 0 {
		w.stop()
		w.last = poll{}
	}
}

// latest returns the newest poll, and a channel that is closed when there is a newer one.
func (w *Watcher) latest() (poll, <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last, w.next
}

// run polls until the last stream has left.
func (w *Watcher) run(ctx context.Context) {
	for pause := pollPause; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		number, ids := w.begin()
		elapsed := clock.Start()
		states, err := progress.States(ctx, w.DB, ids)
		if ctx.Err() != nil {
			return
		}
		pause = max(pollPause, pauseFactor*elapsed())
		if err != nil {
			w.Log.WarnContext(ctx, "the tasks that clients watch could not be read", "error", err.Error())
			pause = outagePause
			continue
		}
		w.tell(ctx, newPoll(number, ids, states))
	}
}

func (w *Watcher) begin() (number int, ids []uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun++
	return w.begun, slices.Collect(maps.Keys(w.streams))
}

func newPoll(number int, ids []uuid.UUID, states []progress.State) poll {
	p := poll{number, make(map[uuid.UUID]bool, len(ids)), make(map[uuid.UUID]progress.State, len(states))}
	for _, id := range ids {
		p.asked[id] = true
	}
	for _, s := range states {
		p.states[s.ID] = s
	}
	return p
}

// tell wakes all streams.
func (w *Watcher) tell(ctx context.Context, p poll) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return // another run may have begun
	}
	w.last = p
	close(w.next)
	w.next = make(chan struct{})
}
