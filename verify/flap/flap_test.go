package flap

import (
	"flag"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/verify/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// realPace runs the host at its real pace, to measure how long people wait.
var realPace = flag.Bool("real-pace", false, "run the host at its real pace, for some twenty minutes")

// atOnce is how many cases run at the same time. They wait for leases most of the time.
const atOnce = 8

// ways are how a request to storage fails.
var ways = map[string]storageproxy.Fault{
	"no right": http.StatusForbidden, "the service busy": http.StatusServiceUnavailable, "no network": storageproxy.Cut, "answer lost": storageproxy.LostAnswer,
}

// P2: whatever step on storage ends the host, or keeps failing, each accepted file is parsed once and no task fails for it.
func TestHostFailsAtAStep(t *testing.T) {
	t.Parallel()
	type outcome struct {
		name   string
		waited float64
	}
	type combination struct {
		step step
		way  string
	}
	var (
		mu       sync.Mutex
		outcomes []outcome
		workers  sync.WaitGroup
	)
	cases := make(chan combination)
	casesAtOnce := atOnce
	if *realPace {
		casesAtOnce *= 4
	}
	for range casesAtOnce {
		workers.Go(func() {
			for c := range cases {
				t.Run(fmt.Sprintf("%s/%s", c.step.name, c.way), func(t *testing.T) {
					waited := run(t, c.step, ways[c.way])
					t.Logf("%.1f s from 202 to COMPLETED at the longest", waited)
					mu.Lock()
					defer mu.Unlock()
					outcomes = append(outcomes, outcome{t.Name(), waited})
				})
			}
		})
	}
	for _, step := range steps {
		if *realPace && step.slow {
			continue
		}
		for way := range ways {
			cases <- combination{step, way}
		}
	}
	close(cases)
	workers.Wait()
	slices.SortFunc(outcomes, func(a, b outcome) int { return int(1000 * (b.waited - a.waited)) })
	for _, o := range outcomes[:min(len(outcomes), 10)] {
		t.Logf("%s: %.1f s from 202 to COMPLETED at the longest", o.name, o.waited)
	}
}

// run has files uploaded before, during and after the fault, and returns the longest time in seconds that one of them
// took from its acceptance to its end.
func run(t *testing.T, step step, fault storageproxy.Fault) float64 {
	s := newScene(t, step, fault)
	if !step.whole {
		s.upload(2)
	}
	uploading := make(chan struct{})
	go func() {
		defer close(uploading)
		s.upload(6)
	}()
	s.fail()
	if step.provoke != nil {
		step.provoke(s)
	}
	s.awaitFailures()
	s.recover()
	<-uploading
	s.upload(2)
	return s.awaitAll()
}
