package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// Sheet is one sheet that a task found. Dialect and Columns are JSON as the reading engine wrote them.
type Sheet struct {
	ID      int64
	Number  int
	Name    string
	Visible bool
	Dialect json.RawMessage
	Columns json.RawMessage
	Counts  task.Counts
}

const sheetColumns = `s.id, s.number, s.name, s.visible, s.dialect, s.columns, s.rows_read, s.rows_loaded, s.rows_rejected, s.rows_skipped`

func (s *Sheet) targets() []any {
	c := &s.Counts
	return []any{&s.ID, &s.Number, &s.Name, &s.Visible, &s.Dialect, &s.Columns, &c.Read, &c.Loaded, &c.Rejected, &c.Skipped}
}

// Sheets lists the sheets of a task, in the workbook's order: none before the task has ended. The caller has made sure whose it is.
func (db *DB) Sheets(ctx context.Context, taskID uuid.UUID) ([]Sheet, error) {
	rows, err := db.pool.Query(ctx, `select `+sheetColumns+` from sheetdrop.sheet s where s.task_id = $1 order by s.number`, taskID)
	if err != nil {
		return nil, fmt.Errorf("read sheets: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Sheet, error) {
		var s Sheet
		err := row.Scan(s.targets()...)
		return s, err
	})
}

// Sheet gives one sheet of a task of an owner's file that is not deleted, or ErrNotFound.
func (db *DB) Sheet(ctx context.Context, owner string, taskID uuid.UUID, number int) (Sheet, error) {
	var s Sheet
	err := db.pool.QueryRow(ctx, `select `+sheetColumns+`
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = $2 and f.owner = $1 and f.deleted_at is null and s.number = $3`, owner, taskID, number).Scan(s.targets()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return Sheet{}, ErrNotFound
	}
	if err != nil {
		return Sheet{}, fmt.Errorf("read sheet: %w", err)
	}
	return s, nil
}

// SheetRow is one loaded row; a nil cell is one that the file does not have.
type SheetRow struct {
	RowNo int64
	Line  *int64
	Cells []*string
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
	Raw        []byte
}

// Rejects gives a page of a sheet's rejects after the reject (row, errorNo), in order, like Rows.
func (db *DB) Rejects(ctx context.Context, sheetID, row int64, errorNo, limit int) (rejects []RowReject, more bool, err error) {
	return readPage(ctx, db, sheetID, limit, func(row pgx.CollectableRow) (RowReject, error) {
		var r RowReject
		err := row.Scan(&r.RowNo, &r.ErrorNo, &r.Line, &r.ByteOffset, &r.CellRef, &r.ColumnNo, &r.ColumnName, &r.Code, &r.Message, &r.Raw)
		return r, err
	}, `select row_no, error_no, line, byte_offset, cell_ref, column_no, column_name, code, message, raw
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

func (db *DB) sheetAlive(ctx context.Context, sheetID int64) error {
	var alive bool
	err := db.pool.QueryRow(ctx, `select exists (
  select from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
  where s.id = $1 and f.deleted_at is null)`, sheetID).Scan(&alive)
	if err != nil {
		return fmt.Errorf("look whether the sheet is still there: %w", err)
	}
	if !alive {
		return ErrNotFound
	}
	return nil
}
