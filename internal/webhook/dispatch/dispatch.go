// Package dispatch sends the events of webhooks that are due: at least once each, the ends of a task in their order, with growing pauses
// after failures, until they are given up. A slow receiver takes places of its owner alone, and one that fails again and again is left
// for a while. Any number of processes may send at once.
package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"sheetdrop/internal/backoff"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/webhook"
)

// Settings say how much is sent at once, and for how long.
type Settings struct {
	AtOnce    int  `env:"WEBHOOK_CONCURRENCY" envDefault:"16"` // in each process; an owner has a quarter of it, and so has a webhook
	RetryDays int  `env:"WEBHOOK_RETRY_DAYS" envDefault:"3"`   // from an event until it is given up
	OneOwner  bool // there is one owner alone, who may have them all
}

// Check refuses what cannot be.
func (s Settings) Check() error {
	if s.AtOnce < 1 || s.RetryDays < 1 {
		return errors.New("WEBHOOK_CONCURRENCY and WEBHOOK_RETRY_DAYS must be 1 or more")
	}
	return nil
}

const (
	lease         = time.Minute // of a claim; four times as long as an attempt may take
	claimTimeout  = 5 * time.Second
	settleTimeout = 5 * time.Second
	maxPause      = 6 * time.Hour
	stopTime      = time.Second // for attempts that are under way when the process stops
)

// pauses are those after failed attempts of one event.
var pauses = backoff.Policy{First: 5 * time.Second, Max: maxPause}

// Sender sends events that are due. It is safe for concurrent use.
type Sender struct {
	settings Settings
	db       *postgres.DB
	client   *webhook.Client
	log      *slog.Logger

	wake  chan struct{} // has one if somebody has asked for a pass
	ended chan struct{} // has one if an attempt has ended since the last claim
	stop  context.CancelFunc
	work  sync.WaitGroup

	share     int // most attempts of one owner at once
	receivers *receivers
}

// New returns a sender that sends whenever it is woken, until Close. It fails if a setting is out of range.
func New(s Settings, db *postgres.DB, client *webhook.Client, log *slog.Logger) (*Sender, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	sender := &Sender{
		settings: s, db: db, client: client, log: log, stop: stop, wake: make(chan struct{}, 1), ended: make(chan struct{}, 1),
		share: max(1, s.AtOnce/4), receivers: newReceivers(max(1, s.AtOnce/4)),
	}
	if s.OneOwner {
		sender.share = s.AtOnce
	}
	sender.work.Go(func() { sender.listen(ctx) })
	return sender, nil
}

// Wake has what is due sent, and does not wait for it. Without addresses that may be called it does nothing.
func (s *Sender) Wake() {
	if !s.client.Policy().Off() {
		signal(s.wake)
	}
}

// Close claims nothing more, and returns once the attempts that are under way have ended, or have been broken off.
func (s *Sender) Close() {
	s.stop()
	s.work.Wait()
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// listen sends when it is woken, until ctx ends. Attempts that are under way then may go on for stopTime.
func (s *Sender) listen(ctx context.Context) {
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(stopTime, cancel) })()
	var attempts sync.WaitGroup
	defer attempts.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		if err := s.pass(ctx, sending, &attempts); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "webhooks are left to the next run", "error", err)
		}
	}
}

// pass sends until nothing is due, or ctx ends. Attempts have the context sending.
func (s *Sender) pass(ctx, sending context.Context, attempts *sync.WaitGroup) error {
	if err := s.expire(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		idle := s.receivers.sending() == 0 // before the claim, which leaves what those under way have no places for
		claimed, err := s.claim(ctx)
		if err != nil {
			return err
		}
		for _, c := range claimed {
			s.receivers.begin(c.Claimed)
			attempts.Go(func() {
				defer signal(s.ended)
				s.attempt(sending, c)
			})
		}
		if len(claimed) == 0 && idle {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-s.ended:
		case <-s.wake: // more may be due by now
		}
	}
	return nil
}
