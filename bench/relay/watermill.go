package relay

import (
	"context"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	watermillsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/bench/testbed"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/task"
)

// watermillSchema is one of the two ways in which watermill stores messages.
type watermillSchema struct {
	schema  watermillsql.SchemaAdapter
	offsets watermillsql.OffsetsAdapter
	topic   string
	doneSQL string // how many messages are done with, of $1 that there were
}

func watermillQueue() watermillSchema {
	return watermillSchema{
		watermillsql.PostgreSQLQueueSchema{}, watermillsql.PostgreSQLQueueOffsetsAdapter{DeleteOnAck: true}, "queue",
		`select $1 - count(*) from watermill_queue`,
	}
}

func watermillDefault() watermillSchema {
	return watermillSchema{
		watermillsql.DefaultPostgreSQLSchema{}, watermillsql.DefaultPostgreSQLOffsetsAdapter{}, "log",
		`select coalesce(max(offset_acked), 0) - (select min("offset") from watermill_log) + least(1, coalesce(max(offset_acked), 0)) + 0 * $1 from watermill_offsets_log`,
	}
}

// watermillRelay is watermill as an outbox.
type watermillRelay struct {
	fixture    *fixture
	way        watermillSchema
	pool       *pgxpool.Pool
	queue      *azure.Queue
	subscriber *watermillsql.Subscriber
	want       int
}

func newWatermill(way func() watermillSchema) newRelay {
	return func(ctx context.Context, f *fixture) (relay, error) {
		m := &watermillRelay{fixture: f, way: way()}
		for _, table := range []string{"watermill_" + m.way.topic, "watermill_offsets_" + m.way.topic} {
			if _, err := f.app.SQL.Exec(ctx, `drop table if exists `+table); err != nil {
				return nil, err
			}
		}
		var err error
		if m.queue, err = f.sink.queue(); err != nil {
			return nil, err
		}
		if m.pool, err = pgxpool.New(ctx, f.app.URL); err != nil {
			return nil, err
		}
		m.subscriber, err = watermillsql.NewSubscriber(watermillsql.BeginnerFromPgx(m.pool), watermillsql.SubscriberConfig{
			SchemaAdapter: m.way.schema, OffsetsAdapter: m.way.offsets, InitializeSchema: true, PollInterval: 10 * time.Millisecond,
		}, watermill.NopLogger{})
		if err == nil {
			err = m.subscriber.SubscribeInitialize(m.way.topic)
		}
		return m, err
	}
}

// fill publishes in transactions of a thousand messages.
func (m *watermillRelay) fill(ctx context.Context, n int) error {
	for m.want < n {
		some := make([]*message.Message, min(1000, n-m.want))
		for i := range some {
			some[i] = message.NewMessage(task.NewID().String(), payload())
		}
		err := pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
			publisher, err := watermillsql.NewPublisher(watermillsql.TxFromPgx(tx), watermillsql.PublisherConfig{SchemaAdapter: m.way.schema}, nil)
			if err != nil {
				return err
			}
			return publisher.Publish(m.way.topic, some...)
		})
		if err != nil {
			return err
		}
		m.want += len(some)
	}
	_, err := m.fixture.app.SQL.Exec(ctx, `vacuum analyze watermill_`+m.way.topic)
	return err
}

func (m *watermillRelay) run(ctx context.Context) (done int, err error) {
	messages, err := m.subscriber.Subscribe(ctx, m.way.topic)
	if err != nil {
		return 0, err
	}
	for range m.want {
		received := <-messages
		if err := m.queue.Send(ctx, received.Payload); err != nil {
			return 0, err
		}
		received.Ack()
	}
	err = testbed.Await(ctx, time.Millisecond, func() (bool, error) {
		err := m.fixture.app.SQL.QueryRow(ctx, m.way.doneSQL, m.want).Scan(&done)
		return done >= m.want, err
	})
	return done, err
}

func (m *watermillRelay) close() {
	if err := m.subscriber.Close(); err != nil {
		m.fixture.Log("watermill did not stop: %v", err)
	}
	m.pool.Close()
}
