package maintenance

import (
	"context"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/webhookstore"
)

// records deletes a batch of records that are past their retention: actions, bulk operations and dead letters.
func (p purge) records(ctx context.Context) (more bool, err error) {
	if p.settings.RecordDays == 0 {
		return false, nil
	}
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return tx.DeleteOldRecords(ctx, days(p.settings.RecordDays))
	})
}

// usage deletes the usage of owners who have had nothing accepted for a week: the counts of a past day mean nothing.
func (p purge) usage(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) { return tx.DeleteOldUsage(ctx, forgetAfter) })
}

// webhookDeliveries deletes a batch of deliveries that are past their retention, and of deleted webhooks.
func (p purge) webhookDeliveries(ctx context.Context) (more bool, err error) {
	return inTx(ctx, p.db, func(ctx context.Context, tx postgres.Tx) (bool, error) {
		return webhookstore.DeleteOld(ctx, tx, p.settings.WebhookDays)
	})
}
