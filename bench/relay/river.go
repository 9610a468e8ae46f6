package relay

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"sheetdrop/bench/testbed"
	"sheetdrop/internal/azure"
)

// job is a job of River that carries what the outbox's message does.
type job struct {
	Message []byte `json:"message"`
}

// Kind implements river.JobArgs.
func (job) Kind() string { return "send" }

// sender does one Put Message for each job.
type sender struct {
	river.WorkerDefaults[job]
	queue *azure.Queue
}

// Work implements river.Worker.
func (s *sender) Work(ctx context.Context, j *river.Job[job]) error {
	return s.queue.Send(ctx, j.Args.Message)
}

// riverRelay is River as an outbox.
type riverRelay struct {
	fixture *fixture
	pool    *pgxpool.Pool
	inserts *river.Client[pgx.Tx] // does nothing else
	works   *river.Client[pgx.Tx]
	want    int
}

func prepareRiver(ctx context.Context, app *testbed.App) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(app.SQL), nil)
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	return err
}

// riverDefaults is what its documentation begins with, but for the number of workers, which has no default.
func riverDefaults() *river.Config {
	return &river.Config{Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 100}}}
}

// riverPolling needs no LISTEN, as behind a pooler.
func riverPolling() *river.Config {
	config := riverTuned(100)
	config.PollOnly = true
	return config
}

// riverTuned fetches as often as it makes sense.
func riverTuned(workers int) *river.Config {
	return &river.Config{
		Queues:        map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workers}},
		FetchCooldown: 2 * time.Millisecond, FetchPollInterval: 20 * time.Millisecond, JobTimeout: -1,
	}
}

func newRiver(configure func() *river.Config) newRelay {
	return func(ctx context.Context, f *fixture) (relay, error) {
		if _, err := f.app.SQL.Exec(ctx, `truncate river_job`); err != nil {
			return nil, err
		}
		queue, err := f.sink.queue()
		if err != nil {
			return nil, err
		}
		config, err := pgxpool.ParseConfig(f.app.URL)
		if err != nil {
			return nil, err
		}
		config.MaxConns = 10 // as many as our relay has
		r := &riverRelay{fixture: f}
		if r.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
			return nil, err
		}
		if r.inserts, err = river.NewClient(riverpgxv5.New(r.pool), &river.Config{}); err != nil {
			return nil, err
		}
		workers := river.NewWorkers()
		river.AddWorker(workers, &sender{queue: queue})
		options := configure()
		options.Workers, options.Logger = workers, slog.New(slog.DiscardHandler)
		r.works, err = river.NewClient(riverpgxv5.New(r.pool), options)
		return r, err
	}
}

// fill commits jobs, a thousand in a transaction. They are inserted one by one in the comparison of transactions.
func (r *riverRelay) fill(ctx context.Context, n int) error {
	for r.want < n {
		some := make([]river.InsertManyParams, min(1000, n-r.want))
		for i := range some {
			some[i].Args = job{payload()}
		}
		if _, err := r.inserts.InsertManyFast(ctx, some); err != nil {
			return err
		}
		r.want += len(some)
	}
	_, err := r.fixture.app.SQL.Exec(ctx, `vacuum analyze river_job`)
	return err
}

func (r *riverRelay) run(ctx context.Context) (done int, err error) {
	if err := r.works.Start(ctx); err != nil {
		return 0, err
	}
	err = testbed.Await(ctx, 10*time.Millisecond, func() (bool, error) {
		if err := r.fixture.app.SQL.QueryRow(ctx, `select count(*) from river_job where state = 'completed'`).Scan(&done); err != nil {
			return false, err
		}
		return done >= r.want, nil
	})
	if err != nil {
		return done, err
	}
	return done, nil
}

func (r *riverRelay) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.works.Stop(ctx); err != nil {
		r.fixture.Log("River did not stop: %v", err)
	}
	r.pool.Close()
}

// bestRiver is River with the number of workers with which it was fastest.
func (f *fixture) bestRiver(ctx context.Context, _ *fixture) (relay, error) {
	return newRiver(func() *river.Config { return riverTuned(f.workers) })(ctx, f)
}

// sweepRiver finds that number.
func (f *fixture) sweepRiver(ctx context.Context) error {
	sweep := []int{16, 50, 100, 200, 500, 1000, 2000}
	if f.Quick {
		sweep = []int{100}
	}
	best, bestWorkers := 0.0, 0
	for _, workers := range sweep {
		f.workers = workers
		rate, _, err := f.drainOnce(ctx, f.bestRiver, max(f.n/4, 100))
		if err != nil {
			return fmt.Errorf("drain by %d workers of River: %w", workers, err)
		}
		f.Log("River, %d workers: %.0f/s", workers, rate)
		if rate > best {
			best, bestWorkers = rate, workers
		}
	}
	f.workers = bestWorkers
	return nil
}
