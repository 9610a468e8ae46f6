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

// Rows returns a page of a sheet's rows after the row number after, in order, and whether there are more: up to limit rows, fewer where
// they are big. Where the sheet's file has been deleted meanwhile, the error is
// ErrNotFound: a page never has gaps.
func (db *DB) Rows(ctx context.Context, sheetID, after int64, limit int) (rows []SheetRow, more bool, err error) {
	var scan rowScan
	return readSheetPage(ctx, db, sheetID, limit, scan.row, `select row_no, line, cells
from sheetdrop.sheet_row where sheet_id = $1 and row_no > $2 order by row_no limit $3`, sheetID, after, limit+1)
}

// rowScan scans the rows of a page, whose cells share memory: a sheet has millions of cells, and each by itself would be garbage.
type rowScan struct {
	bytes []byte
	cells [][]byte
	lines []int64
}

func (s *rowScan) row(row pgx.CollectableRow) (r SheetRow, err error) {
	values := row.RawValues()
	number, line, array := values[0], values[1], values[2]
	if row.FieldDescriptions()[2].Format != pgx.BinaryFormatCode || len(number) != 8 { // a pooler that keeps no prepared statements
		return pgx.RowToStructByName[SheetRow](row)
	}
	r.RowNo = int64(binary.BigEndian.Uint64(number))
	if len(line) == 8 {
		if len(s.lines) == cap(s.lines) {
			s.lines = make([]int64, 0, scanBlock/8)
		}
		s.lines = append(s.lines, int64(binary.BigEndian.Uint64(line)))
		r.Line = &s.lines[len(s.lines)-1]
	}
	if len(array) > cap(s.bytes)-len(s.bytes) {
		s.bytes = make([]byte, 0, max(len(array), scanBlock))
	}
	at := len(s.bytes)
	s.bytes = append(s.bytes, array...)
	count, err := database.TextArrayLen(array)
	if err != nil {
		return r, err
	}
	if count > cap(s.cells)-len(s.cells) {
		s.cells = make([][]byte, 0, max(count, scanBlock/8))
	}
	first := len(s.cells)
	s.cells = database.AppendTextArray(s.cells, s.bytes[at:])
	r.Cells = s.cells[first:len(s.cells):len(s.cells)]
	return r, nil
}

// scanBlock is the size of the memory that cells share, in bytes.
const scanBlock = 64 << 10

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
