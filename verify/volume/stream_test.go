package volume

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

const (
	batch = 50    // messages of a transaction in a stream
	ahead = 2_000 // messages by which a stream is in front of the relay at the most
)

// stream commits n messages in small transactions, as uploads would, so many a second.
func (o *outbox) stream(t *testing.T, n, rate int) {
	t.Helper()
	tick := time.NewTicker(time.Second * batch / time.Duration(rate))
	defer tick.Stop()
	for end := o.added + n; o.added < end; <-tick.C {
		if o.added-o.sent(t) <= ahead {
			o.commit(t, min(batch, end-o.added))
		}
	}
}

// streamUntil commits as many as a relay takes while it runs, and returns the status of its end.
func (o *outbox) streamUntil(t *testing.T, run <-chan int) (status int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case status := <-run:
			return status
		case <-tick.C:
			if o.added-o.sent(t) <= ahead {
				o.commit(t, batch)
			}
		}
	}
}

// commit commits n messages that are due at once.
func (o *outbox) commit(t *testing.T, n int) {
	t.Helper()
	messages := make([]postgres.OutboxMessage, n)
	for i := range messages {
		id, err := uuid.NewV7()
		if err != nil {
			t.Fatal(err)
		}
		messages[i] = postgres.NewParseMessage(id, id)
	}
	err := o.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error { return tx.InsertMessages(ctx, messages) })
	if err != nil {
		t.Fatal(err)
	}
	o.added += n
}

// sent is about how many messages have left the table, as of a second ago. It is read from the server's statistics: to count rows would
// cost the more, the more dead ones lie about.
func (o *outbox) sent(t *testing.T) int {
	t.Helper()
	return pgtest.Query[int](t, o.Database, `select pg_stat_get_tuples_deleted('sheetdrop.outbox_message'::regclass)`)
}

// runRepeatedly lets a relay run again and again, as its timer would, until the test ends or stop is called, which waits for the last run's end.
func runRepeatedly(t *testing.T, relay *e2e.Handler) (stop func()) {
	t.Helper()
	stopped := make(chan struct{})
	var runs sync.WaitGroup
	runs.Go(func() {
		timer := time.NewTicker(100 * time.Millisecond)
		defer timer.Stop()
		for {
			select {
			case <-stopped:
				return
			case <-timer.C:
				if status := <-relay.Relay(t); status != http.StatusOK {
					t.Errorf("a relay's run ended with %d", status)
				}
			}
		}
	})
	stop = sync.OnceFunc(func() { close(stopped); runs.Wait() })
	t.Cleanup(stop)
	return stop
}
