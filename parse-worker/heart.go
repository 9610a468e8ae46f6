package parse

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"sheetdrop/internal/postgres"
)

// heart renews the leases of all runs of this process in one statement, writes their progress, and ends the runs that were cancelled or
// taken over. It beats only while something runs.
type heart struct {
	db    *postgres.DB
	lease time.Duration
	log   *slog.Logger

	mu   sync.Mutex
	runs map[*run]struct{}
}

// beatPeriod is how often a lease is renewed.
func beatPeriod(lease time.Duration) time.Duration { return min(beatEvery, lease/3) }

// beatTimeout is how long a heartbeat may take. One that hangs must be given up while there is lease enough left for another; and after an
// outage two tries, on the connection that hangs and on a new one, must fit between two looks of the reconciler, which charges who has not
// renewed by then.
func beatTimeout(lease time.Duration) time.Duration { return lease / 6 }

// renewedAfter is how long at the most a lease is not renewed when its connection dies without a word right after a heartbeat: the next one
// is given up, and the one after it connects anew.
func renewedAfter(lease time.Duration) time.Duration {
	return 2*beatPeriod(lease) + 2*beatTimeout(lease)
}

// add begins to care for a run; the returned function ends it.
func (h *heart) add(r *run) (remove func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.runs == nil {
		h.runs = map[*run]struct{}{}
		go h.beat()
	}
	h.runs[r] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.runs, r)
	}
}

func (h *heart) beat() {
	ticker := time.NewTicker(beatPeriod(h.lease))
	defer ticker.Stop()
	for range ticker.C {
		runs := h.current()
		if runs == nil {
			return
		}
		h.renew(runs)
	}
}

// current returns the runs there are; nil, once, ends the beating goroutine, and the next add starts another.
func (h *heart) current() []*run {
	h.mu.Lock()
	defer h.mu.Unlock()
	var runs []*run
	for r := range h.runs {
		runs = append(runs, r)
	}
	if runs == nil {
		h.runs = nil
	}
	return runs
}

func (h *heart) renew(runs []*run) {
	ctx, cancel := context.WithTimeout(context.Background(), beatTimeout(h.lease))
	defer cancel()
	beats := make([]postgres.Beat, len(runs))
	for i, r := range runs {
		beats[i] = postgres.Beat{Claim: r.task.Claim, Progress: r.progress()}
	}
	held, err := h.db.Heartbeat(ctx, h.lease, beats)
	if err != nil {
		h.log.WarnContext(ctx, "heartbeat not written", "runs", len(runs), "error", err)
		return
	}
	for _, r := range runs {
		switch cancelled, held := held[r.task.Token]; {
		case !held:
			r.stop(errLeaseLost)
		case cancelled:
			r.stop(errCancelled)
		}
	}
}
