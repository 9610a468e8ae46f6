package dispatch

import (
	"maps"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/backoff"
	"sheetdrop/internal/clock"
	"sheetdrop/internal/postgres/webhookstore"
)

// breakerLimit is after how many failures in a row a receiver is left for a while, and then tried by one event at a time.
const breakerLimit = 5

// forgetAfter is after how long without an attempt a receiver's failures are forgotten: the webhook may be gone.
const forgetAfter = time.Hour

// rests are the pauses of a receiver that fails.
var rests = backoff.Policy{First: 10 * time.Second, Max: 5 * time.Minute}

// receivers knows what is being sent, and has a circuit breaker for each webhook: a host that several owners use is not one receiver, since
// one of them could have it fail for all.
type receivers struct {
	each int // most attempts of one webhook at once

	mu      sync.Mutex
	owners  map[string]int    // attempts under way
	sent    map[uuid.UUID]int // likewise, by webhook
	failing map[uuid.UUID]*receiver
}

// receiver is a webhook whose last attempt failed.
type receiver struct {
	failures int // in a row
	since    func() time.Duration
	rest     time.Duration
}

func newReceivers(each int) *receivers {
	return &receivers{each: each, owners: map[string]int{}, sent: map[uuid.UUID]int{}, failing: map[uuid.UUID]*receiver{}}
}

func (r *receivers) begin(c webhookstore.Claimed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owners[c.Owner]++
	r.sent[c.WebhookID]++
}

// end notes the end of an attempt, and whether the receiver is well as far as it tells.
func (r *receivers) end(c webhookstore.Claimed, well bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	countDown(r.owners, c.Owner)
	countDown(r.sent, c.WebhookID)
	if well {
		delete(r.failing, c.WebhookID)
		return
	}
	f := r.failing[c.WebhookID]
	if f == nil {
		f = &receiver{}
		r.failing[c.WebhookID] = f
	}
	f.failures++
	f.since, f.rest = clock.Start(), rests.Delay(f.failures-breakerLimit+1)
}

func countDown[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// sending is how many attempts are under way.
func (r *receivers) sending() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, attempts := range r.owners {
		n += attempts
	}
	return n
}

// busy is how many attempts of each owner are under way.
func (r *receivers) busy() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.owners)
}

// most is how many more events of a webhook may be claimed, where it is fewer than each: those under way are some of them, and of one that
// fails again and again there is none while it rests, and one at a time after that.
func (r *receivers) most() map[uuid.UUID]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	most := map[uuid.UUID]int{}
	for id, n := range r.sent {
		most[id] = max(0, r.each-n)
	}
	for id, f := range r.failing {
		switch idle := f.since(); {
		case r.sent[id] == 0 && idle > forgetAfter:
			delete(r.failing, id)
		case f.failures < breakerLimit:
		case r.sent[id] == 0 && idle >= f.rest:
			most[id] = 1
		default:
			most[id] = 0
		}
	}
	return most
}
