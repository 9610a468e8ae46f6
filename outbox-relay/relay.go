// Package outbox is the relay: it sends the messages of the outbox to the storage queue, and deletes the blobs that
// messages name. A message is sent at least once, whatever is killed at whatever time: it leaves the outbox only after
// the service has confirmed it, and after an expired lease it can be claimed again.
package outbox

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Settings are the relay's times. Period is that of the timer that calls Run.
type Settings struct {
	Period      time.Duration `env:"RELAY_PERIOD" envDefault:"10s"`
	Lease       time.Duration `env:"RELAY_LEASE" envDefault:"30s"`
	SendTimeout time.Duration `env:"RELAY_SEND_TIMEOUT" envDefault:"5s"`

	Metrics *metrics.Recorder `env:"-"` // may be nil
}

const (
	batchSize     = 100
	drains        = 2 // one settles and claims while the other one sends
	sendsAtOnce   = 8 // of each drain
	breakerLimit  = 5
	nudgeQueue    = 1024
	claimTimeout  = 5 * time.Second
	settleTimeout = 5 * time.Second // for settling a batch after the caller's context has ended
)

// Relay sends outbox messages. Any number may run at once, in one process or in many. It is safe for concurrent use.
type Relay struct {
	settings     Settings
	db           *postgres.DB
	destinations map[task.EventType]destination
	log          *slog.Logger

	nudges chan uuid.UUID
	stop   context.CancelFunc
	ended  sync.WaitGroup
}

// New returns a relay that listens for nudges until Close is called.
func New(s Settings, db *postgres.DB, queue *azure.Queue, blobs *azure.Blobs, log *slog.Logger) *Relay {
	ctx, stop := context.WithCancel(context.Background())
	r := &Relay{
		settings: s, db: db, log: log, nudges: make(chan uuid.UUID, nudgeQueue), stop: stop,
		destinations: map[task.EventType]destination{
			task.ParseTask:  parseQueue(queue),
			task.BlobDelete: blobDeletion(blobs),
		},
	}
	r.ended.Go(func() { r.listen(ctx) })
	return r
}

// Close stops listening. A batch in progress is settled first.
func (r *Relay) Close() {
	r.stop()
	r.ended.Wait()
}
