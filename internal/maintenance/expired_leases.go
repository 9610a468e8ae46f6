package maintenance

import (
	"context"
	"log/slog"
	"time"

	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/internal/tracing"
)

const expiredBatch = 100 // tasks reclaimed in one transaction

// expiredLeases reclaims the tasks of workers that died.
type expiredLeases struct {
	db    *postgres.DB
	log   *slog.Logger
	ranAt time.Time // leases that had expired by then are reclaimed

	metrics *metrics.Recorder
}

func (e expiredLeases) release(ctx context.Context) (more bool, err error) {
	var released []postgres.Released // of the last try
	// Repeating it is harmless: a reclaimed lease is no longer expired. So after an ambiguous COMMIT it is simply tried
	// again.
	err = e.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		ids, err := tx.LockExpired(ctx, e.ranAt, expiredBatch)
		if err != nil {
			return err
		}
		released, err = tx.ReleaseExpired(ctx, postgres.NewParseMessages(ids))
		return err
	})
	if err != nil {
		return false, err
	}
	for _, t := range released {
		e.metrics.Reclaimed(string(t.Status), string(task.WorkerDied))
		ctx, span := tracing.StartIn(ctx, t.TraceContext, "reclaim task", tracing.Internal, tracing.Task(t.TaskID), tracing.Status(t.Status))
		e.log.With(t.Fields()).WarnContext(ctx, "worker died", "status", t.Status)
		span.End(nil)
	}
	return len(released) == expiredBatch, nil
}
