package funchost_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
)

// A failure of storage at any step ends the host or does not, as it was measured of the real one. No message is lost either way.
func TestStorageFailureLosesNoMessage(t *testing.T) {
	t.Parallel()
	const forbidden, busy, cut = http.StatusForbidden, http.StatusServiceUnavailable, storageproxy.Cut
	for name, c := range map[string]struct {
		step  string
		fault storageproxy.Fault
		ends  bool
	}{
		"receive, no right":       {receives, forbidden, true},
		"receive, no network":     {receives, cut, true},
		"receive, service busy":   {receives, busy, false},
		"renewal, no right":       {updates, forbidden, true},
		"renewal, no network":     {updates, cut, true},
		"renewal, service busy":   {updates, busy, true},
		"delete, no right":        {deletes, forbidden, true},
		"delete, no network":      {deletes, cut, true},
		"delete, service busy":    {deletes, busy, true},
		"release, no right":       {releases, forbidden, true},
		"release, no network":     {releases, cut, true},
		"release, service busy":   {releases, busy, true},
		"poison copy, no right":   {copies, forbidden, true},
		"poison copy, no network": {copies, cut, true},
		"poison copy, busy":       {copies, busy, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t)
			var failures atomic.Int32
			const enough = 7 // one more than a step is tried
			hold := make(chan bool)
			a := newQueueApp(t, q, `"maxDequeueCount": 2, "batchSize": 1, "newBatchThreshold": 0`, func(w http.ResponseWriter, r *http.Request) {
				switch message := text(r); {
				case message == "bad":
					fail(w, r)
				default:
					if c.step == updates {
						<-hold
					}
					succeed(w, r)
				}
			})
			a.config.TimeScale = 2.0 / 600 // a lease of 2 s
			h := a.start()
			q.fail(func(operation string) storageproxy.Fault {
				if operation == c.step || (operation == updates && c.step == releases) {
					failures.Add(1)
					return c.fault
				}
				return storageproxy.None
			})
			q.send("good")
			if c.step == releases || c.step == copies {
				q.send("bad")
			}
			if c.ends {
				await.Until(t, "the end of the host", func() bool { return h.Stats().Restarts > 0 })
			} else {
				await.Until(t, "some failures", func() bool { return failures.Load() >= enough })
			}
			q.fail(nil)
			close(hold)
			q.waitEmpty()
			if got := h.Stats().Restarts; !c.ends && got != 0 {
				t.Errorf("%d restarts", got)
			}
			if said := strings.Contains(a.log.String(), "An unhandled exception has occurred. Host is shutting down."); said != c.ends {
				t.Errorf("unhandled exception in the log: %v", said)
			}
			if c.step == releases || c.step == copies {
				if got := q.poisoned(); len(got) == 0 || slices.Compact(got)[0] != "bad" {
					t.Errorf("poison queue %q", got)
				}
			}
		})
	}
}

// releases stands for the update that makes a failed message visible again; the record knows it as an update.
const releases = "release"

// A lost lease is no error: the message runs again beside the first call, and the host goes on.
func TestLostLeaseRunsTheMessageTwice(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	calls, release := make(chan bool, 9), make(chan bool)
	a := newQueueApp(t, q, `"batchSize": 1, "newBatchThreshold": 1`, func(w http.ResponseWriter, r *http.Request) {
		calls <- true
		<-release
		succeed(w, r)
	})
	a.config.TimeScale = 4.0 / 600 // a lease of 4 s, renewed every two
	q.fail(func(operation string) storageproxy.Fault {
		if operation == updates {
			return http.StatusNotFound
		}
		return storageproxy.None
	})
	h := a.start()
	q.send("twice")
	receive(t, calls, "the first call")
	receive(t, calls, "the second call")
	close(release)
	q.waitEmpty()
	if got := h.Stats(); got != (funchost.Stats{HandlerStarts: 1}) {
		t.Errorf("%+v", got)
	}
}

// A host that ends before its calls have leaves the handler behind, which finds its parent gone; the host that follows
// has a handler of its own. Stop leaves nothing, whatever the handler does.
func TestEndOutOfTimeLeavesTheHandler(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	calls := make(chan bool, 9)
	var n atomic.Int32
	a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		calls <- true
		if n.Add(1) == 1 {
			untilCut(r)
			return
		}
		succeed(w, r)
	})
	a.config.TimeScale = 2.0 / 600
	h := a.start()
	q.send("long")
	receive(t, calls, "the call")
	orphan := h.HandlerPID()
	q.fail(func(operation string) storageproxy.Fault {
		if operation == updates { // of the lease, while the call runs
			return http.StatusForbidden
		}
		return storageproxy.None
	})
	await.Until(t, "the next host", func() bool { return h.Stats().Restarts == 1 })
	q.fail(nil)
	if !strings.Contains(a.log.String(), "Host did not shutdown within its allotted time.") {
		t.Error("the host ended in time")
	}
	await.Until(t, "the end of the handler without a host", func() bool { return !alive(orphan) })
	receive(t, calls, "the second call")
	q.waitEmpty()
}

