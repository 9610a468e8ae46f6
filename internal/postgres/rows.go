package postgres

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
)

// SheetRow is one loaded row; a nil cell is one that the file does not have.
type SheetRow struct {
	RowNo int64
	Line  *int64
	Cells [][]byte
}

// RowReader reads the rows of a sheet by pages, which take turns in two memories: so an answer may be written while the next page is read,
// and millions of rows make no garbage. It is not safe for concurrent use.
type RowReader struct {
	db      *DB
	sheetID int64
	memory  [2]rowMemory
	next    int
}

// RowReader returns a reader of a sheet's rows.
func (db *DB) RowReader(sheetID int64) *RowReader { return &RowReader{db: db, sheetID: sheetID} }

// Page returns the rows after the row number after, in order, and whether there are more: up to limit rows, fewer where they are big. It
// is valid until two more pages have been read. Where the sheet's file has been deleted meanwhile, the error is
// ErrNotFound: a page never has gaps.
func (r *RowReader) Page(ctx context.Context, after int64, limit int) (rows []SheetRow, more bool, err error) {
	memory := &r.memory[r.next]
	r.next = 1 - r.next
	memory.reset()
	return readSheetPage(ctx, r.db, r.sheetID, limit, memory.row, `select row_no, line, cells
from sheetdrop.sheet_row where sheet_id = $1 and row_no > $2 order by row_no limit $3`, r.sheetID, after, limit+1)
}

// rowMemory scans the rows of a page, whose cells share memory.
type rowMemory struct {
	bytes arena[byte]
	cells arena[[]byte]
	lines arena[int64]
}

func (m *rowMemory) reset() {
	m.bytes.reset()
	m.cells.reset()
	m.lines.reset()
}

func (m *rowMemory) row(row pgx.CollectableRow) (r SheetRow, err error) {
	values := row.RawValues()
	number, line, array := values[0], values[1], values[2]
	if row.FieldDescriptions()[2].Format != pgx.BinaryFormatCode || len(number) != 8 { // a pooler that keeps no prepared statements
		return pgx.RowToStructByName[SheetRow](row)
	}
	r.RowNo = int64(binary.BigEndian.Uint64(number))
	if len(line) == 8 {
		r.Line = &append(m.lines.take(1), int64(binary.BigEndian.Uint64(line)))[0]
	}
	count, err := database.TextArrayLen(array)
	if err != nil {
		return r, err
	}
	r.Cells = database.AppendTextArray(m.cells.take(count), append(m.bytes.take(len(array)), array...))
	return r, nil
}

// LastRowNo returns the number of a sheet's last row or reject, 0 where there is none.
func (db *DB) LastRowNo(ctx context.Context, sheetID int64) (last int64, err error) {
	err = db.pool.QueryRow(ctx, `select coalesce(greatest(
  (select max(row_no) from sheetdrop.sheet_row where sheet_id = $1),
  (select max(row_no) from sheetdrop.row_reject where sheet_id = $1)), 0)`, sheetID).Scan(&last)
	if err != nil {
		return 0, fmt.Errorf("find the last row: %w", err)
	}
	return last, nil
}

// RowReject is one refused record; of those written by programs that had a row for each reason, one reason.
type RowReject struct {
	RowNo      int64
	ErrorNo    int
	Line       *int64
	ByteOffset *int64
	CellRef    *string
	Errors     []RejectError `db:"-"` // at least one
	Raw        []byte
	Cells      [][]byte // as far as they could be told apart; nil in rejects older than that
}

// Rejects returns a page of a sheet's rejects after the reject (row, errorNo), in order, like Rows.
func (db *DB) Rejects(ctx context.Context, sheetID, row int64, errorNo, limit int) (rejects []RowReject, more bool, err error) {
	return readSheetPage(ctx, db, sheetID, limit, scanReject, `select row_no, error_no, line, byte_offset, cell_ref,
  coalesce(column_no, 0) as column_no, coalesce(last_column_no, column_no, 0) as last_column_no, coalesce(column_name, '') as column_name,
  code, message, coalesce(message_ja, '') as message_ja, more_errors, raw, cells
from sheetdrop.row_reject where sheet_id = $1 and (row_no, error_no) > ($2, $3) order by row_no, error_no limit $4`,
		sheetID, row, errorNo, limit+1)
}

// scanReject reads a reject, whose first error has columns of its own.
func scanReject(row pgx.CollectableRow) (RowReject, error) {
	type rejectRow struct {
		RowReject
		RejectError
		MoreErrors []RejectError
	}
	r, err := pgx.RowToStructByName[rejectRow](row)
	r.Errors = append([]RejectError{r.RejectError}, r.MoreErrors...)
	return r.RowReject, err
}

// readSheetPage is ReadPage for what belongs to a sheet. That vanishes only after its file is marked as deleted, so a page has no gap if
// the mark is not there when it has been read.
func readSheetPage[T any](
	ctx context.Context, db *DB, sheetID int64, limit int, scan pgx.RowToFunc[T], sql string, args ...any,
) (page []T, more bool, err error) {
	page, more, err = ReadPage(ctx, db, limit, scan, sql, args...)
	if err != nil {
		return nil, false, err
	}
	return page, more, db.sheetAlive(ctx, sheetID)
}

// sheetAlive returns ErrNotFound where the sheet, or its file, has been deleted.
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
