package trigger

import (
	"context"
	"sync"
)

// callCount counts running calls.
type callCount struct {
	mu      sync.Mutex
	running int
	ended   chan struct{} // gets a token when a call has ended
}

func newCallCount() *callCount { return &callCount{ended: make(chan struct{}, 1)} }

func (c *callCount) start(call func()) {
	c.mu.Lock()
	c.running++
	c.mu.Unlock()
	go func() {
		defer func() {
			c.mu.Lock()
			c.running--
			c.mu.Unlock()
			select {
			case c.ended <- struct{}{}:
			default:
			}
		}()
		call()
	}()
}

// waitUntilAtMost returns when no more than limit calls run, or ctx has ended.
func (c *callCount) waitUntilAtMost(ctx context.Context, limit int) {
	for c.count() > limit {
		select {
		case <-c.ended:
		case <-ctx.Done():
			return
		}
	}
}

func (c *callCount) wait() { c.waitUntilAtMost(context.Background(), 0) }

func (c *callCount) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running
}