// Told to stop, the host refuses connections at once, lets the running requests end, and receives messages until they have. The handler
// lives until then, and no longer.
func TestStopDrainsRequestsBeforeTheQueue(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	requests, messages, release := make(chan bool, 1), make(chan bool, 9), make(chan bool)
	a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/work" {
			messages <- true
		} else {
			requests <- true
			<-release
		}
		succeed(w, r)
	})
	a.addHTTP("web", "{*path}")
	a.write("host.json", strings.Replace(proxying, `"version"`, `"extensions": {"queues": {"maxPollingInterval": "00:00:01"}}, "version"`, 1))
	a.config.TimeScale = 1
	h := a.start()
	answered := make(chan int, 1)
	go func() {
		s, _ := get(t, h.URL()+"/api/x")
		answered <- s
	}()
	receive(t, requests, "the request")
	stopped := make(chan error, 1)
	go func() { stopped <- h.Stop(context.Background()) }()
	waitUntilClosed(t, h)
	q.send("meanwhile")
	receive(t, messages, "the message")
	close(release)
	if s := receive(t, answered, "the answer"); s != http.StatusOK {
		t.Errorf("status %d", s)
	}
	if err := receive(t, stopped, "the end of Stop"); err != nil || alive(a.birth(1).PID) {
		t.Errorf("stop: %v", err)
	}
	if got := q.count(q.client); got != 0 {
		t.Errorf("%d messages left", got)
	}
}

// Stop cuts a poll off that is in flight: what storage answers to it stays hidden, and has lost a delivery.
func TestStopCutsAPollOff(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	polls, release := make(chan bool, 99), make(chan bool)
	q.fail(func(operation string) storageproxy.Fault {
		if operation == receives {
			select {
			case polls <- true:
			default:
			}
			<-release // storage has the request; its answer comes late
		}
		return storageproxy.None
	})
	_, h := startQueueApp(t, q, "", succeed)
	receive(t, polls, "a poll")
	q.send("hidden")
	stopped := make(chan error, 1)
	go func() { stopped <- h.Stop(context.Background()) }()
	if err := receive(t, stopped, "the end of Stop"); err != nil {
		t.Errorf("stop: %v", err)
	}
	close(release)
	if got := q.count(q.client); got != 1 {
		t.Errorf("%d messages", got)
	}
}

// timerHosts are apps that share a timer, the first of which has it.
func timerHosts(t *testing.T, judge func(r *http.Request) storageproxy.Fault) (*app, chan tick) {
	t.Helper()
	parts := devtest.Storage(t)
	a := newApp(t, proxying)
	a.config.Settings["AzureWebJobsStorage"] = storageproxy.Through(t, parts.ConnectionString, judge, "BlobEndpoint")
	a.addTimer("pump", "00:00:30")
	ticks := make(chan tick, 999)
	a.handle = func(w http.ResponseWriter, r *http.Request) {
		ticks <- readTick(t, r)
		succeed(w, r)
	}
	return a, ticks
}

// Of two hosts one has the timer. The other takes it when that one stops, and also when it was killed, once its lease is
// over.
func TestOneHostHasTheTimer(t *testing.T) {
	t.Parallel()
	for name, ctx := range map[string]context.Context{"stopped": context.Background(), "killed": ended()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, ticks := timerHosts(t, func(*http.Request) storageproxy.Fault { return storageproxy.None })
			first := a.start()
			receive(t, ticks, "a tick")
			second, secondTicks := timerHosts(t, func(*http.Request) storageproxy.Fault { return storageproxy.None })
			second.config.Settings["AzureFunctionsWebHost__hostid"] = a.config.Settings["AzureFunctionsWebHost__hostid"]
			second.start()
			for range 3 { // a period of the second each
				receive(t, ticks, "a tick")
			}
			if len(secondTicks) != 0 {
				t.Error("two hosts have the timer")
			}
			_ = first.Stop(ctx)
			receive(t, secondTicks, "a tick of the other host")
		})
	}
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// The timer's lease is renewed while the host lives. A host that loses it ends, and so does one that cannot reach
// storage; an internal error of the service does not end it.
func TestHostThatLosesTheTimersLeaseEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault storageproxy.Fault
		ends  bool
	}{
		"lost": {http.StatusConflict, true}, "no network": {storageproxy.Cut, true}, "service busy": {http.StatusServiceUnavailable, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failures atomic.Int32
			a, ticks := timerHosts(t, func(r *http.Request) storageproxy.Fault {
				if r.Header.Get("X-Ms-Lease-Action") == "renew" && failures.Add(1) <= 7 {
					return c.fault
				}
				return storageproxy.None
			})
			h := a.start()
			receive(t, ticks, "a tick")
			if c.ends {
				await.Until(t, "the end of the host", func() bool { return h.Stats().Restarts > 0 })
			} else {
				await.Until(t, "a renewal after the failures", func() bool { return failures.Load() > 8 })
				if got := h.Stats().Restarts; got != 0 {
					t.Errorf("%d restarts", got)
				}
			}
			for len(ticks) > 0 {
				<-ticks
			}
			receive(t, ticks, "a tick afterwards")
		})
	}
}

// A timer that cannot reach storage at the start is started again and again, until it can.
func TestTimerStartsWhenStorageIsBack(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	a, ticks := timerHosts(t, func(*http.Request) storageproxy.Fault {
		if tries.Add(1) <= 14 { // more than twice as often as one step is tried
			return storageproxy.Cut
		}
		return storageproxy.None
	})
	h := a.start()
	receive(t, ticks, "a tick")
	if got := h.Stats().Restarts; got != 0 {
		t.Errorf("%d restarts", got)
	}
	if !strings.Contains(a.log.String(), "The listener for the timer was unable to start.") {
		t.Error("the log does not tell")
	}
}
