package maintenance

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"sheetdrop/internal/clock"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/overview"
)

// stockPeriod is how often what is in the database is counted, which costs more than what is counted in each run.
const stockPeriod = time.Minute

// stock counts what is in the database for the metrics, if there are any.
type stock struct {
	db      *postgres.DB
	log     *slog.Logger
	metrics *metrics.Recorder

	mu  sync.Mutex
	age func() time.Duration // of the last count; nil before the first one
}

func (s *stock) due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.age != nil && s.age() < stockPeriod {
		return false
	}
	s.age = clock.Start()
	return true
}

func (s *stock) count(ctx context.Context) {
	if s.metrics == nil || !s.due() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, statsTimeout)
	defer cancel()
	found, err := overview.ReadStock(ctx, s.db.SQL(), metrics.MostOwners)
	if err != nil {
		s.log.WarnContext(ctx, "what is in the database was not counted", "error", err)
		return
	}
	counted := metrics.Stock{
		Pending: found.Pending, Processing: found.Processing, Failed: found.Failed, DeadLetters: found.DeadLetters,
		PurgeFiles: found.PurgeFiles, PurgeRows: found.PurgeRows, Size: found.Size,
	}
	for _, t := range found.Tables {
		counted.Tables = append(counted.Tables, metrics.Table(t))
	}
	for _, o := range found.Owners {
		counted.Owners = append(counted.Owners, metrics.Owner(o))
	}
	s.metrics.CountedStock(counted, stockPeriod)
}
