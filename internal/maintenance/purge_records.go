package maintenance

import (
	"context"

	"sheetdrop/internal/postgres"
)

// records deletes some records of what people did and of what became of bulk operations, and dead letters, that are older than the setting.
func (p purge) records(ctx context.Context) (more bool, err error) {
	if p.settings.RecordDays == 0 {
		return false, nil
	}
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return tx.DeleteOldRecords(ctx, days(p.settings.RecordDays))
	})
}

// usage deletes what owners used who have had nothing accepted for a week: the counts of a day that is over mean nothing.
func (p purge) usage(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.DeleteOldUsage(ctx, forgetAfter) })
}
