package azure

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"
)

// Queue is the queue of parse messages together with its poison queue. It is safe for concurrent use.
type Queue struct{ client, poison *azqueue.QueueClient }

// Send puts one message into the queue, without retries. The host expects base64, which the SDK does not add; the
// message never expires.
func (q *Queue) Send(ctx context.Context, message []byte) error {
	const never = -1
	_, err := q.client.EnqueueMessage(
		ctx,
		base64.StdEncoding.EncodeToString(message),
		&azqueue.EnqueueMessageOptions{TimeToLive: to.Ptr(int32(never))},
	)
	if err != nil {
		return fmt.Errorf("put message: %w", err)
	}
	return nil
}

// Lengths returns the approximate number of messages in the queue and in its poison queue, including invisible ones. A
// poison queue that does not exist yet is empty.
func (q *Queue) Lengths(ctx context.Context) (queue, poison int64, err error) {
	if queue, err = length(ctx, q.client); err != nil {
		return 0, 0, err
	}
	poison, err = length(ctx, q.poison)
	if queueerror.HasCode(err, queueerror.QueueNotFound) {
		return queue, 0, nil
	}
	return queue, poison, err
}

// HasVisible reports whether a message could be received now. A message that was received, and neither deleted nor
// released, is hidden.
func (q *Queue) HasVisible(ctx context.Context) (bool, error) {
	peeked, err := q.client.PeekMessage(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("peek at the queue: %w", err)
	}
	return len(peeked.Messages) > 0, nil
}

func length(ctx context.Context, client *azqueue.QueueClient) (int64, error) {
	properties, err := client.GetProperties(ctx, nil)
	if err != nil {
		return 0, fmt.Errorf("read queue properties: %w", err)
	}
	if properties.ApproximateMessagesCount == nil {
		return 0, nil
	}
	return int64(*properties.ApproximateMessagesCount), nil
}

// Ready returns nil if the queue exists and answers.
func (q *Queue) Ready(ctx context.Context) error {
	_, err := length(ctx, q.client)
	return err
}
