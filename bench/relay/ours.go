package relay

import (
	"context"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"

	outbox "sheetdrop/outbox-relay"
)

// ourRelay is the relay of the program, in this process, as the handler makes it.
type ourRelay struct {
	fixture *fixture
	db      *postgres.DB
	relay   *outbox.Relay
}

func newOurs(ctx context.Context, f *fixture) (relay, error) {
	queue, err := f.sink.queue()
	if err != nil {
		return nil, err
	}
	return newOurRelay(ctx, f, queue)
}

func newOurRelay(ctx context.Context, f *fixture, queue *azure.Queue) (*ourRelay, error) {
	if _, err := f.app.SQL.Exec(ctx, `truncate sheetdrop.outbox_message, sheetdrop.outbox_history`); err != nil {
		return nil, err
	}
	db, err := postgres.Open(postgres.Settings{URL: f.app.URL, MaxConns: 10})
	if err != nil {
		return nil, err
	}
	settings := outbox.Settings{Period: time.Hour, Lease: 30 * time.Second, SendTimeout: 5 * time.Second}
	blobs, _, err := azure.Open(f.app.Storage)
	if err != nil {
		return nil, err
	}
	return &ourRelay{f, db, outbox.New(settings, db, queue, blobs, slog.New(slog.DiscardHandler))}, nil
}

// fillSQL makes messages of tasks that are nowhere; see sheetdrop/verify/volume.
const fillSQL = `insert into sheetdrop.outbox_message (id, event_type, task_id, payload, next_attempt_at)
select id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id), now() - ($1 - i) * interval '1 ms'
from (select gen_random_uuid() as id, i from generate_series(1, $1) i) m`

func (p *ourRelay) fill(ctx context.Context, n int) error {
	if _, err := p.fixture.app.SQL.Exec(ctx, fillSQL, n); err != nil {
		return err
	}
	_, err := p.fixture.app.SQL.Exec(ctx, `vacuum analyze sheetdrop.outbox_message`)
	return err
}

func (p *ourRelay) run(ctx context.Context) (done int, err error) {
	if err := p.relay.Run(ctx); err != nil {
		return 0, err
	}
	err = p.fixture.app.SQL.QueryRow(ctx, `select count(*) from sheetdrop.outbox_history where not exists (select from sheetdrop.outbox_message)`).Scan(&done)
	return done, err
}

func (p *ourRelay) close() {
	p.relay.Close()
	p.db.Close()
}
