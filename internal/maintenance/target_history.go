package maintenance

import (
	"context"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/undo"
)

// historyPerDelete is how many rows of each kind are deleted in one transaction of what a target keeps for undos.
const historyPerDelete = 10_000

// settledLoads marks a batch of loads of targets that are past UNDO_DAYS: they can no longer be undone.
func (p purge) settledLoads(ctx context.Context) (more bool, err error) {
	if p.settings.UndoDays == 0 {
		return false, nil
	}
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return undo.Settle(ctx, tx, days(p.settings.UndoDays))
	})
}

// targetHistory deletes a batch of what a target has kept for undos of loads that are settled.
func (p purge) targetHistory(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return undo.DeleteHistory(ctx, tx, historyPerDelete)
	})
}
