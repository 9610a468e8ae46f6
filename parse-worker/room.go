package parse

import (
	"context"
	"log/slog"

	"sheetdrop/internal/postgres"
)

// makeRoom deletes as many deleted rows as a run has written, if there are any, so that the database does not grow if
// files are uploaded and deleted faster than the timer purges their rows. Small runs add up. What fails is left to the
// timer.
func (w *Worker) makeRoom(ctx context.Context, r *run, log *slog.Logger) {
	w.written.Add(r.rowsLoaded.Load() + r.rowsRejected.Load())
	for w.written.Load() >= postgres.PurgeRowNumbers && ctx.Err() == nil {
		w.written.Add(-postgres.PurgeRowNumbers)
		var found bool
		// Rows deleted by a lost COMMIT are not found again.
		err := w.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
			found, err = tx.PurgeRows(ctx)
			return err
		})
		if err != nil {
			log.WarnContext(ctx, "rows of deleted sheets are left to the relay", "error", err)
			return
		}
		if !found {
			w.written.Store(0)
			return
		}
	}
}
