package azure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
)

// Clock returns the storage's clock, as its answer has it, also where the answer is a refusal.
func (b *Blobs) Clock(ctx context.Context) (time.Time, error) {
	properties, err := b.client.GetProperties(ctx, nil)
	if err == nil && properties.Date != nil {
		return *properties.Date, nil
	}
	if answer, ok := errors.AsType[*azcore.ResponseError](err); ok && answer.RawResponse != nil {
		return http.ParseTime(answer.RawResponse.Header.Get("Date"))
	}
	if err == nil {
		err = errors.New("the answer has no date")
	}
	return time.Time{}, fmt.Errorf("read the storage's clock: %w", err)
}

// PoisonReady returns nil if the poison queue exists and answers.
func (q *Queue) PoisonReady(ctx context.Context) error {
	_, err := length(ctx, q.poison)
	return err
}

// Oldest returns when the oldest of the next messages that could be received now was sent; the zero time if none could be.
func (q *Queue) Oldest(ctx context.Context) (oldest time.Time, err error) {
	const most = 32 // what the service shows at once
	peeked, err := q.client.PeekMessages(ctx, &azqueue.PeekMessagesOptions{NumberOfMessages: new(int32(most))})
	if err != nil {
		return oldest, fmt.Errorf("peek at the queue: %w", err)
	}
	for _, m := range peeked.Messages {
		if m.InsertionTime != nil && (oldest.IsZero() || m.InsertionTime.Before(oldest)) {
			oldest = *m.InsertionTime
		}
	}
	return oldest, nil
}

// Refusal is why a call of storage failed.
type Refusal int

// The refusals that an operator can do something about.
const (
	Unreachable Refusal = iota // nobody answers, or no name leads there
	NoSignIn                   // no token for the identity
	Forbidden                  // the key is wrong, or a role is missing
	NotThere                   // the container or the queue
	Unavailable                // it answers, and cannot serve
)

// RefusalOf returns what an error of a call stands for.
func RefusalOf(err error) Refusal {
	answer, ok := errors.AsType[*azcore.ResponseError](err)
	switch {
	case errors.Is(err, ErrNoToken):
		return NoSignIn
	case !ok:
		return Unreachable
	case answer.StatusCode == http.StatusNotFound:
		return NotThere
	case answer.StatusCode == http.StatusForbidden, answer.StatusCode == http.StatusUnauthorized:
		return Forbidden
	}
	return Unavailable
}

// Brief returns what storage says, without its headers: a status and a code, or why nobody was reached.
func Brief(err error) string {
	if answer, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return fmt.Sprintf("%d %s", answer.StatusCode, answer.ErrorCode)
	}
	return err.Error()
}
