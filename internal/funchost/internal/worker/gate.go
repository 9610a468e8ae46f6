package worker

import (
	"context"
	"sync"
)

// Gate holds calls back while no handler is ready. It is safe for concurrent use.
type Gate struct {
	mu     sync.Mutex
	ready  *Endpoint     // nil while shut
	opened chan struct{} // closed when ready is set
}

// NewGate returns a gate that is shut.
func NewGate() *Gate { return &Gate{opened: make(chan struct{})} }

func (g *Gate) open(e *Endpoint) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ready = e
	close(g.opened)
}

// shut holds calls back that would go to e.
func (g *Gate) shut(e *Endpoint) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ready == e {
		g.ready = nil
		g.opened = make(chan struct{})
	}
}

func (g *Gate) serves(e *Endpoint) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ready == e
}

// Replace asks for e's process to be killed and started again. No further call goes to it.
func (g *Gate) Replace(e *Endpoint) {
	g.shut(e)
	e.expire.Do(func() { close(e.expired) })
}

// Wait returns the ready handler, at once if there is one even when ctx has ended.
func (g *Gate) Wait(ctx context.Context) (*Endpoint, error) {
	for {
		g.mu.Lock()
		ready, opened := g.ready, g.opened
		g.mu.Unlock()
		if ready != nil {
			return ready, nil
		}
		select {
		case <-opened:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
