package maintenance

import (
	"context"

	"sheetdrop/internal/postgres"
)

// rows deletes a batch of rows and rejects of deleted sheets.
func (p purge) rows(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.PurgeRows(ctx) })
}
