package parse

import (
	"bytes"
	"log/slog"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// However tasks come and go, one goroutine beats for all of them, and none when nothing runs. (Not parallel: it counts goroutines.)
func TestOneHeartbeatForAllRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heart{lease: 30 * time.Second, log: slog.New(slog.DiscardHandler)}
		for range 3 {
			for range 10 { // shorter than a beat
				first, second := h.add(new(run)), h.add(new(run))
				first()
				second()
			}
			synctest.Wait()
			if n := beating(); n != 1 {
				t.Errorf("%d goroutines beat, want 1", n)
			}
			<-time.After(2 * beatEvery)
			synctest.Wait()
			if n := beating(); n != 0 {
				t.Errorf("%d goroutines beat for nothing", n)
			}
		}
	})
}

func beating() int {
	stacks := make([]byte, 1<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("(*heart).beat("))
}
