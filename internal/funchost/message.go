package funchost

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue/queueerror"
)

// process takes one received message to its end: deleted, hidden until the next try, or moved to the poison queue. When
// life ends first, the message is left alone and comes back after its lease.
func (t *queueTrigger) process(listening, life context.Context, m *azqueue.DequeuedMessage) {
	if listening.Err() != nil { // received while the listener stopped, perhaps just given back by another call
		t.settle(life, func(ctx context.Context) error { return t.show(ctx, m, *m.PopReceipt, 0) })
		return
	}
	payload, err := t.decode(*m.MessageText)
	if err == nil && *m.DequeueCount > int64(t.options.maxDequeueCount) {
		err = errors.New("it has come too often")
	}
	if err != nil {
		t.log.Warn("the message is given up without a call", "dequeue_count", *m.DequeueCount, "cause", err)
		t.settle(life, func(ctx context.Context) error { return t.moveToPoison(ctx, m, *m.PopReceipt) })
		return
	}
	lease := t.holdLease(life, m)
	err = t.deliver(listening, life, m, payload)
	receipt := lease.release()
	if life.Err() == nil {
		t.settle(life, func(ctx context.Context) error { return t.conclude(ctx, m, receipt, err) })
	}
}

func (t *queueTrigger) decode(text string) ([]byte, error) {
	if !t.options.base64 {
		return []byte(text), nil
	}
	return base64.StdEncoding.DecodeString(text)
}

// deliver calls the function with the message, several times at once when that fault is asked for.
func (t *queueTrigger) deliver(listening, life context.Context, m *azqueue.DequeuedMessage, payload []byte) error {
	errs := make([]error, max(1, t.host.config.Faults.DeliverTimes))
	var calls sync.WaitGroup
	for i := range errs {
		calls.Go(func() {
			errs[i] = t.host.invoke(listening, life, t.function.name, t.envelope(m, payload))
		})
	}
	calls.Wait()
	return errors.Join(errs...)
}

// envelope encodes a message: with dataType binary as its bytes, else as text whose properties pollute the metadata.
func (t *queueTrigger) envelope(m *azqueue.DequeuedMessage, payload []byte) envelope {
	metadata := map[string]any{
		"Id":              twice(*m.MessageID),
		"PopReceipt":      twice(*m.PopReceipt),
		"DequeueCount":    twice(*m.DequeueCount),
		"InsertionTime":   wireTime(*m.InsertionTime),
		"ExpirationTime":  wireTime(*m.ExpirationTime),
		"NextVisibleTime": wireTime(*m.TimeNextVisible),
	}
	var value any = payload // []byte goes out as base64
	if !strings.EqualFold(t.function.trigger.DataType, "binary") {
		pollute(metadata, string(payload))
		value = twice(string(payload))
	}
	return newEnvelope(t.function.name, t.function.trigger.Name, value, metadata)
}

// conclude settles a message after its call.
func (t *queueTrigger) conclude(ctx context.Context, m *azqueue.DequeuedMessage, receipt string, callErr error) error {
	switch {
	case callErr == nil:
		if lose := t.host.config.Faults.LoseDelete; lose != nil && lose() {
			return nil
		}
		return t.delete(ctx, m, receipt)
	case errors.Is(callErr, errNotCalled):
		return t.show(ctx, m, receipt, 0)
	case t.poison == nil:
		return nil // it comes back after its lease, for ever
	case *m.DequeueCount >= int64(t.options.maxDequeueCount):
		t.log.Warn("the message goes to the poison queue", "dequeue_count", *m.DequeueCount)
		return t.moveToPoison(ctx, m, receipt)
	}
	return t.show(ctx, m, receipt, t.options.retryDelay)
}

// settle runs one storage step with retries. The real host shuts down when it fails; this one leaves the message to its
// lease.
func (t *queueTrigger) settle(life context.Context, step func(context.Context) error) {
	scale := timeScale(t.host.config.TimeScale)
	ctx := policy.WithRetryOptions(life, policy.RetryOptions{
		MaxRetries: 3, TryTimeout: 30 * time.Second, RetryDelay: scale.of(800 * time.Millisecond), MaxRetryDelay: scale.of(time.Minute),
	})
	if err := step(ctx); err != nil && !lostLease(err) && life.Err() == nil {
		t.log.Error("the message could not be settled", "error", brief(err))
	}
}

// moveToPoison copies the message and then deletes it: a crash in between leaves both.
func (t *queueTrigger) moveToPoison(ctx context.Context, m *azqueue.DequeuedMessage, receipt string) error {
	if t.poison == nil {
		return nil
	}
	_, err := t.poison.EnqueueMessage(ctx, *m.MessageText, nil)
	if queueerror.HasCode(err, queueerror.QueueNotFound) {
		if _, err = t.poison.Create(ctx, nil); err == nil || queueerror.HasCode(err, queueerror.QueueAlreadyExists) {
			_, err = t.poison.EnqueueMessage(ctx, *m.MessageText, nil)
		}
	}
	if err != nil {
		return fmt.Errorf("copy to %s: %w", t.poisonName, err)
	}
	if crash := t.host.config.Faults.CrashBeforePoisonDelete; crash != nil && crash() {
		return nil
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
	timeout := seconds(d)
	answer, err := t.queue.UpdateMessage(ctx, *m.MessageID, receipt, *m.MessageText, &azqueue.UpdateMessageOptions{VisibilityTimeout: &timeout})
	if err != nil {
		return receipt, err
	}
	return *answer.PopReceipt, nil
}

// lostLease says that somebody else has the message by now, or that it is gone.
func lostLease(err error) bool {
	return queueerror.HasCode(err, queueerror.PopReceiptMismatch, queueerror.MessageNotFound)
}
