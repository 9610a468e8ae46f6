package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const purgeSheets = 500 // removed, or emptied, in one transaction

// PurgeRowNumbers is how many row numbers PurgeRows goes through at most.
const PurgeRowNumbers = 10_000

// PurgeRows deletes the next rows and rejects, those of PurgeRowNumbers, of the oldest sheets that are to be purged and that nobody
// else purges at this moment. false means that there are none.
func (t Tx) PurgeRows(ctx context.Context) (bool, error) {
	sheets, after, until, err := t.nextToPurge(ctx)
	if err != nil || len(sheets) == 0 {
		return false, err
	}
	const pieces = ` using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as p (sheet_id, after, until)
where x.sheet_id = p.sheet_id and x.row_no > p.after and x.row_no <= p.until`
	batch := new(pgx.Batch)
	batch.Queue(`delete from sheetdrop.sheet_row x`+pieces, sheets, after, until)
	batch.Queue(`delete from sheetdrop.row_reject x`+pieces, sheets, after, until)
	batch.Queue(`delete from sheetdrop.sheet_purge x using unnest($1::bigint[], $2::bigint[]) as p (sheet_id, until)
where x.sheet_id = p.sheet_id and x.last_row = p.until`, sheets, until)
	batch.Queue(`update sheetdrop.sheet_purge x set position = p.until from unnest($1::bigint[], $2::bigint[]) as p (sheet_id, until)
where x.sheet_id = p.sheet_id`, sheets, until)
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("purge rows: %w", err)
	}
	return true, nil
}

// nextToPurge locks the oldest sheets and returns the row numbers, behind after and up to until, that are to go of each: all that are
// left, but of the last sheet perhaps. It locks no more sheets than it needs, by the size of the first one, so that several can purge
// at once.
func (t Tx) nextToPurge(ctx context.Context) (sheets, after, until []int64, err error) {
	sheets = []int64{} // and not NULL, which no sheet differs from
	left := int64(PurgeRowNumbers)
	lock := func(limit int64) error {
		rows, err := t.tx.Query(ctx, `select sheet_id, position, last_row from sheetdrop.sheet_purge where sheet_id <> all($1::bigint[])
order by sheet_id limit $2 for update skip locked`, sheets, limit)
		if err != nil {
			return err
		}
		var sheet, position, last int64
		_, err = pgx.ForEachRow(rows, []any{&sheet, &position, &last}, func() error {
			if left > 0 {
				end := min(last, position+left)
				sheets, after, until = append(sheets, sheet), append(after, position), append(until, end)
				left -= end - position
			}
			return nil
		})
		return err
	}
	err = lock(1)
	if err == nil && len(sheets) == 1 && left > 0 {
		err = lock(min(purgeSheets, 1+left/max(1, PurgeRowNumbers-left)))
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("find rows to purge: %w", err)
	}
	return sheets, after, until, nil
}
