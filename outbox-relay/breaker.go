package outbox

import (
	"sync"

	"sheetdrop/internal/task"
)

// breakers has a circuit breaker for each event type, and so for each destination: it opens after some failures of the
// service in a row. Messages of other types are still sent.
type breakers struct {
	mu       sync.Mutex
	failures map[task.EventType]int // in a row
}

func (b *breakers) open(event task.EventType) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures[event] >= breakerLimit
}

func (b *breakers) success(event task.EventType) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.failures, event)
}

// failure reports whether the breaker has opened by it.
func (b *breakers) failure(event task.EventType) (opened bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures == nil {
		b.failures = map[task.EventType]int{}
	}
	b.failures[event]++
	return b.failures[event] == breakerLimit
}

// opened returns the event types that are not sent any more.
func (b *breakers) opened() []task.EventType {
	b.mu.Lock()
	defer b.mu.Unlock()
	events := []task.EventType{}
	for event, n := range b.failures {
		if n >= breakerLimit {
			events = append(events, event)
		}
	}
	return events
}
