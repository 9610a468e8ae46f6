package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

// Sheet is one sheet that a task found. Dialect, Columns and Warnings are JSON as the reading engine wrote them.
type Sheet struct {
	ID       int64
	Number   int
	Name     string
	Visible  bool
	Dialect  json.RawMessage
	Columns  json.RawMessage
	Warnings json.RawMessage
	task.Counts
}

const sheetColumnsSQL = `s.id, s.number, s.name, s.visible, s.dialect, s.columns, s.warnings,
  s.rows_read as read, s.rows_loaded as loaded, s.rows_rejected as rejected, s.rows_skipped as skipped, s.rows_valid as valid`

// sheetPageBytes is about what a page of sheets may weigh, whose columns take several times as much while they are read.
const sheetPageBytes = 1 << 20

// Sheets returns a page of a task's sheets after the sheet of that number, in the workbook's order, and whether there
// are more: up to limit, fewer where they are wide; none before the task has ended. The caller has made sure whose it
// is.
func (db *DB) Sheets(ctx context.Context, taskID uuid.UUID, after, limit int) (sheets []Sheet, more bool, err error) {
	return database.ReadPage(ctx, db.pool, database.PageLimit{Rows: limit, Bytes: sheetPageBytes}, pgx.RowToStructByName[Sheet],
		`select `+sheetColumnsSQL+` from sheetdrop.sheet s where s.task_id = $1 and s.number > $2 order by s.number limit $3`, taskID, after, limit+1)
}

// Sheet returns one sheet of a task of an owner's file that is not deleted, or ErrNotFound.
func (db *DB) Sheet(ctx context.Context, owner string, taskID uuid.UUID, number int) (Sheet, error) {
	s, err := database.One[Sheet](ctx, db.pool, `select `+sheetColumnsSQL+`
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = $2 and f.owner = $1 and f.deleted_at is null and s.number = $3`, owner, taskID, number)
	if err != nil {
		return Sheet{}, fmt.Errorf("read sheet: %w", err)
	}
	if s == nil {
		return Sheet{}, ErrNotFound
	}
	return *s, nil
}

// sheetBatchBytes is how much JSON of sheets is sent at once.
const sheetBatchBytes = 1 << 20

// InsertSheets writes what was found of each sheet. An error of the sequence's ends it.
func (t Tx) InsertSheets(ctx context.Context, taskID uuid.UUID, sheets iter.Seq2[Sheet, error]) error {
	batch, size := new(pgx.Batch), 0
	batch.Queue(database.LimitIdle) // who runs the task next waits for a load that has written its sheets
	for s, err := range sheets {
		if err != nil {
			return err
		}
		batch.Queue(insertSheetSQL, s.ID, taskID, s.Number, s.Name, s.Visible, s.Dialect, s.Columns, s.Warnings,
			s.Counts.Read, s.Counts.Loaded, s.Counts.Rejected, s.Counts.Skipped, s.Counts.Valid)
		if size += len(s.Columns); size >= sheetBatchBytes {
			if err := t.sendSheets(ctx, batch); err != nil {
				return err
			}
			batch, size = new(pgx.Batch), 0
		}
	}
	return t.sendSheets(ctx, batch)
}

const insertSheetSQL = `insert into sheetdrop.sheet
  (id, task_id, number, name, visible, dialect, columns, warnings, rows_read, rows_loaded, rows_rejected, rows_skipped, rows_valid)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

func (t Tx) sendSheets(ctx context.Context, batch *pgx.Batch) error {
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("insert sheets: %w", err)
	}
	return nil
}

const unlimited = math.MaxInt32 // a limit for dropSheets that is none

// dropSheets takes up to limit sheets of tasks out of everybody's sight and returns how many these were. Their rows and rejects are left to
// PurgeRows.
func (t Tx) dropSheets(ctx context.Context, tasks []uuid.UUID, limit int) (int, error) {
	tag, err := t.tx.Exec(ctx, `with dropped as (
  delete from sheetdrop.sheet where id in (select id from sheetdrop.sheet where task_id = any($1) order by id limit $2) returning id
)
insert into sheetdrop.sheet_purge (sheet_id, last_row)
select id, greatest(0, (select max(row_no) from sheetdrop.sheet_row r where r.sheet_id = d.id),
                       (select max(row_no) from sheetdrop.row_reject r where r.sheet_id = d.id),
    (select max(target_row_no) from sheetdrop.corrected_reject c where c.target_sheet_id = d.id and c.loaded_row_no is not null))
from dropped d`, tasks, limit)
	if err != nil {
		return 0, fmt.Errorf("drop sheets: %w", err)
	}
	return int(tag.RowsAffected()), nil
}
