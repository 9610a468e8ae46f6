package outbox

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// batch is the messages of one claim.
type batch struct {
	token    uuid.UUID // of their lease
	messages []postgres.OutboxMessage
}

// Run claims, sends and settles messages until nothing is due, a period has passed, or every service that is called
// fails five times in a row. It returns only errors of the database.
func (r *Relay) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.settings.Period)
	defer cancel()
	breakers := new(breakers)
	errs := make(chan error, drains)
	for range drains {
		go func() { errs <- r.drain(ctx, breakers) }()
	}
	var err error
	for range drains {
		err = errors.Join(err, <-errs)
	}
	open := map[string]bool{}
	for event := range r.destinations {
		open[string(event)] = breakers.open(event)
	}
	r.settings.Metrics.Relayed(open, r.settings.Period)
	return err
}

func (r *Relay) drain(ctx context.Context, breakers *breakers) error {
	var mark lowWater
	for ctx.Err() == nil {
		from := mark.next(r.settings.Lease / 3)
		claimed, err := r.claim(ctx, from, breakers.opened())
		if err != nil || len(claimed.messages) == 0 && from.IsZero() {
			return err
		}
		mark.note(claimed.messages)
		if err := r.deliver(ctx, claimed, breakers); err != nil {
			return err
		}
	}
	return nil
}

// claim claims due messages. It is not cancelled when the caller's context ends, because messages that it claimed would
// then wait for their lease to expire; instead, they are returned at once.
func (r *Relay) claim(ctx context.Context, from time.Time, without []task.EventType) (batch, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTimeout)
	defer cancel()
	token := task.NewID()
	messages, err := r.db.ClaimMessages(ctx, token, r.settings.Lease, from, batchSize, without...)
	return batch{token, messages}, err
}
