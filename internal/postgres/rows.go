package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// SheetRow is one loaded row; a nil cell is one that the file does not have.
type SheetRow struct {
	RowNo int64
	Line  *int64
	Cells [][]byte
}

// Rows gives a page of a sheet's rows after the row number after, in order, and whether there are more: up to limit rows, fewer where
// they are big. A sheet whose file was deleted in the meantime gives ErrNotFound, never a page with gaps.
func (db *DB) Rows(ctx context.Context, sheetID, after int64, limit int) (rows []SheetRow, more bool, err error) {
	return readPage(ctx, db, sheetID, limit, func(row pgx.CollectableRow) (SheetRow, error) {
		var r SheetRow
		err := row.Scan(&r.RowNo, &r.Line, &r.Cells)
		return r, err
	}, `select row_no, line, cells from sheetdrop.sheet_row
where sheet_id = $1 and row_no > $2 order by row_no limit $3`, sheetID, after, limit+1)
}

// RowReject is one reason why one record was refused.
type RowReject struct {
	RowNo      int64
	ErrorNo    int
	Line       *int64
	ByteOffset *int64
	CellRef    *string
	ColumnNo   *int
	ColumnName *string
	Code       string
	Message    string
	MessageJA  *string // nil in rejects of before there was any
	Raw        []byte
}

// Rejects gives a page of a sheet's rejects after the reject (row, errorNo), in order, like Rows.
func (db *DB) Rejects(ctx context.Context, sheetID, row int64, errorNo, limit int) (rejects []RowReject, more bool, err error) {
	return readPage(ctx, db, sheetID, limit, func(row pgx.CollectableRow) (RowReject, error) {
		var r RowReject
		err := row.Scan(&r.RowNo, &r.ErrorNo, &r.Line, &r.ByteOffset, &r.CellRef, &r.ColumnNo, &r.ColumnName, &r.Code, &r.Message, &r.MessageJA, &r.Raw)
		return r, err
	}, `select row_no, error_no, line, byte_offset, cell_ref, column_no, column_name, code, message, message_ja, raw
from sheetdrop.row_reject where sheet_id = $1 and (row_no, error_no) > ($2, $3) order by row_no, error_no limit $4`,
		sheetID, row, errorNo, limit+1)
}

// pageBytes is about what a page may weigh: a row may have megabytes, and limit says nothing of that.
const pageBytes = 8 << 20

// readPage reads up to limit rows of a query for limit + 1, or until they weigh pageBytes. Rows vanish only after their file is marked as
// deleted, so a page has no gap if the mark is not there when it has been read.
func readPage[T any](ctx context.Context, db *DB, sheetID int64, limit int, scan pgx.RowToFunc[T], sql string, args ...any) (page []T, more bool, err error) {
	queryCtx, stop := context.WithCancel(ctx)
	defer stop()
	rows, err := db.pool.Query(queryCtx, sql, args...)
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	page, more, err = collectPage(rows, limit, scan)
	if err != nil {
		return nil, false, fmt.Errorf("read page: %w", err)
	}
	if more && len(page) < limit {
		stop() // gives the connection up rather than read what is left
	}
	rows.Close()
	return page, more, db.sheetAlive(ctx, sheetID)
}

func collectPage[T any](rows pgx.Rows, limit int, scan pgx.RowToFunc[T]) (page []T, more bool, err error) {
	for bytes := 0; rows.Next(); {
		if len(page) == limit || bytes >= pageBytes {
			return page, true, nil
		}
		for _, value := range rows.RawValues() {
			bytes += len(value)
		}
		item, err := scan(rows)
		if err != nil {
			rows.Close()
			return nil, false, err
		}
		page = append(page, item)
	}
	return page, false, rows.Err()
}
