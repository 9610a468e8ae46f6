//go:build linux

package soak

import (
	"context"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

func copyMessage(t *testing.T, s *soak, f fault) error {
	return s.onMessage(t, f, func(queue *azqueue.QueueClient, m *azqueue.DequeuedMessage) {
		for range 2 {
			_, _ = queue.EnqueueMessage(t.Context(), *m.MessageText, nil)
		}
		_, _ = queue.UpdateMessage(t.Context(), *m.MessageID, *m.PopReceipt, *m.MessageText, nil)
	})
}

// dropMessage loses a message as a queue must not. The time after which the reconciler misses it is made to pass: see letTimePass.
func dropMessage(t *testing.T, s *soak, f fault) error {
	return s.onMessage(t, f, func(queue *azqueue.QueueClient, m *azqueue.DequeuedMessage) {
		text, err := base64.StdEncoding.DecodeString(*m.MessageText)
		if err != nil {
			return // it is ours, and garbage
		}
		parsed, err := task.DecodeParseMessage(text)
		if err != nil {
			return
		}
		_, _ = queue.DeleteMessage(t.Context(), *m.MessageID, *m.PopReceipt, nil)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.dropped = append(s.dropped, parsed.TaskID)
	})
}

// holdMessage lets others overtake a message.
func holdMessage(t *testing.T, s *soak, f fault) error {
	return s.onMessage(t, f, func(queue *azqueue.QueueClient, m *azqueue.DequeuedMessage) {
		_, _ = queue.UpdateMessage(t.Context(), *m.MessageID, *m.PopReceipt, *m.MessageText,
			&azqueue.UpdateMessageOptions{VisibilityTimeout: new(int32(8))})
	})
}

// onMessage takes the next message out of the queue, before a host does. Whatever fails then, the message comes again after a while.
func (s *soak) onMessage(t *testing.T, f fault, act func(*azqueue.QueueClient, *azqueue.DequeuedMessage)) error {
	queue, err := s.queueClient()
	if err != nil {
		return err
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), f.length)
	defer cancel()
	for {
		batch, err := queue.DequeueMessages(ctx, &azqueue.DequeueMessagesOptions{VisibilityTimeout: new(int32(10))})
		if err == nil && len(batch.Messages) > 0 {
			act(queue, batch.Messages[0])
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errMissed
		}
	}
}

// putGarbage puts a message that nobody can read.
func putGarbage(t *testing.T, s *soak, _ fault) error {
	queue, err := s.queueClient()
	if err != nil {
		return err
	}
	text := "garbage " + uuid.NewString()
	if _, err := queue.EnqueueMessage(t.Context(), base64.StdEncoding.EncodeToString([]byte(text)), nil); err != nil {
		return fmt.Errorf("%w: %w", errMissed, err) // the queue is away
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.garbage = append(s.garbage, text)
	return nil
}

// queueClient is past the proxies and tries nothing twice.
func (s *soak) queueClient() (*azqueue.QueueClient, error) {
	once := &azqueue.ClientOptions{}
	once.Retry.MaxRetries = -1
	return azqueue.NewQueueClientFromConnectionString(s.direct.ConnectionString, s.direct.Queue, once)
}

// letTimePass makes the time pass, until ended, after which the reconciler misses a message: five minutes and more. It does so only for tasks
// whose message was dropped here, or was given up by the queue, so that a message that the program itself forgets is still found. And it makes
// the day pass after which maintenance removes an upload straight to the store whose client has left it, and the pauses of webhooks.
func (s *soak) letTimePass(t *testing.T, ended <-chan struct{}) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	passed := 0        // of the dropped messages
	var last time.Time // of the dead letters that were seen
	for {
		select {
		case <-ended:
			return
		case <-t.Context().Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		dropped, left := s.dropped, s.left
		s.mu.Unlock()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		var newest time.Time
		err := s.sql.QueryRow(ctx, `with aged as (
  update sheetdrop.task set enqueued_at = now() - interval '7 hours'
  where status = 'PENDING' and (id = any($1) or id in (select task_id from sheetdrop.dead_letter where seen_at > $2::timestamptz - interval '10 s'))
), expired as (
  update sheetdrop.upload set expires_at = now() - interval '25 h', writable_until = now() - interval '6 min'
  where status <> 'COMPLETED' and name = any($3) and expires_at > now() - interval '25 h'
), due as (
  update sheetdrop.webhook_delivery set next_attempt_at = now() where status = 'PENDING' and locked_by is null and next_attempt_at > now() + interval '1 s'
)
select coalesce(max(seen_at), $2::timestamptz) from sheetdrop.dead_letter`, dropped[passed:], last, left).Scan(&newest)
		cancel()
		if err != nil {
			continue // the server is away
		}
		passed, last = len(dropped), newest
	}
}
