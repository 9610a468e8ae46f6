package funchost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"
)

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

// run receives batches until the listeners stop. A queue that is missing, or a service that answers with a fault of its
// own, makes it poll less often; any other error ends the host, a refused connection after the sixth try.
// Source: QueueListener.ExecuteAsync of Microsoft.Azure.WebJobs.Extensions.Storage.Queues, and measured.
func (t *queueTrigger) run(l *life) {
	backoff := t.options.pollBackoff
	calls := newCallCount()
	defer calls.wait()
	down := false
	for l.listening.Err() == nil {
		messages, err := t.receive(l.listening)
		if err != nil && l.listening.Err() == nil && !answeredByFault(err) && !absent(err) {
			l.crash(err)
			return
		}
		if (err != nil) != down {
			down = !down
			t.logOutage(err)
		}
		if len(messages) == 0 {
			sleep(l.listening, backoff.next())
			continue
		}
		backoff.reset()
		for _, m := range messages {
			calls.start(func() { t.process(l, m) })
		}
		calls.waitUntilAtMost(l.listening, t.options.newBatchThreshold)
	}
}

func absent(err error) bool {
	return queueerror.HasCode(err, queueerror.QueueNotFound, queueerror.QueueBeingDeleted, queueerror.QueueDisabled)
}

// receive is cut off when the listeners stop. Messages of an answer that nobody reads stay hidden for a lease, and have
// one delivery less.
func (t *queueTrigger) receive(ctx context.Context) ([]*azqueue.DequeuedMessage, error) {
	batch, lease := int32(t.options.batchSize), seconds(t.options.lease)
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
