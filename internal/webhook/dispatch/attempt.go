package dispatch

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/webhookstore"
	"sheetdrop/internal/task"
	"sheetdrop/internal/webhook"
)

// claimed is an event with the token of its lease.
type claimed struct {
	webhookstore.Claimed
	token uuid.UUID
}

// claim claims as many events as there are places. It is not cancelled with the caller: what it claimed would wait for its lease to end.
func (s *Sender) claim(ctx context.Context) (events []claimed, err error) {
	places := s.settings.AtOnce - s.receivers.sending()
	if places <= 0 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTimeout)
	defer cancel()
	wanted := webhookstore.Claim{
		Token: task.NewID(), Lease: lease, Limit: places, Share: s.share, Each: s.receivers.each,
		Busy: s.receivers.busy(), Most: s.receivers.most(),
	}
	err = s.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		found, err := webhookstore.ClaimDue(ctx, tx, wanted)
		events = make([]claimed, len(found))
		for i, event := range found {
			events[i] = claimed{event, wanted.Token}
		}
		return err
	})
	return events, err
}

// attempt sends an event once and writes down what became of it.
func (s *Sender) attempt(ctx context.Context, c claimed) {
	message := webhook.Message{ID: c.ID.String(), At: c.Now, Body: []byte(c.Payload), Secrets: [][]byte{c.Secret}}
	if c.OldSecret != nil {
		message.Secrets = append(message.Secrets, c.OldSecret)
	}
	answer := s.client.Post(ctx, c.URL, message)
	broken := ctx.Err() != nil && answer.Err != nil
	s.receivers.end(c.Claimed, answer.Err == nil || broken)
	if answer.Err != nil { // neither the URL nor the answer's body, which may have secrets of the receiver
		s.log.WarnContext(ctx, "webhook not delivered", "webhook", c.WebhookID, "delivery", c.ID, "attempts", c.Attempts, "error", answer.Err)
	}
	if err := s.settle(ctx, c, outcome(c, answer, broken, days(s.settings.RetryDays))); err != nil {
		s.log.WarnContext(ctx, "webhook delivery not settled: it is sent again", "delivery", c.ID, "error", err)
	}
}

// outcome is what is written of an attempt; broken says that this process has ended it itself.
func outcome(c claimed, a webhook.Answer, broken bool, limit time.Duration) webhookstore.Outcome {
	o := webhookstore.Outcome{
		Delivered: a.Err == nil, Gone: a.Gone(), Unsent: broken, Took: a.Took, Limit: limit,
		Pause: max(pauses.Delay(c.Attempts), min(a.RetryAfter, maxPause)),
	}
	if a.Status != 0 {
		o.Status, o.Response = &a.Status, &a.Body
	}
	if a.Err != nil {
		text := clip(a.Err.Error())
		o.Error = &text
	}
	return o
}

// clip makes a reason one that can be stored and shown: a receiver may have written a part of it.
func clip(text string) string {
	const most = 500
	return strings.ReplaceAll(strings.ToValidUTF8(text[:min(len(text), most)], ""), "\x00", "")
}

func days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

// settle writes an outcome, also while the process stops: an event that is not settled is sent a second time.
func (s *Sender) settle(ctx context.Context, c claimed, o webhookstore.Outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	return s.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
		return webhookstore.Settle(ctx, tx, c.token, c.Claimed, o)
	})
}

// expire gives up what is too old.
func (s *Sender) expire(ctx context.Context) error {
	for more := true; more; {
		err := s.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
			more, err = webhookstore.Expire(ctx, tx, days(s.settings.RetryDays))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
