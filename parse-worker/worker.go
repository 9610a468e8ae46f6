// Package parse is the loader: a queue message names a task, and the worker claims it, reads its file and makes its rows visible, all in
// one transaction and once, whatever is delivered twice, killed or frozen. The queue is a hint: what decides is the task's row, and
// every write to it is fenced by the claim's token and attempt.
package parse

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
)

// Settings are the worker's limits and times. Concurrency equals batchSize + newBatchThreshold in host.json, and FunctionTimeout its
// functionTimeout.
type Settings struct {
	Concurrency     int           `env:"PARSE_CONCURRENCY" envDefault:"4"`
	Lease           time.Duration `env:"TASK_LEASE" envDefault:"30s"`
	FunctionTimeout time.Duration `env:"FUNCTION_TIMEOUT" envDefault:"30m"`
	Limits          Limits
}

// beatEvery is how often a running task shows its progress and looks for a cancel, at the most; a third of the lease, if that is less.
const beatEvery = time.Second

// leastLease leaves a heartbeat half a second on a connection that hangs, and as much on a new one.
const leastLease = 3 * time.Second

// HeartbeatTimeout is how long a heartbeat may take, and so connecting for one.
func (s Settings) HeartbeatTimeout() time.Duration { return beatTimeout(s.Lease) }

// Worker parses tasks.
type Worker struct {
	settings Settings
	db       *postgres.DB
	blobs    *azure.Blobs
	limits   sheet.Limits
	log      *slog.Logger
	turn     turn
	slots    chan struct{}
	heart    *heart
}

// New makes a worker. heartbeats are written over a pool of their own, so that a busy pool cannot cost a lease. Two connections are left
// for what happens beside the loads.
func New(s Settings, db, heartbeats *postgres.DB, blobs *azure.Blobs, log *slog.Logger) (*Worker, error) {
	if s.Concurrency < 1 || s.Concurrency > db.MaxConns()-2 {
		return nil, fmt.Errorf("PARSE_CONCURRENCY is %d: it must be 1 to DB_MAX_CONNS - 2 = %d", s.Concurrency, db.MaxConns()-2)
	}
	if s.Lease < leastLease || s.Lease < renewedAfter(s.Lease) {
		return nil, fmt.Errorf("TASK_LEASE is %s: it must be %s or more, for a process to keep it while a connection is lost", s.Lease, leastLease)
	}
	if err := s.Limits.check(); err != nil {
		return nil, err
	}
	return &Worker{
		settings: s, db: db, blobs: blobs, limits: s.Limits.ofEngine(), log: log, slots: make(chan struct{}, s.Concurrency),
		heart: &heart{db: heartbeats, lease: s.Lease, log: log},
	}, nil
}

// Handle works on the task that a queue message names. nil means that the message is done with: the task was brought to its end, or given
// back together with a new message, or is in other hands. An error asks for the message to be delivered again. Before it returns nil, it runs
// waiting tasks of other owners, if it is their turn.
//
// While the database is away the delivery is held: the queue gives a message up after some deliveries that fail, and people would find an
// outage's messages among the dead letters.
func (w *Worker) Handle(ctx context.Context, message []byte) error {
	m, err := task.DecodeParseMessage(message)
	if err != nil {
		return err // there is no task to tell; after some deliveries the poison queue keeps it for people
	}
	log := w.log.With("task_id", m.TaskID, "message_id", m.MessageID)
	limited, cancel := context.WithTimeoutCause(ctx, w.settings.FunctionTimeout*8/10, errTimeOver)
	defer cancel()
	held, err := w.hold(ctx, func() error { return w.db.SchemaReady(ctx) })
	if err != nil {
		return err
	}
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	var (
		token   = task.NewID()
		claimed *postgres.ClaimedTask
		status  task.Status
	)
	heldMore, err := w.hold(ctx, func() (err error) {
		claimed, status, err = w.claim(ctx, m.TaskID, token)
		return err
	})
	if err != nil {
		return fmt.Errorf("claim task %s: %w", m.TaskID, err)
	}
	if claimed == nil {
		log.InfoContext(ctx, "nothing to do", "status", status)
	} else if err := w.run(ctx, limited, &run{task: *claimed, late: held || heldMore, read: newCoverage(claimed.SizeBytes)}, log); err != nil {
		return err
	}
	w.runOthers(ctx, limited, m.TaskID, claimed)
	return nil
}

// hold repeats a step, after a pause that grows, while a service is away, for up to half of the function's time. It reports whether it had to.
func (w *Worker) hold(ctx context.Context, step func() error) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, w.settings.FunctionTimeout/2)
	defer cancel()
	for pause := time.Second; ; pause = min(2*pause, longestPause) {
		if err = step(); err == nil || fault.Of(err) != fault.Service {
			return held, err
		}
		held = true
		select {
		case <-ctx.Done():
			return held, err
		case <-time.After(pause/2 + rand.N(pause)): //nolint:gosec // jitter, no secret
		}
	}
}

// longestPause is between two looks for the database.
const longestPause = 15 * time.Second

// claim takes the task. An answer that is lost is looked up by the token, which no other delivery has.
func (w *Worker) claim(ctx context.Context, id, token uuid.UUID) (claimed *postgres.ClaimedTask, status task.Status, err error) {
	committed := func(ctx context.Context) (bool, error) { return w.db.Holds(ctx, id, token) }
	err = w.db.InTx(ctx, committed, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, status, err = tx.ClaimTask(ctx, id, token, w.settings.Lease)
		return err
	})
	return claimed, status, err
}
