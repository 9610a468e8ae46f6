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

// PoisonMessage is one that the host has given up delivering.
type PoisonMessage struct {
	ID           string
	Text         string // decoded, if it is the base64 of a text; else as it stands in the queue
	DequeueCount int64
	receipt      string
}

// TakePoison takes up to 32 messages out of sight for half a minute, in which they are to be deleted. There are none where nobody has made a
// poison queue yet.
func (q *Queue) TakePoison(ctx context.Context) ([]PoisonMessage, error) {
	const most, seconds = 32, 30 // as long as a run of the reconciler may take
	batch, err := q.poison.DequeueMessages(ctx, &azqueue.DequeueMessagesOptions{NumberOfMessages: new(int32(most)), VisibilityTimeout: new(int32(seconds))})
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

// DeletePoison removes a message that was taken; one that is gone, or was taken by somebody else meanwhile, is success.
func (q *Queue) DeletePoison(ctx context.Context, m PoisonMessage) error {
	_, err := q.poison.DeleteMessage(ctx, m.ID, m.receipt, nil)
	if err != nil && !queueerror.HasCode(err, queueerror.MessageNotFound, queueerror.PopReceiptMismatch) {
		return fmt.Errorf("delete poison message: %w", err)
	}
	return nil
}

func decoded(text string) string {
	plain, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !utf8.Valid(plain) || strings.Contains(string(plain), "\x00") { // which the database cannot keep
		return text
	}
	return string(plain)
}
