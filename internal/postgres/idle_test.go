package postgres_test

import (
	"context"
	"testing"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// A process that freezes in the middle of a short transaction does not hold its locks for ever: the server ends it. A load may be idle for
// as long as its file keeps it waiting, but not once it has written its sheets: the next run of the task waits for these. P2.
func TestIdleShortTransactionsEnd(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		var limit string
		err := postgres.Pgx(tx).QueryRow(ctx, `show idle_in_transaction_session_timeout`).Scan(&limit)
		if limit != "30s" {
			t.Errorf("a short transaction may be idle for %s", limit)
		}
		return err
	})
	c := claim(t, db, db.AddUpload(t).TaskID)
	load := beginLoad(t, db.DB, c)
	limit := func() (limit string) {
		if err := postgres.PgxOfLoad(load).QueryRow(t.Context(), `show idle_in_transaction_session_timeout`).Scan(&limit); err != nil {
			t.Error(err)
		}
		return limit
	}
	if got := limit(); got != "0" {
		t.Errorf("a load may be idle for %s", got)
	}
	if held, err := postgres.LastWord(t.Context(), load); err != nil || !held {
		t.Errorf("complete: %t, %v", held, err)
	}
	if got := limit(); got != "30s" {
		t.Errorf("a load that has written its sheets may be idle for %s", got)
	}
}
