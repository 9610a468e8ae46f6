package funchost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"
)

// receiveLease is for how long a received message is hidden; it is renewed while the call runs.
const receiveLease = 10 * time.Minute

// queueOptions are host.json's extensions.queues, scaled.
type queueOptions struct {
	batchSize         int
	newBatchThreshold int // the next batch is received when at most so many calls run
	maxDequeueCount   int
	retryDelay        time.Duration // how long a message is hidden after a failure ("visibilityTimeout")
	lease             time.Duration
	pollBackoff       pollBackoff
	base64            bool
}

// queueTrigger receives the messages of one queue and calls its function with each.
type queueTrigger struct {
	host       *Host
	function   function
	options    queueOptions
	log        *slog.Logger
	queue      *azqueue.QueueClient
	poison     *azqueue.QueueClient // nil where the rules allow no poison queue
	poisonName string
}

func newQueueTrigger(h *Host, f function) (*queueTrigger, error) {
	name := f.trigger.QueueName
	connection, err := h.config.connectionString(f.trigger.Connection)
	if err != nil {
		return nil, err
	}
	t := &queueTrigger{
		host: h, function: f, options: h.options.queues, poisonName: name + "-poison",
		log: h.config.Logger.With("function", f.name, "queue", name),
	}
	// The listener's back-off is the retry; what follows a call asks for retries itself.
	once := &azqueue.ClientOptions{}
	once.Retry = policy.RetryOptions{MaxRetries: -1, TryTimeout: 30 * time.Second}
	if t.queue, err = azqueue.NewQueueClientFromConnectionString(connection, name, once); err != nil {
		return nil, fmt.Errorf("queue %s: %w", name, err)
	}
	if strings.HasSuffix(name, "-poison") || len(t.poisonName) > 63 {
		return t, nil
	}
	t.poison, err = azqueue.NewQueueClientFromConnectionString(connection, t.poisonName, once)
	return t, err
}

// run receives batches until listening ends. A storage outage only makes it poll less often.
func (t *queueTrigger) run(listening, life context.Context) {
	backoff := t.options.pollBackoff
	calls := newCallCount()
	defer calls.wait()
	down := false
	for listening.Err() == nil {
		messages, err := t.receive(life)
		if (err != nil) != down {
			down = !down
			t.logOutage(err)
		}
		if len(messages) == 0 {
			sleep(listening, backoff.next())
			continue
		}
		backoff.reset()
		for _, m := range messages {
			calls.start(func() { t.process(listening, life, m) })
		}
		calls.waitUntilAtMost(listening, t.options.newBatchThreshold)
	}
}

// receive is not cut off when the listener stops: messages of an answer that nobody reads stay hidden for a lease.
func (t *queueTrigger) receive(ctx context.Context) ([]*azqueue.DequeuedMessage, error) {
	batch, lease := int32(t.options.batchSize), seconds(t.options.lease)
	answer, err := t.queue.DequeueMessages(ctx, &azqueue.DequeueMessagesOptions{NumberOfMessages: &batch, VisibilityTimeout: &lease})
	return answer.Messages, err
}

func (t *queueTrigger) logOutage(err error) {
	switch {
	case err == nil:
		t.log.Info("the queue can be read")
	case queueerror.HasCode(err, queueerror.QueueNotFound):
		t.log.Warn("the queue does not exist yet")
	case !errors.Is(err, context.Canceled):
		t.log.Warn("the queue cannot be read", "error", err)
	}
}

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

// wholeSeconds rounds up: storage keeps visibility in seconds.
func wholeSeconds(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

func seconds(d time.Duration) int32 { return int32(wholeSeconds(d) / time.Second) }
