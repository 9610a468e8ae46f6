package maintenance

import (
	"context"
	"log/slog"
	"time"

	"sheetdrop/internal/postgres"
)

const expiredBatch = 100 // tasks released in a transaction

// expiredLeases takes tasks from workers that died.
type expiredLeases struct {
	db    *postgres.DB
	log   *slog.Logger
	ranAt time.Time // leases that had expired by then are released
}

func (e expiredLeases) release(ctx context.Context) (more bool, err error) {
	var released []postgres.Released // by the last try
	// Repeating it is harmless: what was released is no longer expired. So an ambiguous commit is simply tried again.
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
		e.log.WarnContext(ctx, "worker died", "task_id", t.TaskID, "status", t.Status)
	}
	return len(released) == expiredBatch, nil
}
