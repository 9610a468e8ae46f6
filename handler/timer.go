package main

import (
	"context"
	"errors"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/tracing"
	"sheetdrop/internal/webhook/dispatch"

	outbox "sheetdrop/outbox-relay"
)

// timer is the timer function.
type timer struct {
	db          *postgres.DB
	maintenance *maintenance.Runner
	relay       *outbox.Relay
	webhooks    *dispatch.Sender
}

// run handles one tick: maintenance, then sending, so that messages which maintenance has written are sent in the same
// run, then the purge of rows, for which nothing should wait. Webhooks are sent beside all this and are not waited for,
// since their receivers may be slow. Each runs even if the previous one failed. Only an
// outdated schema or an unavailable database ends the run at its beginning. A run whose context has ended purges
// nothing.
func (t timer) run(ctx context.Context) (err error) {
	ctx, span := tracing.Start(ctx, "outbox-relay", tracing.Internal)
	defer func() { span.End(err) }()
	if err := t.db.SchemaReady(ctx); err != nil {
		return err
	}
	t.webhooks.Wake()
	err = t.maintenance.Run(ctx)
	t.webhooks.Wake() // for tasks that maintenance has ended
	err = errors.Join(err, t.relay.Run(ctx))
	if ctx.Err() != nil {
		return err
	}
	return errors.Join(err, t.maintenance.PurgeRows(ctx))
}
