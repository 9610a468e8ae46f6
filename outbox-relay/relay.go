// Package outbox is the pump: it reconciles what dead or frozen processes left behind and drains the outbox to the storage queue. A
// message is sent at least once; nothing is lost, whatever is killed at whatever moment, because a message leaves the outbox only after
// the queue has confirmed it, and because an expired lease is claimable again.
package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Settings are the relay's times. Period is that of the timer that calls Run.
type Settings struct {
	Period      time.Duration `env:"RELAY_PERIOD" envDefault:"10s"`
	Lease       time.Duration `env:"RELAY_LEASE" envDefault:"30s"`
	SendTimeout time.Duration `env:"RELAY_SEND_TIMEOUT" envDefault:"5s"`

	HistoryDays   int           `env:"OUTBOX_HISTORY_DAYS" envDefault:"14"` // how long sent messages are kept: 1 to 30
	RetentionDays int           `env:"FILE_RETENTION_DAYS" envDefault:"0"`  // after how many days files are deleted; 0 is never
	RecordDays    int           `env:"RECORD_DAYS" envDefault:"365"`        // how long records of what was done and given up are kept; 0 is for ever
	PendingAlert  time.Duration `env:"OUTBOX_PENDING_ALERT" envDefault:"5m"`
}

func (s Settings) check() error {
	if s.HistoryDays < 1 || s.HistoryDays > 30 {
		return fmt.Errorf("OUTBOX_HISTORY_DAYS is %d; it must be 1 to 30", s.HistoryDays)
	}
	if s.RetentionDays < 0 {
		return fmt.Errorf("FILE_RETENTION_DAYS is %d; it must be 0 or more", s.RetentionDays)
	}
	if s.RecordDays < 0 {
		return fmt.Errorf("RECORD_DAYS is %d; it must be 0 or more", s.RecordDays)
	}
	if s.PendingAlert <= 0 {
		return fmt.Errorf("OUTBOX_PENDING_ALERT is %s; it must be more than nothing", s.PendingAlert)
	}
	return nil
}

const (
	batchSize       = 100
	drains          = 2 // one settles and claims while the other one sends
	sendsAtOnce     = 8 // of each drain
	breakerLimit    = 5
	nudgeQueue      = 1024
	claimPatience   = 5 * time.Second
	settlePatience  = 5 * time.Second // for writing down a batch when the caller's time is over
	outboxStatsTime = 3 * time.Second
)

// Relay sends outbox messages. Any number may run at once, in one process or in many.
type Relay struct {
	settings Settings
	db       *postgres.DB
	queue    *azure.Queue
	blobs    *azure.Blobs
	senders  map[task.EventType]sender
	log      *slog.Logger

	nudges chan uuid.UUID
	stop   context.CancelFunc
	ended  sync.WaitGroup
}

// sender delivers one message; it is called outside of any transaction and must bear being called again with the same one.
type sender func(ctx context.Context, m postgres.OutboxMessage) error

// New makes a relay and starts listening for nudges. Close it.
func New(s Settings, db *postgres.DB, queue *azure.Queue, blobs *azure.Blobs, log *slog.Logger) (*Relay, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &Relay{
		settings: s, db: db, queue: queue, blobs: blobs, log: log, nudges: make(chan uuid.UUID, nudgeQueue), stop: stop,
		senders: map[task.EventType]sender{
			task.ParseTask:  sendToQueue(queue),
			task.BlobDelete: deleteBlob(blobs),
		},
	}
	r.ended.Go(func() { r.listen(ctx) })
	return r, nil
}

// Close ends the listening. A batch that is under way is written down first.
func (r *Relay) Close() {
	r.stop()
	r.ended.Wait()
}

// Run is one tick of the timer: reconcile, then drain until nothing is due, a period has passed, or each service that is asked refuses five
// times in a row, then delete the rows that nobody sees any more. It fails only where the database cannot be reached or has an old schema.
func (r *Relay) Run(ctx context.Context) error {
	if err := r.db.SchemaReady(ctx); err != nil {
		return err
	}
	err := errors.Join(r.reconcile(ctx), r.drain(ctx))
	if ctx.Err() != nil {
		return err
	}
	return errors.Join(err, r.purgeRows(ctx))
}

func (r *Relay) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.settings.Period)
	defer cancel()
	breakers := new(breakers)
	errs := make(chan error, drains)
	for range drains {
		go func() { errs <- r.drainOne(ctx, breakers) }()
	}
	var err error
	for range drains {
		err = errors.Join(err, <-errs)
	}
	return err
}

func (r *Relay) drainOne(ctx context.Context, breakers *breakers) error {
	var mark lowWater
	for ctx.Err() == nil {
		token := task.NewID()
		from := mark.next(r.settings.Lease / 3)
		messages, err := r.claim(ctx, token, from, breakers.opened())
		if err != nil || len(messages) == 0 && from.IsZero() {
			return err
		}
		mark.note(messages)
		if err := r.deliver(ctx, token, messages, breakers); err != nil {
			return err
		}
	}
	return nil
}

// claim takes due messages. It is not cut short when the caller's time ends, because messages that it took then would wait for the end of
// their lease; as it is, they are given back at once.
func (r *Relay) claim(ctx context.Context, token uuid.UUID, from time.Time, without []task.EventType) ([]postgres.OutboxMessage, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimPatience)
	defer cancel()
	return r.db.ClaimMessages(ctx, token, r.settings.Lease, from, batchSize, without...)
}
