// Package maintenance runs the periodic jobs that keep the database and the storage in order, none of which sends a message itself:
// it releases tasks whose worker died, enqueues tasks that lost their message, turns poison messages into dead letters, logs alerts and
// the figures of the outbox, and deletes what is past its time. Each job has a file of its own.
package maintenance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

// Settings say how long things are kept, and how often Run is called.
type Settings struct {
	Period time.Duration // of the timer that calls Run
	Lease  time.Duration // of the run: after a crash the next one starts when it has expired

	HistoryDays   int           `env:"OUTBOX_HISTORY_DAYS" envDefault:"14"` // how long sent messages are kept: 1 to 30
	RetentionDays int           `env:"FILE_RETENTION_DAYS" envDefault:"0"`  // after how many days files are deleted; 0 is never
	RecordDays    int           `env:"RECORD_DAYS" envDefault:"365"`        // how long actions, bulk operations and dead letters are kept; 0 is for ever
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

const day = 24 * time.Hour

func days(n int) time.Duration { return time.Duration(n) * day }

// Runner runs the jobs. Any number of processes may have one: a lease in the database lets one at a time do the work of Run, and every
// job is safe if two did it at once. It is safe for concurrent use.
type Runner struct {
	settings Settings
	db       *postgres.DB
	queue    *azure.Queue
	blobs    *azure.Blobs
	log      *slog.Logger
}

// New makes a Runner. It fails on settings out of range.
func New(s Settings, db *postgres.DB, queue *azure.Queue, blobs *azure.Blobs, log *slog.Logger) (*Runner, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return &Runner{s, db, queue, blobs, log}, nil
}

// Run does every job once, each as far as its budget goes, unless another process is at it. Figures and alerts come first, so that
// operators have them whatever fails behind. Expired leases are released only if the last run that did so is a period ago: in between,
// workers that lived through an outage of the database have time to renew. The error joins those of all jobs that failed.
func (r *Runner) Run(ctx context.Context) error {
	l, err := acquire(ctx, r.db, r.settings)
	if err != nil || l == nil {
		return err
	}
	announce := step{"alerts", once, alerts{r.db, r.log}.announce}
	outboxStats{r.db, r.queue, r.log, r.settings.PendingAlert}.write(ctx)
	err = announce.do(ctx)
	released := false
	if l.due {
		expired := step{"expired leases", r.settings.Period / 2, expiredLeases{r.db, r.log, l.ranAt}.release}.do(ctx)
		released = expired == nil // whatever fails behind that, the next run is to release what expired before this one
		err = errors.Join(err, expired)
	}
	err = errors.Join(err, l.run(ctx, r.steps(l)), announce.do(ctx))
	return errors.Join(err, l.release(ctx, released))
}

// steps are the jobs of a run that need its lease, in their order.
func (r *Runner) steps(l *lease) []step {
	s := r.settings
	p := purge{r.db, s}
	check := &restoreCheck{db: r.db, blobs: r.blobs, log: r.log, token: l.token}
	budget := min(s.Period/10, stepTimeout)
	return []step{
		{"forgotten tasks", s.Period / 2, (&forgottenTasks{db: r.db, queue: r.queue, log: r.log, period: s.Period}).enqueue},
		{"dead letters", once, deadLetters{r.db, r.queue, r.log, l}.collect},
		{"old files", budget, p.oldFiles},
		{"sheets of deleted files", budget, p.sheetsOfDeletedFiles},
		{"deleted files", budget, p.deletedFiles},
		{"old records", budget, p.records},
		{"old usage", budget, p.usage},
		{"orphan blobs", once, orphanBlobs{r.db, r.blobs, r.log, check, l.token}.sweep},
		{"abandoned uploads", budget, abandonedUploads{r.db, r.blobs, r.log, check, l.token}.remove},
		{"history", once, history{r.db, r.log, s.HistoryDays}.truncate},
	}
}

// PurgeRows deletes the rows and rejects of sheets that were removed, in pieces, for up to half a period: whoever uploads and deletes
// in a loop must not fill the database. It is to be called after all else, which does not wait for it, and needs no lease: two at once
// take different sheets.
func (r *Runner) PurgeRows(ctx context.Context) error {
	return step{"deleted rows", r.settings.Period / 2, purge{r.db, r.settings}.rows}.do(ctx)
}
