package maintenance

import (
	"context"
	"log/slog"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/sheetview"
	"sheetdrop/internal/task"
)

// views keeps the typed views of sheets in line with their files.
type views struct {
	db  *postgres.DB
	log *slog.Logger
}

// refresh brings one view in line that was marked, if there is one: it shows its file's newest reading, or goes with the file. One that
// others have built on, and that would lose columns or go, is left as it is; the log says so once.
func (v views) refresh(ctx context.Context) (more bool, err error) {
	var found *sheetview.Refreshed
	more, err = inTx(ctx, v.db, func(ctx context.Context, tx postgres.Tx) (_ bool, err error) {
		found, err = sheetview.Refresh(ctx, tx)
		return found != nil, err
	})
	if err == nil && found != nil && len(found.InUseBy) > 0 {
		v.log.WarnContext(ctx, "a view is left as it is, because others depend on it", "view_id", found.ID,
			"owner_hash", task.OwnerHash(found.Owner), "in_use_by", found.InUseBy)
	}
	if err == nil && found != nil {
		err = found.Err
	}
	return more, err
}
