package parse

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"sheetdrop/internal/postgres"
)

// heart renews the leases of all runs of this process in one statement, writes their progress, and ends the runs that
// were cancelled or taken over. It beats only while something runs.
type heart struct {
	db    *postgres.DB
	lease time.Duration
	log   *slog.Logger

	mu   sync.Mutex
	runs map[*run]struct{}
}

// beatPeriod returns how often a lease is renewed.
func beatPeriod(lease time.Duration) time.Duration { return min(beatEvery, lease/3) }

// beatTimeout returns how long a heartbeat may take. One that hangs must be abandoned while there is time for another
// before the lease expires. After an outage two tries, on the connection that hangs and on a new one, must fit between
// two passes of maintenance, which counts an attempt against every task whose lease was not renewed by then.
func beatTimeout(lease time.Duration) time.Duration { return lease / 6 }

// renewedAfter returns how long a lease can stay without renewal if its connection dies silently right after a
// heartbeat: the next heartbeat is abandoned, and the one after that opens a new connection.
func renewedAfter(lease time.Duration) time.Duration {
	return 2*beatPeriod(lease) + 2*beatTimeout(lease)
}

// add starts renewing a run's lease; the returned function ends that.
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

// current returns the current runs. It returns nil once, which ends the heartbeat goroutine; the next add starts
// another.
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
