package trigger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"

	"sheetdrop/internal/funchost/internal/app"
	"sheetdrop/internal/funchost/internal/timing"
)

// queueTrigger receives the messages of one queue and calls its function with each.
type queueTrigger struct {
	host       Host
	function   app.Function
	options    app.QueueOptions
	log        *slog.Logger
	queue      *azqueue.QueueClient
	poison     *azqueue.QueueClient // nil where the rules allow no poison queue
	poisonName string
}

// NewQueue returns the listener of a queueTrigger.
func NewQueue(h Host, f app.Function) (Listener, error) {
	name := f.Trigger.QueueName
	connection, err := h.Settings.ConnectionString(f.Trigger.Connection)
	if err != nil {
		return nil, err
	}
	t := &queueTrigger{
		host: h, function: f, options: h.Options.Queues, poisonName: name + "-poison",
		log: h.Log.With("function", f.Name, "queue", name),
	}
	options := &azqueue.ClientOptions{ClientOptions: h.clientOptions()}
	if t.queue, err = azqueue.NewQueueClientFromConnectionString(connection, name, options); err != nil {
		return nil, fmt.Errorf("queue %s: %w", name, err)
	}
	if strings.HasSuffix(name, "-poison") || len(t.poisonName) > 63 {
		return t, nil
	}
	t.poison, err = azqueue.NewQueueClientFromConnectionString(connection, t.poisonName, options)
	return t, err
}

// Run receives batches until the listeners stop. A queue that is missing, or an internal error of
// the service, makes it poll less often; any other error ends the host, a refused connection after the sixth try.
// Source: QueueListener.ExecuteAsync of Microsoft.Azure.WebJobs.Extensions.Storage.Queues, and measured.
func (t *queueTrigger) Run(l Life) {
	backoff := pollBackoff{step: t.options.ShortestPoll, longest: t.options.LongestPoll}
	calls := newCallCount()
	defer calls.wait()
	down := false
	for l.Listening.Err() == nil {
		messages, err := t.receive(l.Listening)
		if err != nil && l.Listening.Err() == nil && !answeredByFault(err) && !absent(err) {
			l.Crash(err)
			return
		}
		if (err != nil) != down {
			down = !down
			t.logOutage(err)
		}
		if len(messages) == 0 {
			timing.Sleep(l.Listening, backoff.next())
			continue
		}
		backoff.reset()
		for _, m := range messages {
			calls.start(func() { t.process(l, m) })
		}
		calls.waitUntilAtMost(l.Listening, t.options.NewBatchThreshold)
	}
}

func absent(err error) bool {
	return queueerror.HasCode(err, queueerror.QueueNotFound, queueerror.QueueBeingDeleted, queueerror.QueueDisabled)
}

// receive is cut off when the listeners stop. The messages of an answer that is then lost stay hidden for a lease, and have one delivery
// less.
func (t *queueTrigger) receive(ctx context.Context) ([]*azqueue.DequeuedMessage, error) {
	batch, lease := int32(t.options.BatchSize), timing.Seconds(t.options.Lease)
	answer, err := t.queue.DequeueMessages(ctx, &azqueue.DequeueMessagesOptions{NumberOfMessages: &batch, VisibilityTimeout: &lease})
	return answer.Messages, err
}

func (t *queueTrigger) logOutage(err error) {
	switch {
	case err == nil:
		t.log.Info("the queue can be read")
	case absent(err):
		t.log.Warn("the queue does not exist yet")
	case !errors.Is(err, context.Canceled):
		t.log.Warn("the queue cannot be read", "error", brief(err))
	}
}

// brief shortens the storage library's errors, which span many lines, to status and code.
func brief(err error) error {
	if answer, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return fmt.Errorf("storage answered %d %s", answer.StatusCode, answer.ErrorCode)
	}
	return err
}
