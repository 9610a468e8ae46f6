package azure

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"
)

// PoisonMessage is a message that the host gave up delivering.
type PoisonMessage struct {
	ID           string
	Text         string // decoded if it is the base64 of a text; otherwise as in the queue
	DequeueCount int64
	receipt      string
}

// TakePoison receives up to 32 messages and hides them for half a minute, in which they should be deleted. It returns
// none if the poison queue does not exist yet.
func (q *Queue) TakePoison(ctx context.Context) ([]PoisonMessage, error) {
	const most, seconds = 32, 30 // as long as a run of maintenance may take
	batch, err := q.poison.DequeueMessages(
		ctx,
		&azqueue.DequeueMessagesOptions{NumberOfMessages: new(int32(most)), VisibilityTimeout: new(int32(seconds))},
	)
	if queueerror.HasCode(err, queueerror.QueueNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("take poison messages: %w", err)
	}
	messages := make([]PoisonMessage, len(batch.Messages))
	for i, m := range batch.Messages {
		messages[i] = PoisonMessage{ID: *m.MessageID, Text: decoded(*m.MessageText), DequeueCount: *m.DequeueCount, receipt: *m.PopReceipt}
	}
	return messages, nil
}

// DeletePoison deletes a message that was received; it succeeds if the message no longer exists, or somebody else has
// received it meanwhile.
func (q *Queue) DeletePoison(ctx context.Context, m PoisonMessage) error {
	_, err := q.poison.DeleteMessage(ctx, m.ID, m.receipt, nil)
	if err != nil && !queueerror.HasCode(err, queueerror.MessageNotFound, queueerror.PopReceiptMismatch) {
		return fmt.Errorf("delete poison message: %w", err)
	}
	return nil
}

func decoded(text string) string {
	plain, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !utf8.Valid(plain) || strings.Contains(string(plain), "\x00") { // which the database cannot store
		return text
	}
	return string(plain)
}
