package database_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres/database"
)

// The look-up may come before the server has executed the COMMIT: then the second run meets what the first one wrote, before or while it
// is committed, and must end well with one row.
func TestCommitExecutedAfterTheLookUp(t *testing.T) {
	t.Parallel()
	for name, secondRun := range map[string]func(items, *pgproxy.HeldCommit, func() (int64, error)) (int64, error){
		"before the second run": func(_ items, held *pgproxy.HeldCommit, insert func() (int64, error)) (int64, error) {
			held.Release()
			return insert()
		},
		"while the second run waits for it": func(items items, held *pgproxy.HeldCommit, insert func() (inserted int64, err error)) (inserted int64, err error) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				inserted, err = insert()
			}()
			items.waitUntil(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
			held.Release()
			<-done
			return inserted, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			items, proxy, db := throughProxy(t)
			held := proxy.HoldCommit()
			var (
				calls    inTx
				inserted []int64
			)
			err := calls.do(t.Context(), db, isUploaded(db), func(ctx context.Context, tx pgx.Tx) error {
				insert := func() (int64, error) {
					tag, err := tx.Exec(ctx, `insert into uploaded values ($1) on conflict do nothing`, 1)
					return tag.RowsAffected(), err
				}
				run := insert
				if len(inserted) == 1 {
					run = func() (int64, error) { return secondRun(items, held, insert) }
				}
				n, err := run()
				inserted = append(inserted, n)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			calls.want(t, 2, 1)
			if !slices.Equal(inserted, []int64{1, 0}) {
				t.Errorf("the runs inserted %v rows, want 1 and then 0", inserted)
			}
			if n := items.number(`select count(*) from uploaded`); n != 1 {
				t.Errorf("%d rows, want 1", n)
			}
		})
	}
}

func isUploaded(db *database.Pool) database.Committed {
	return func(ctx context.Context) (found bool, err error) {
		err = db.QueryRow(ctx, `select exists (select from uploaded)`).Scan(&found)
		return found, err
	}
}
