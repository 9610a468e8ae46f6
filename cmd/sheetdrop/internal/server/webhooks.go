package server

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

// Webhooks lists the caller's webhooks, newest first.
func (s *Server) Webhooks(ctx context.Context) iter.Seq2[client.Webhook, error] {
	return list(0, func(size int64, cursor *string) ([]client.Webhook, *string, error) {
		page, err := ask[client.ListWebhook](s.client.GetWebhooks(ctx, &client.GetWebhooksParams{Limit: &size, Cursor: cursor}))
		return page.Items, page.Next, err
	})
}

// Webhook returns a webhook by its id or, where no other one has the same, its URL or its description.
func (s *Server) Webhook(ctx context.Context, what string) (found client.Webhook, err error) {
	if id, err := uuid.Parse(what); err == nil {
		return ask[client.Webhook](s.client.GetWebhook(ctx, id))
	}
	count := 0
	for w, err := range s.Webhooks(ctx) {
		switch {
		case err != nil:
			return found, err
		case w.URL == what || w.Description == what:
			found = w
			count++
		}
	}
	switch count {
	case 0:
		return found, words.Errorf("there is no webhook %q; `sheetdrop webhooks list` lists them", what)
	case 1:
		return found, nil
	}
	return found, words.Errorf("%d webhooks are called %q: name one by its id", count, what)
}

// CreateWebhook creates a webhook, and returns it with its secret.
func (s *Server) CreateWebhook(ctx context.Context, w client.WebhookRequest) (client.WebhookWithSecret, error) {
	return ask[client.WebhookWithSecret](s.client.CreateWebhook(ctx, w))
}

// ChangeWebhook changes what is set of a webhook.
func (s *Server) ChangeWebhook(ctx context.Context, id uuid.UUID, change client.WebhookChange) (client.Webhook, error) {
	return ask[client.Webhook](s.client.ChangeWebhook(ctx, id, change))
}

// DeleteWebhook deletes a webhook.
func (s *Server) DeleteWebhook(ctx context.Context, id uuid.UUID) error {
	return askEmpty(s.client.DeleteWebhook(ctx, id))
}

// RotateWebhookSecret replaces the secret of a webhook, and returns the webhook with the new one.
func (s *Server) RotateWebhookSecret(ctx context.Context, id uuid.UUID) (client.WebhookWithSecret, error) {
	return ask[client.WebhookWithSecret](s.client.RotateWebhookSecret(ctx, id))
}

// TestWebhook has a test event sent to a webhook.
func (s *Server) TestWebhook(ctx context.Context, id uuid.UUID) (client.Delivery, error) {
	return ask[client.Delivery](s.client.TestWebhook(ctx, id))
}

// Deliveries lists the events of a webhook, newest first; only those with a status unless it is empty.
func (s *Server) Deliveries(ctx context.Context, webhook uuid.UUID, status string, limit int) iter.Seq2[client.Delivery, error] {
	params := client.GetDeliveriesParams{Status: given[client.GetDeliveriesParamsStatus](status)}
	return list(limit, func(size int64, cursor *string) ([]client.Delivery, *string, error) {
		params.Limit, params.Cursor = &size, cursor
		page, err := ask[client.ListDelivery](s.client.GetDeliveries(ctx, webhook, &params))
		return page.Items, page.Next, err
	})
}

// Delivery returns an event of a webhook with its last attempt.
func (s *Server) Delivery(ctx context.Context, webhook, delivery uuid.UUID) (client.Delivery, error) {
	return ask[client.Delivery](s.client.GetDelivery(ctx, webhook, delivery))
}

// Redeliver has an event sent again.
func (s *Server) Redeliver(ctx context.Context, webhook, delivery uuid.UUID) (client.Delivery, error) {
	return ask[client.Delivery](s.client.Redeliver(ctx, webhook, delivery))
}

// How often it is asked what became of an event, and for how long: a receiver has 15 seconds, and others may be sent to before it.
const (
	askAttemptEvery = 200 * time.Millisecond
	askAttemptFor   = time.Minute
)

// AwaitAttempt returns an event of a webhook once it was attempted.
func (s *Server) AwaitAttempt(ctx context.Context, webhook uuid.UUID, event client.Delivery) (client.Delivery, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, askAttemptFor,
		words.Errorf("nothing was sent for %s; `sheetdrop webhooks deliveries` says later what became of it", askAttemptFor))
	defer cancel()
	ticker := time.NewTicker(askAttemptEvery)
	defer ticker.Stop()
	for event.Status == client.DeliveryStatusPENDING && !hasFailed(event) {
		select {
		case <-ctx.Done():
			return event, context.Cause(ctx)
		case <-ticker.C:
		}
		var err error
		if event, err = s.Delivery(ctx, webhook, event.ID); err != nil {
			return event, err
		}
	}
	return event, nil
}

// hasFailed reports whether the last attempt of an event that waits has failed; otherwise it is still to come, or under way.
func hasFailed(d client.Delivery) bool {
	return d.Attempts > 0 && d.AttemptedAt != nil && d.NextAttemptAt != nil && d.NextAttemptAt.After(*d.AttemptedAt)
}
