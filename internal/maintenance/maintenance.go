// Package maintenance runs the periodic jobs that keep the database and the storage in order. It reclaims the tasks of
// workers that died, enqueues tasks whose message was lost, turns poison messages into dead letters, logs alerts and
// statistics of the outbox, and deletes what has reached the end of its retention. No job sends messages itself. Each
// job has its own file.
package maintenance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
)

// Settings are the retention times, and how often Run is called.
type Settings struct {
	Period time.Duration // of the timer that calls Run
	Lease  time.Duration // of the run's lease: after a crash the next run starts when it has expired

	HistoryDays   int `env:"OUTBOX_HISTORY_DAYS" envDefault:"14"` // retention of sent messages: 1 to 30
	RetentionDays int `env:"FILE_RETENTION_DAYS" envDefault:"0"`  // after how many days files are deleted; 0 means never
	// retention of actions, bulk operations and dead letters; 0 means unlimited
	RecordDays   int           `env:"RECORD_DAYS" envDefault:"365"`
	UndoDays     int           `env:"UNDO_DAYS" envDefault:"90"` // after how many days loads of targets can no longer be undone; 0 means never
	PendingAlert time.Duration `env:"OUTBOX_PENDING_ALERT" envDefault:"5m"`
	WebhookDays  int           `env:"WEBHOOK_HISTORY_DAYS" envDefault:"30"` // retention of webhook deliveries that have ended; 0 means unlimited

	Metrics *metrics.Recorder `env:"-"` // may be nil
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
	if s.UndoDays < 0 {
		return fmt.Errorf("UNDO_DAYS is %d; it must be 0 or more", s.UndoDays)
	}
	if s.WebhookDays < 0 {
		return fmt.Errorf("WEBHOOK_HISTORY_DAYS is %d; it must be 0 or more", s.WebhookDays)
	}
	if s.PendingAlert <= 0 {
		return fmt.Errorf("OUTBOX_PENDING_ALERT is %s; it must be more than nothing", s.PendingAlert)
	}
	return nil
}

const day = 24 * time.Hour

func days(n int) time.Duration { return time.Duration(n) * day }

// Runner runs the jobs. Any number of processes may have one: a lease in the database lets one at a time do the work of
// Run, and every job is safe even if two did it at once. It is safe for concurrent use.
type Runner struct {
	settings Settings
	db       *postgres.DB
	queue    *azure.Queue
	blobs    *azure.Blobs
	log      *slog.Logger
	stock    *stock
}

// New returns a Runner. It fails if a setting is out of range.
func New(s Settings, db *postgres.DB, queue *azure.Queue, blobs *azure.Blobs, log *slog.Logger) (*Runner, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return &Runner{s, db, queue, blobs, log, &stock{db: db, log: log, metrics: s.Metrics}}, nil
}

// Run does every job once, each within its budget, unless another process is running them. Statistics and alerts come
// first, so that operators have them whatever fails afterwards. Expired leases are reclaimed only if the last run that
// did so was at least a period ago, so that workers that survived an outage of the database have time to renew. The
// error joins those of all jobs that failed.
func (r *Runner) Run(ctx context.Context) error {
	l, err := acquire(ctx, r.db, r.settings)
	if err != nil || l == nil {
		return err
	}
	announce := step{"alerts", once, alerts{r.db, r.log}.announce}
	outboxStats{r.db, r.queue, r.log, r.settings}.write(ctx)
	r.stock.count(ctx)
	err = announce.do(ctx)
	released := false
	if l.due {
		expired := step{"expired leases", r.settings.Period / 2, expiredLeases{r.db, r.log, l.ranAt, r.settings.Metrics}.release}.do(ctx)
		released = expired == nil // whatever fails later, the next run should reclaim what expired before this one
		err = errors.Join(err, expired)
	}
	err = errors.Join(err, l.run(ctx, r.steps(l)), announce.do(ctx))
	return errors.Join(err, l.release(ctx, released))
}

// steps returns the jobs of a run that need its lease, in order.
func (r *Runner) steps(l *lease) []step {
	s := r.settings
	p := purge{r.db, s}
	check := &restoreCheck{db: r.db, blobs: r.blobs, log: r.log, token: l.token}
	budget := min(s.Period/10, stepTimeout)
	return []step{
		{"forgotten tasks", s.Period / 2, (&forgottenTasks{db: r.db, queue: r.queue, log: r.log, period: s.Period}).enqueue},
		{"dead letters", once, deadLetters{r.db, r.queue, r.log, l}.collect},
		{"old files", budget, p.oldFiles},
		{"views", budget, views{r.db, r.log}.refresh},
		{"sheets of deleted files", budget, p.sheetsOfDeletedFiles},
		{"deleted files", budget, p.deletedFiles},
		{"old records", budget, p.records},
		{"old usage", budget, p.usage},
		{"old webhook deliveries", budget, p.webhookDeliveries},
		{"settled loads", budget, p.settledLoads},
		{"history of targets", budget, p.targetHistory},
		{"orphan blobs", once, orphanBlobs{r.db, r.blobs, r.log, check, l.token}.sweep},
		{"abandoned uploads", budget, abandonedUploads{r.db, r.blobs, r.log, check, l.token}.remove},
		{"history", once, history{r.db, r.log, s.HistoryDays}.truncate},
	}
}

// PurgeRows deletes the rows and rejects of deleted sheets, in batches, for up to half a period, so that uploading and
// deleting in a loop does not fill the database. It should be called after all other work, which does not depend on it,
// and needs no lease: two calls at once take different sheets.
func (r *Runner) PurgeRows(ctx context.Context) error {
	return step{"deleted rows", r.settings.Period / 2, purge{r.db, r.settings}.rows}.do(ctx)
}
