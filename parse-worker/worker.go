// Package parse is the worker: a queue message names a task, and the worker claims it, reads its file and makes its
// rows visible in one transaction, exactly once, whatever is delivered twice, killed or frozen. The queue is only a
// hint: the task's row decides, and every write to it is fenced by the claim's token and attempt.
package parse

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/backoff"
	"sheetdrop/internal/clock"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/sheet"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

// Settings are the worker's limits and times. Concurrency equals batchSize + newBatchThreshold in host.json, and
// FunctionTimeout its functionTimeout.
type Settings struct {
	Concurrency     int           `env:"PARSE_CONCURRENCY" envDefault:"4"`
	Lease           time.Duration `env:"TASK_LEASE" envDefault:"30s"`
	FunctionTimeout time.Duration `env:"FUNCTION_TIMEOUT" envDefault:"30m"`
	Limits          Limits

	Metrics *metrics.Recorder `env:"-"` // may be nil
}

// beatEvery is how often a running task writes its progress and checks for cancellation, unless a third of the lease is
// less.
const beatEvery = time.Second

// leastLease leaves a heartbeat half a second on a connection that hangs, and as much on a new one.
const leastLease = 3 * time.Second

// HeartbeatTimeout returns how long a heartbeat may take, and so opening a connection for one.
func (s Settings) HeartbeatTimeout() time.Duration { return beatTimeout(s.Lease) }

// Worker parses tasks. It is safe for concurrent use.
type Worker struct {
	settings Settings
	db       *postgres.DB
	blobs    *azure.Blobs
	limits   sheet.Limits
	log      *slog.Logger
	turn     turn
	slots    *semaphore.Weighted // one for each run; all of them for one that runs alone
	heart    *heart
	written  atomic.Int64 // rows written by runs that have ended, without any deleted in return; see makeRoom

	// Ended is called when a run has ended and its outcome is committed. It must not block; New sets one that does nothing.
	Ended func()

	// Nudge is told of messages that were just committed and are to be sent at once. It must not block; New sets one that does nothing.
	Nudge func(messageIDs ...uuid.UUID)
}

// New returns a worker. heartbeats has its own pool, so that a busy pool cannot cost a lease. Two connections are left
// for what happens beside the loads.
func New(s Settings, db, heartbeats *postgres.DB, blobs *azure.Blobs, log *slog.Logger) (*Worker, error) {
	if s.Concurrency < 1 || s.Concurrency > db.MaxConns()-2 {
		return nil, fmt.Errorf("PARSE_CONCURRENCY is %d: it must be 1 to DB_MAX_CONNS - 2 = %d", s.Concurrency, db.MaxConns()-2)
	}
	if s.Lease < leastLease || s.Lease < renewedAfter(s.Lease) {
		return nil, fmt.Errorf(
			"TASK_LEASE is %s: it must be %s or more, for a process to keep it while a connection is lost",
			s.Lease,
			leastLease,
		)
	}
	if err := s.Limits.check(); err != nil {
		return nil, err
	}
	return &Worker{
		settings: s, db: db, blobs: blobs, limits: s.Limits.ofEngine(), log: log, slots: semaphore.NewWeighted(int64(s.Concurrency)),
		heart: &heart{db: heartbeats, lease: s.Lease, log: log}, Ended: func() {}, Nudge: func(...uuid.UUID) {},
	}, nil
}

// Handle runs the task that a queue message names. It returns nil if the message is done with: the task has ended, was
// returned together with a new message, or is held by somebody else. An error asks for the message to be delivered
// again. Before it returns nil, it runs waiting tasks of other owners, if it is their turn.
//
// While the database is unavailable, Handle does not return: the queue gives up a message after a number of failed
// deliveries, and an outage would fill the dead letters.
func (w *Worker) Handle(ctx context.Context, message []byte) (err error) {
	m, err := task.DecodeParseMessage(message)
	if err != nil {
		return err // there is no task to record it in; after some deliveries the message becomes a dead letter
	}
	ctx, span := tracing.StartIn(ctx, m.TraceParent, "process "+string(task.ParseTask), tracing.Consumer,
		append(tracing.Message("process", task.ParseTask, m.MessageID), tracing.Task(m.TaskID))...)
	defer func() { span.End(err) }()
	d := delivery{Worker: w, taskID: m.TaskID, age: clock.Start(), log: w.log.With("message_id", m.MessageID)}
	limited, cancel := context.WithTimeoutCause(ctx, w.settings.FunctionTimeout*8/10, errTimeOver)
	defer cancel()
	if err := w.hold(ctx, func() error { return w.db.SchemaReady(ctx) }); err != nil {
		return err
	}
	claimed, err := d.take(ctx, limited, besideOthers)
	if errors.Is(err, postgres.ErrRunsAlone) {
		d.waitsAlone(ctx)
		claimed, err = d.take(ctx, limited, alone)
	}
	if err != nil {
		return err
	}
	d.runOthers(ctx, limited, claimed)
	return nil
}

// hold repeats a step, with growing pauses, while a service is unavailable, for up to half of the function's time.
func (w *Worker) hold(ctx context.Context, step func() error) error {
	ctx, cancel := context.WithTimeout(ctx, w.settings.FunctionTimeout/2)
	defer cancel()
	return whileAway.Retry(ctx, func(err error) bool { return fault.Of(err) == fault.Service }, step)
}

// whileAway are the pauses between two tries while the database is unavailable.
var whileAway = backoff.Policy{First: time.Second, Max: 15 * time.Second}
