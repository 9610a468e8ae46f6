package trigger

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"

	"sheetdrop/internal/funchost/internal/timing"
)

// process takes one received message to its end: deleted, hidden until the next try, or moved to the poison queue. When
// its call is cut off, the message is left alone and comes back after its lease.
func (t *queueTrigger) process(l Life, m *azqueue.DequeuedMessage) {
	if l.Listening.Err() != nil {
		return // received while the listeners stopped
	}
	payload, err := t.decode(*m.MessageText)
	if err != nil {
		t.log.Warn("Message decoding has failed! Check MessageEncoding settings.", "message_id", *m.MessageID)
	}
	if err != nil || *m.DequeueCount > int64(t.options.MaxDequeueCount) {
		t.settle(l, t.moveToPoison(l.Calls, m, *m.PopReceipt))
		return
	}
	lease := t.holdLease(l, m)
	err = t.deliver(l, m, payload)
	receipt := lease.release()
	if l.Calls.Err() == nil {
		t.settle(l, t.conclude(l.Calls, m, receipt, err))
	}
}

// decode reads base64 as .NET does, which takes white space anywhere.
func (t *queueTrigger) decode(text string) ([]byte, error) {
	if !t.options.Base64 {
		return []byte(text), nil
	}
	return base64.StdEncoding.DecodeString(strings.NewReplacer(" ", "", "\t", "").Replace(text))
}

// deliver calls the function with the message, several times at once when that fault is asked for.
func (t *queueTrigger) deliver(l Life, m *azqueue.DequeuedMessage, payload []byte) error {
	if !t.binary() && !utf8.Valid(payload) {
		return errors.New("the message is bound to a string and is not UTF-8") // without a call
	}
	errs := make([]error, max(1, t.host.Faults.DeliverTimes))
	var calls sync.WaitGroup
	for i := range errs {
		calls.Go(func() {
			errs[i] = l.Invoke(t.function.Name, t.envelope(m, payload))
		})
	}
	calls.Wait()
	return errors.Join(errs...)
}

func (t *queueTrigger) binary() bool { return strings.EqualFold(t.function.Trigger.DataType, "binary") }

// envelope encodes a message: with dataType binary as its bytes, else as text whose properties are added to the metadata.
func (t *queueTrigger) envelope(m *azqueue.DequeuedMessage, payload []byte) Envelope {
	metadata := map[string]any{
		"Id":              twice(*m.MessageID),
		"PopReceipt":      twice(*m.PopReceipt),
		"DequeueCount":    twice(*m.DequeueCount),
		"InsertionTime":   wireTime(*m.InsertionTime),
		"ExpirationTime":  wireTime(*m.ExpirationTime),
		"NextVisibleTime": wireTime(*m.TimeNextVisible),
	}
	e := newEnvelope(t.function.Name, t.function.Trigger.Name, payload, metadata) // []byte goes out as base64
	if !t.binary() {
		e.Data[t.function.Trigger.Name] = twice(string(payload))
		addProperties(e.Metadata, string(payload))
	}
	return e
}

// conclude settles a message after its call.
func (t *queueTrigger) conclude(ctx context.Context, m *azqueue.DequeuedMessage, receipt string, callErr error) error {
	switch {
	case callErr == nil:
		if lose := t.host.Faults.LoseDelete; lose != nil && lose() {
			return nil
		}
		return t.delete(ctx, m, receipt)
	case t.poison == nil:
		return nil // it comes back after its lease, for ever
	case *m.DequeueCount >= int64(t.options.MaxDequeueCount):
		return t.moveToPoison(ctx, m, receipt)
	}
	return t.show(ctx, m, receipt, t.options.RetryDelay)
}

// settle handles the error of a storage step after a call. A message that another receiver has by now is no error; any other
// error ends the host.
func (t *queueTrigger) settle(l Life, err error) {
	if err != nil && !lostLease(err) && l.Calls.Err() == nil {
		l.Crash(err)
	}
}

// moveToPoison copies the message and then deletes it: a crash in between leaves both.
func (t *queueTrigger) moveToPoison(ctx context.Context, m *azqueue.DequeuedMessage, receipt string) error {
	if t.poison == nil {
		return nil
	}
	t.log.Warn("Message has reached MaxDequeueCount. Moving message to the poison queue.",
		"dequeue_count", *m.DequeueCount, "poison_queue", t.poisonName)
	_, err := t.poison.EnqueueMessage(ctx, *m.MessageText, nil)
	if queueerror.HasCode(err, queueerror.QueueNotFound) {
		if _, err = t.poison.Create(ctx, nil); err == nil || queueerror.HasCode(err, queueerror.QueueAlreadyExists) {
			_, err = t.poison.EnqueueMessage(ctx, *m.MessageText, nil)
		}
	}
	if err != nil {
		return fmt.Errorf("copy to %s: %w", t.poisonName, err)
	}
	return t.delete(ctx, m, receipt)
}

func (t *queueTrigger) delete(ctx context.Context, m *azqueue.DequeuedMessage, receipt string) error {
	_, err := t.queue.DeleteMessage(ctx, *m.MessageID, receipt, nil)
	return err
}

// show makes the message visible after delay.
func (t *queueTrigger) show(ctx context.Context, m *azqueue.DequeuedMessage, receipt string, delay time.Duration) error {
	_, err := t.hide(ctx, m, receipt, delay)
	return err
}

// hide sets how long the message stays invisible from now and returns its new pop receipt.
func (t *queueTrigger) hide(ctx context.Context, m *azqueue.DequeuedMessage, receipt string, d time.Duration) (string, error) {
	seconds := timing.Seconds(d)
	options := &azqueue.UpdateMessageOptions{VisibilityTimeout: &seconds}
	answer, err := t.queue.UpdateMessage(ctx, *m.MessageID, receipt, *m.MessageText, options)
	if err != nil {
		return receipt, err
	}
	return *answer.PopReceipt, nil
}

// lostLease reports whether another receiver has the message by now, or it is gone.
func lostLease(err error) bool {
	return answered(err, http.StatusNotFound) || queueerror.HasCode(err, queueerror.PopReceiptMismatch)
}
