package funchost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/funchost"
)

// text decodes the message of an envelope that was sent with dataType binary.
func text(r *http.Request) string {
	var body struct{ Data struct{ Msg []byte } }
	content, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(content, &body)
	}
	if err != nil {
		return err.Error()
	}
	return string(body.Data.Msg)
}

// fail is an answer that fails the invocation.
func fail(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }

// untilCut lasts as long as the caller stays. A server notices that only once it has read the body.
func untilCut(r *http.Request) {
	_ = text(r)
	<-r.Context().Done()
}

func TestSuccessDeletesTheMessage(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	got := make(chan string, 8)
	_, h := startQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		got <- text(r)
		succeed(w, r)
	})
	q.send("one", "two")
	first, second := receive(t, got, "a message"), receive(t, got, "a message")
	if first != "one" || second != "two" {
		t.Errorf("got %q and %q", first, second)
	}
	q.waitEmpty()
	if len(got) != 0 || q.count(q.poison) != 0 || h.Stats().HandlerStarts != 1 {
		t.Error("more came of it")
	}
}

// A failed message is tried maxDequeueCount times, then copied to the poison queue and only after that deleted.
func TestFailureIsRetriedAndThenPoisoned(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	var calls atomic.Int32
	startQueueApp(t, q, `"maxDequeueCount": 3, "visibilityTimeout": "00:00:30"`, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		fail(w, r)
	})
	q.send("bad")
	await.Until(t, "the poison message", func() bool { return q.count(q.poison) == 1 })
	q.waitEmpty()
	if got := calls.Load(); got != 3 {
		t.Errorf("%d calls", got)
	}
	if got := q.poisoned(); !slices.Equal(got, []string{"bad"}) {
		t.Errorf("poison queue %q", got)
	}
	want := []string{updates, updates, copies, creates, copies, deletes} // the first copy finds no queue
	if got := q.operations(); !slices.Equal(got, want) {
		t.Errorf("the host did %q, want %q", got, want)
	}
}

// A message that has come too often already is poisoned without a call.
func TestTooManyDequeuesSkipTheCall(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.send("seen before")
	short := int32(1)
	if _, err := q.client.DequeueMessage(t.Context(), &azqueue.DequeueMessageOptions{VisibilityTimeout: &short}); err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int32
	startQueueApp(t, q, `"maxDequeueCount": 1`, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		succeed(w, r)
	})
	await.Until(t, "the poison message", func() bool { return q.count(q.poison) == 1 })
	q.waitEmpty()
	if got := calls.Load(); got != 0 {
		t.Errorf("%d calls", got)
	}
}

// What is not base64 goes to the poison queue at once, unless host.json says that nothing is encoded.
func TestMessageThatIsNotBase64IsPoisoned(t *testing.T) {
	t.Parallel()
	for encoding, delivered := range map[string]bool{"base64": false, "none": true} {
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t)
			got := make(chan string, 1)
			startQueueApp(t, q, fmt.Sprintf(`"messageEncoding": %q`, encoding), func(w http.ResponseWriter, r *http.Request) {
				got <- text(r)
				succeed(w, r)
			})
			q.sendRaw("{plain}")
			if delivered {
				if m := receive(t, got, "the message"); m != "{plain}" {
					t.Errorf("got %q", m)
				}
			} else {
				await.Until(t, "the poison message", func() bool { return q.count(q.poison) == 1 })
			}
			q.waitEmpty()
			if !delivered && !slices.Equal(q.poisoned(), []string{"raw: {plain}"}) {
				t.Errorf("poison queue %q", q.poisoned())
			}
		})
	}
}

// At most batchSize + newBatchThreshold calls run at once, and as many do.
func TestConcurrentCallsAreBounded(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	texts := strings.Fields("a b c d e f g h i j")
	q.send(texts...)
	var running, most atomic.Int32
	next := make(chan bool)
	startQueueApp(t, q, `"batchSize": 2, "newBatchThreshold": 1`, func(w http.ResponseWriter, r *http.Request) {
		n := running.Add(1)
		for {
			if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		<-next
		running.Add(-1)
		succeed(w, r)
	})
	await.Until(t, "a full batch", func() bool { return running.Load() == 2 })
	next <- true // which leaves one call, and room for a batch more
	await.Until(t, "the next batch", func() bool { return running.Load() == 3 })
	for n := 2; n <= 7; n++ {
		next <- true
		await.Until(t, "the end of a call", func() bool { return len(q.operations()) == n })
	}
	close(next)
	q.waitEmpty()
	if got := most.Load(); got != 3 {
		t.Errorf("%d calls at once, want 3", got)
	}
}

// The lease is renewed while the call runs, so a long call is not doubled.
func TestLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	calls := make(chan bool, 9)
	release := make(chan bool)
	a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		calls <- true
		<-release
		succeed(w, r)
	})
	a.config.TimeScale = 4.0 / 600 // the lease is 4 s, renewed every two
	a.start()
	q.send("long")
	receive(t, calls, "the call")
	await.Until(t, "three renewals", func() bool { return len(q.operations()) == 3 })
	close(release)
	q.waitEmpty()
	if len(calls) != 0 {
		t.Error("the message was delivered again")
	}
	if got := q.operations(); got[len(got)-1] != deletes {
		t.Errorf("the host did %q", got)
	}
}

