package main

import (
	"context"
	"errors"

	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres"

	outbox "sheetdrop/outbox-relay"
)

// timer is what the timer's function does.
type timer struct {
	db          *postgres.DB
	maintenance *maintenance.Runner
	relay       *outbox.Relay
}

// run is one tick: maintenance, then the sending, so that messages which maintenance has written are sent in the same run, then the
// purge of rows, for which nothing is to wait. Each goes on where the one before failed. Only an old schema, or a database that is
// away, ends the run at its beginning. A run whose context has ended purges nothing.
func (t timer) run(ctx context.Context) error {
	if err := t.db.SchemaReady(ctx); err != nil {
		return err
	}
	err := errors.Join(t.maintenance.Run(ctx), t.relay.Run(ctx))
	if ctx.Err() != nil {
		return err
	}
	return errors.Join(err, t.maintenance.PurgeRows(ctx))
}
