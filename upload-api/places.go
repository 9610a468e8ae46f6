package upload

import (
	"context"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/problem"
)

// maxStreams is how many long responses a process writes at once. Each holds a page of rows or a piece of a file, some
// 8 MiB, for as long as its reader takes: without a limit, slow readers could fill the memory.
const maxStreams = 32

// places limits how many requests of a kind this process serves at once. An owner may hold as many places as are still
// free: half of all if nobody else holds any, fewer otherwise. So one owner's requests never keep another owner out,
// however many they are.
type places struct {
	what     string // such as "uploads", for problems
	size     int
	oneOwner bool // no other owner can call, so this one may hold all of them

	mu    sync.Mutex
	taken int
	held  map[string]int // by owner
	freed chan struct{}  // closed when a place is released
}

func newPlaces(what string, size int, oneOwner bool) *places {
	return &places{what: what, size: size, oneOwner: oneOwner, held: map[string]int{}, freed: make(chan struct{})}
}

// take acquires a place for an owner, waiting at most wait for one. The caller must call release once.
func (p *places) take(ctx context.Context, owner string, wait time.Duration) (release func(), err error) {
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for {
		refused, freed := p.try(owner)
		if refused == nil {
			return func() { p.release(owner) }, nil
		}
		select {
		case <-freed:
		case <-timeout.C:
			return nil, refused
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try acquires a place, or returns why there is none and a channel that is closed when that may have changed.
func (p *places) try(owner string) (*problem.Problem, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	free, held := p.size-p.taken, p.held[owner]
	switch {
	case free == 0:
		return problem.New(problem.Busy, "The server is already serving %d %s. Please try again.", p.size, p.what), p.freed
	case held >= free && !p.oneOwner:
		return problem.New(
			problem.TooManyAtOnce,
			"You already have %d %s in progress; the remaining capacity is for other callers. Please try again.",
			held,
			p.what,
		), p.freed
	}
	p.taken++
	p.held[owner]++
	return nil, nil
}

func (p *places) release(owner string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	if p.held[owner]--; p.held[owner] == 0 {
		delete(p.held, owner)
	}
	close(p.freed)
	p.freed = make(chan struct{})
}

// underWay returns how many places are taken.
func (p *places) underWay() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// needPlace is middleware that serves a request once there is a place for one more long response.
func (h *Handler) needPlace(ctx huma.Context, next func(huma.Context)) {
	release, err := h.streaming.take(ctx.Context(), caller.Of(ctx.Context()).Owner, h.placeWait)
	if err != nil {
		r, w := humago.Unwrap(ctx)
		problem.Write(w, r, h.log, err)
		return
	}
	defer release()
	next(ctx)
}