// The trigger waits for a queue that does not exist.
func TestMissingQueueIsAwaited(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	if _, err := q.client.Delete(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	a, _ := startQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		got <- text(r)
		succeed(w, r)
	})
	await.Until(t, "the complaint", func() bool { return strings.Contains(a.log.String(), "does not exist") })
	if _, err := q.client.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	q.send("late")
	if m := receive(t, got, "the message"); m != "late" {
		t.Errorf("got %q", m)
	}
}

// A call that dies with the handler is a failure like any other: the next handler gets the message.
func TestMessageOutlivesItsHandler(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	calls := make(chan bool, 9)
	var n atomic.Int32
	_, h := startQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		calls <- true
		if n.Add(1) == 1 {
			untilCut(r)
			return
		}
		succeed(w, r)
	})
	q.send("survivor")
	receive(t, calls, "the first call")
	kill(t, h.HandlerPID())
	receive(t, calls, "the second call")
	q.waitEmpty()
}

// A queue that is a poison queue has none of its own: what fails stays.
func TestPoisonQueueHasNoPoisonQueue(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	if _, err := q.poison.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	calls := make(chan bool, 9)
	a := newQueueApp(t, q, `"maxDequeueCount": 2`, func(w http.ResponseWriter, r *http.Request) {
		calls <- true
		fail(w, r)
	})
	a.addQueue("work", strings.ToUpper(q.name)+"-POISON", "binary") // names are lower-cased
	a.config.TimeScale = 2.0 / 600
	a.start()
	if _, err := q.poison.EnqueueMessage(t.Context(), "YmFk", nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		receive(t, calls, "a call")
		if got := q.operations(); len(got) != 0 || q.count(q.poison) != 1 {
			t.Errorf("%d messages left, and the host did %q", q.count(q.poison), got)
		}
	}
}

func TestFaultsRepeatDeliveries(t *testing.T) {
	t.Parallel()
	t.Run("duplicate delivery", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t)
		var together sync.WaitGroup
		together.Add(3)
		a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
			together.Done()
			together.Wait() // all three run at once
			succeed(w, r)
		})
		a.config.Faults = &funchost.Faults{DeliverTimes: 3}
		a.start()
		q.send("tripled")
		q.waitEmpty()
		if got := q.operations(); !slices.Equal(got, []string{deletes}) {
			t.Errorf("the host did %q", got)
		}
	})
	t.Run("lost delete", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t)
		var asked, calls atomic.Int32
		a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
			calls.Add(1)
			succeed(w, r)
		})
		a.config.TimeScale = 2.0 / 600
		a.config.Faults = &funchost.Faults{LoseDelete: func() bool { return asked.Add(1) == 1 }}
		a.start()
		q.send("again")
		q.waitEmpty()
		if got := calls.Load(); got < 2 { // more where the lease of 2 s ended before the next deletion
			t.Errorf("%d calls", got)
		}
	})
}

// Stop lets a running call end and settles its message.
func TestStopWaitsForARunningMessage(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	called, release := make(chan bool, 1), make(chan bool)
	a := newQueueApp(t, q, "", func(w http.ResponseWriter, r *http.Request) {
		called <- true
		<-release
		succeed(w, r)
	})
	a.config.TimeScale = 1
	h := a.start()
	q.send("running")
	receive(t, called, "the call")
	stopped := make(chan error, 1)
	go func() { stopped <- h.Stop(context.Background()) }()
	waitUntilClosed(t, h)
	close(release)
	if err := receive(t, stopped, "the end of Stop"); err != nil {
		t.Errorf("stop: %v", err)
	}
	if got := q.count(q.client); got != 0 {
		t.Errorf("%d messages left", got)
	}
}

// A call that takes too long is cut off by Stop, which says so; its message comes back after its lease.
func TestStopCutsALongMessageOff(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	called := make(chan bool, 1)
	_, h := startQueueApp(t, q, "", func(_ http.ResponseWriter, r *http.Request) {
		called <- true
		untilCut(r)
	})
	q.send("endless")
	receive(t, called, "the call")
	if err := h.Stop(context.Background()); err == nil {
		t.Error("stop said nothing about the call that it cut off")
	}
	if got := q.count(q.client); got != 1 || len(q.operations()) != 0 {
		t.Errorf("%d messages left after %q", got, q.operations())
	}
}

// A message that still waits for a handler when the host stops is cut off, too: it stays hidden.
func TestStopCutsAWaitingMessageOff(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	a := newQueueApp(t, q, `"maxDequeueCount": 1, "visibilityTimeout": "00:30:00"`, fail)
	dead := make(chan bool)
	a.onBirth = func(n int, _ birth) string {
		if n == 2 {
			close(dead)
			return staySilent
		}
		return ""
	}
	h := a.start()
	kill(t, h.HandlerPID())
	receive(t, dead, "the second start")
	q.send("waiting")
	await.Until(t, "the receipt", func() bool { return q.visible() == 0 })
	_ = h.Stop(context.Background()) // whether its call had begun, only the host knows
	if q.count(q.client) != 1 || q.count(q.poison) != 0 {
		t.Errorf("%d messages, poisoned: %d", q.count(q.client), q.count(q.poison))
	}
}
