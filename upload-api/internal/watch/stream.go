package watch

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/progress"
)

// MaxTasks is how many tasks one stream may watch.
const MaxTasks = 50

// Stream is what one client is told about its tasks.
type Stream struct {
	watcher *Watcher
	leave   func()
	after   int // the poll before the first one that counts
	ids     []uuid.UUID
	events  []event  // with the newest state of each task
	seen    position // which events the client has got
}

// Open begins to watch tasks of an owner; lastEventID is the id of the last event that the client has got, "" for none.
// The error is postgres.ErrNotFound if one of them is not there, or not the owner's. The caller must call Close once.
func (w *Watcher) Open(ctx context.Context, owner string, ids []uuid.UUID, lastEventID string) (*Stream, error) {
	ids = distinct(ids)
	s := &Stream{watcher: w, ids: ids, events: make([]event, len(ids)), seen: parsePosition(lastEventID, len(ids))}
	s.after, s.leave = w.join(ids)
	states, err := progress.States(ctx, w.DB, ids)
	if err == nil {
		err = s.begin(owner, states)
	}
	if err != nil {
		s.leave()
		return nil, err
	}
	return s, nil
}

// Close ends the watching.
func (s *Stream) Close() { s.leave() }

// distinct returns the ids in their order, each once.
func distinct(ids []uuid.UUID) (once []uuid.UUID) {
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}

func (s *Stream) begin(owner string, states []progress.State) error {
	for i, id := range s.ids {
		at := slices.IndexFunc(states, func(state progress.State) bool { return state.ID == id && state.Owner == owner })
		if at < 0 {
			return postgres.ErrNotFound
		}
		s.events[i] = taskEvent(states[at])
	}
	return nil
}

// Known reports whether all tasks have ended and the client has been told so: there is nothing to stream.
func (s *Stream) Known() bool { return s.ended() && len(s.news()) == 0 }

func (s *Stream) ended() bool {
	return !slices.ContainsFunc(s.events, func(e event) bool { return !e.last })
}

// news returns the indexes of the events that the client has not got.
func (s *Stream) news() (indexes []int) {
	for i, e := range s.events {
		if s.seen[i] != e.hash() {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// take replaces the events by those of a poll. A task whose file has been deleted is gone.
func (s *Stream) take(p poll) {
	if p.number <= s.after {
		return
	}
	s.after = p.number
	for i, id := range s.ids {
		if state, found := p.states[id]; found {
			s.events[i] = taskEvent(state)
		} else if p.asked[id] {
			s.events[i] = goneEvent(id)
		}
	}
}

// write tells the client what is new until all tasks have ended, the client has gone, or the stream's time is over. Each
// event has the whole state of a task, so a slow client skips some and needs no memory here.
func (s *Stream) write(ctx context.Context, out *writer) error {
	end, alive := time.NewTimer(s.watcher.Lifetime), time.NewTicker(s.watcher.Idle)
	defer end.Stop()
	defer alive.Stop()
	if err := out.begin(); err != nil {
		return err
	}
	for {
		last, next := s.watcher.latest()
		s.take(last)
		if err := s.tell(out); err != nil || s.ended() {
			return err
		}
		select {
		case <-next:
		case <-alive.C:
			if err := out.comment("alive"); err != nil {
				return err
			}
		case <-end.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tell writes the events that the client has not got, and behind the last ones of all tasks that there are no more.
func (s *Stream) tell(out *writer) error {
	for _, i := range s.news() {
		s.seen[i] = s.events[i].hash()
		if err := out.event(s.events[i], s.seen); err != nil {
			return err
		}
	}
	if !s.ended() {
		return nil
	}
	return out.event(event{name: "end", data: []byte("{}")}, s.seen)
}
