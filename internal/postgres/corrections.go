package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

var copyCorrections = binarycopy.Copy{SQL: `copy sheetdrop.corrected_reject
  (sheet_id, row_no, error_no, task_id, target_sheet_id, target_row_no, target_error_no, cells, reasons) from stdin (format binary)`}

const correctionColumns = 9

// CorrectedSheet is a sheet whose rejects a task corrects.
type CorrectedSheet struct {
	Sheet
	TaskID   uuid.UUID
	FileID   uuid.UUID
	Options  json.RawMessage // with which it was read
	InTarget bool            // its rows were loaded into a target
}

// CorrectedSheet returns a sheet of an owner's COMPLETED task whose rejects can be corrected, or ErrNotFound. A dry run has no rows to add
// to, and the rejects of a file of corrections are those of the sheet that it corrects.
func (db *DB) CorrectedSheet(ctx context.Context, owner string, taskID uuid.UUID, number int) (CorrectedSheet, error) {
	return correctedSheet(ctx, db.pool, owner, taskID, number)
}

// CorrectedSheet is the same in a transaction.
func (t Tx) CorrectedSheet(ctx context.Context, owner string, taskID uuid.UUID, number int) (CorrectedSheet, error) {
	return correctedSheet(ctx, t.tx, owner, taskID, number)
}

func correctedSheet(ctx context.Context, db database.Querier, owner string, taskID uuid.UUID, number int) (CorrectedSheet, error) {
	s, err := database.One[CorrectedSheet](ctx, db, `select `+sheetColumnsSQL+`, t.id as task_id, f.id as file_id, t.options, t.target_id is not null as in_target
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id join sheetdrop.source_file f on f.id = t.source_file_id
where t.id = $2 and f.owner = $1 and f.deleted_at is null and s.number = $3 and t.status = 'COMPLETED'
  and not coalesce((t.options->>'dry_run')::bool, false) and t.options->>'corrects' is null`, owner, taskID, number)
	if err != nil {
		return CorrectedSheet{}, fmt.Errorf("read the sheet to correct: %w", err)
	}
	if s == nil {
		return CorrectedSheet{}, ErrNotFound
	}
	return *s, nil
}

// RejectNumber tells a reject from the others of its sheet.
type RejectNumber struct {
	RowNo   int64
	ErrorNo int
}

// Compare tells which reject comes first: below 0, n.
func (n RejectNumber) Compare(other RejectNumber) int {
	return cmp.Or(cmp.Compare(n.RowNo, other.RowNo), cmp.Compare(n.ErrorNo, other.ErrorNo))
}

// ReplacedRejects returns which rejects of a sheet have been replaced by rows.
func (db *DB) ReplacedRejects(ctx context.Context, sheetID int64) (map[RejectNumber]bool, error) {
	rows, err := db.pool.Query(ctx, `select target_row_no, target_error_no from sheetdrop.corrected_reject
where target_sheet_id = $1 and loaded_row_no is not null`, sheetID)
	if err != nil {
		return nil, fmt.Errorf("read which rejects were replaced: %w", err)
	}
	replaced := map[RejectNumber]bool{}
	var n RejectNumber
	if _, err := pgx.ForEachRow(rows, []any{&n.RowNo, &n.ErrorNo}, func() error { replaced[n] = true; return nil }); err != nil {
		return nil, fmt.Errorf("read which rejects were replaced: %w", err)
	}
	return replaced, nil
}

// OpenRejects returns which rejects of a sheet are there, in their order.
func (db *DB) OpenRejects(ctx context.Context, sheetID int64) ([]RejectNumber, error) {
	return database.All[RejectNumber](ctx, db.pool, `select row_no, error_no from sheetdrop.row_reject where sheet_id = $1 order by row_no, error_no`, sheetID)
}

// Correction is what a record of a file of corrections says about a reject.
type Correction struct {
	RejectNumber
	Cells  [][]byte      // in the order of the corrected sheet's columns
	Errors []RejectError // by these columns, why the record is still rejected; nil for one that is accepted
}

// Correct makes the load one of corrections to a sheet. Call it before the first row.
func (l *Load) Correct(target CorrectedSheet) {
	l.target, l.corrections = &target, new(binarycopy.Buffer)
}

// CorrectedRow adds a row of a file of corrections.
func (l *Load) CorrectedRow(sheetID, rowNo, line int64, cells [][]byte, c Correction) error {
	if err := l.correct(sheetID, rowNo, 0, &c); err != nil {
		return err
	}
	return l.Row(sheetID, rowNo, line, cells)
}

// CorrectedInTarget says that a row of a file of corrections goes into a target.
func (l *Load) CorrectedInTarget(sheetID, rowNo int64, n RejectNumber) error {
	l.sheetID = sheetID
	return l.correct(sheetID, rowNo, 0, &Correction{RejectNumber: n})
}

// Withdraw takes a row of CorrectedInTarget back that the target has refused.
func (l *Load) Withdraw(rowNo int64) { l.withdrawn = append(l.withdrawn, rowNo) }

func (l *Load) correct(sheetID, rowNo int64, errorNo int, c *Correction) error {
	b := l.corrections
	b.Row(correctionColumns)
	b.Int64(sheetID)
	b.Int64(rowNo)
	b.Int32(int32(errorNo))
	b.Bytes(l.claim.TaskID[:])
	b.Int64(l.target.ID)
	b.Int64(c.RowNo)
	b.Int32(int32(c.ErrorNo))
	b.TextArray(withoutNUL(c.Cells))
	if err := appendMoreErrors(b, c.Errors); err != nil {
		return err
	}
	return l.explain(l.sender.SendIfFull(copyCorrections, &l.corrections))
}

// Retype replaces what is known about the columns of the corrected sheet, as JSON.
func (l *Load) Retype(columns json.RawMessage) { l.target.Columns = columns }

// ErrSheetChanged says that the sheet has got rows by another file of corrections meanwhile, or was deleted: the run has to begin again.
var ErrSheetChanged = errors.New("the sheet to correct has changed meanwhile")

// lockTarget keeps the corrected sheet's file from being deleted until the transaction ends. Files are locked before tasks.
func (t Tx) lockTarget(ctx context.Context, target *CorrectedSheet) error {
	var id uuid.UUID
	err := t.tx.QueryRow(ctx, `select id from sheetdrop.source_file where id = $1 and deleted_at is null for share`, target.FileID).Scan(&id)
	return asChanged(err)
}

// asChanged returns ErrSheetChanged for what is not there any more.
func asChanged(err error) error {
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return ErrSheetChanged
	case err != nil:
		return fmt.Errorf("lock the sheet to correct: %w", err)
	}
	return nil
}

// correctSheet replaces rejects of a sheet by the rows of the load, and gives others their new reasons. Both are found by their
// numbers, and only among the rejects that are still there: a record whose reject has been replaced already changes nothing. It
// returns how many rows of each sheet of the load were such records; these rows are deleted.
func (t Tx) correctSheet(ctx context.Context, taskID uuid.UUID, target *CorrectedSheet) (again map[int64]int64, err error) {
	summary, err := t.lockSheet(ctx, target)
	if err != nil {
		return nil, err
	}
	replace := replaceRejectsSQL
	if target.InTarget {
		replace = replaceRejectsOfTargetSQL
	}
	var replaced int64
	if err := t.tx.QueryRow(ctx, replace, taskID, target.ID).Scan(&replaced); err != nil {
		return nil, fmt.Errorf("replace rejects by rows: %w", err)
	}
	if _, err := t.tx.Exec(ctx, keepRejectsSQL, taskID, target.ID); err != nil {
		return nil, fmt.Errorf("keep what is still rejected: %w", err)
	}
	if err := t.countCorrected(ctx, target, summary, replaced); err != nil {
		return nil, err
	}
	again, err = t.dropRepeated(ctx, taskID)
	if err == nil && target.InTarget && len(again) > 0 {
		err = ErrSheetChanged // the target has got rows whose rejects are gone
	}
	return again, err
}

// countCorrected counts so many rejects of a locked sheet as rows.
func (t Tx) countCorrected(ctx context.Context, s *CorrectedSheet, summary task.Summary, replaced int64) error {
	batch := new(pgx.Batch)
	batch.Queue(`update sheetdrop.sheet set rows_loaded = rows_loaded + $2, rows_rejected = rows_rejected - $2, columns = $3 where id = $1`,
		s.ID, replaced, s.Columns)
	batch.Queue(`update sheetdrop.task set summary = $2 where id = $1`, s.TaskID, corrected(summary, s.Number, replaced))
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("count corrected rejects: %w", err)
	}
	return nil
}

// withdraw forgets which rejects rows stand for that the target has refused: these are among the rejects of the load.
func (t Tx) withdraw(ctx context.Context, sheetID int64, rows []int64) error {
	_, err := t.tx.Exec(ctx, `delete from sheetdrop.corrected_reject where sheet_id = $1 and row_no = any($2) and error_no = 0`, sheetID, rows)
	if err != nil {
		return fmt.Errorf("withdraw corrections: %w", err)
	}
	return nil
}

const lockCompletedSQL = `select summary from sheetdrop.task where id = $1 and status = 'COMPLETED' and rows_deleted_at is null for no key update`

// lockSheet locks the task of the sheet and the sheet, which must be as they were when the load began, and returns the task's summary.
func (t Tx) lockSheet(ctx context.Context, target *CorrectedSheet) (summary task.Summary, err error) {
	err = asChanged(t.tx.QueryRow(ctx, lockCompletedSQL, target.TaskID).Scan(&summary))
	if err != nil {
		return summary, err
	}
	var id int64
	return summary, asChanged(t.tx.QueryRow(ctx, `select id from sheetdrop.sheet where id = $1 and rows_loaded = $2 for no key update`,
		target.ID, target.Loaded).Scan(&id))
}

// replaceRejectsSQL makes rows of the rejects that have an accepted correction. A row gets its reject's number; where an earlier row
// has that number, as in a damaged workbook, the next one behind the sheet's last.
const replaceRejectsSQL = `with found as (
  select r.row_no, r.error_no, r.line, r.raw, m.sheet_id, m.row_no as own_row_no, m.cells,
    row_number() over (partition by r.row_no order by r.error_no) > 1
      or exists (select from sheetdrop.sheet_row x where x.sheet_id = $2 and x.row_no = r.row_no) as taken
  from sheetdrop.corrected_reject m
  join sheetdrop.row_reject r on r.sheet_id = $2 and r.row_no = m.target_row_no and r.error_no = m.target_error_no
  where m.task_id = $1 and m.error_no = 0 and m.loaded_row_no is null
), last as (
  select greatest((select max(row_no) from sheetdrop.sheet_row where sheet_id = $2), (select max(row_no) from sheetdrop.row_reject where sheet_id = $2)) as row_no
), numbered as (
  select f.*, case when taken then last.row_no + row_number() over (partition by taken order by f.row_no, f.error_no) else f.row_no end as loaded_row_no
  from found f, last
), inserted as (
  insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) select $2, loaded_row_no, line, cells from numbered
), gone as (
  delete from sheetdrop.row_reject r using numbered n where r.sheet_id = $2 and r.row_no = n.row_no and r.error_no = n.error_no
), kept as (
  update sheetdrop.corrected_reject m set loaded_row_no = n.loaded_row_no, raw = n.raw, cells = null from numbered n
  where m.sheet_id = n.sheet_id and m.row_no = n.own_row_no and m.error_no = 0
)
select count(*) from numbered`

// replaceRejectsOfTargetSQL takes the rejects out that a target has got rows of, and keeps them, for an undo opens them again.
const replaceRejectsOfTargetSQL = `with found as (
  select r.row_no, r.error_no, r.raw, to_jsonb(r) - 'raw' as reject, m.sheet_id, m.row_no as own_row_no
  from sheetdrop.corrected_reject m
  join sheetdrop.row_reject r on r.sheet_id = $2 and r.row_no = m.target_row_no and r.error_no = m.target_error_no
  where m.task_id = $1 and m.error_no = 0 and m.loaded_row_no is null
), gone as (
  delete from sheetdrop.row_reject r using found f where r.sheet_id = $2 and r.row_no = f.row_no and r.error_no = f.error_no
), kept as (
  update sheetdrop.corrected_reject m set loaded_row_no = m.row_no, raw = f.raw, reject = f.reject from found f
  where m.sheet_id = f.sheet_id and m.row_no = f.own_row_no and m.error_no = 0
)
select count(*) from found`

// ReopenRejects opens the rejects of a task's sheet again that corrections in a target have replaced, whose loads have been taken back.
// What was deleted meanwhile stays so. The files are locked before the task: also that of own, the task at whose end this happens.
func (t Tx) ReopenRejects(ctx context.Context, taskID uuid.UUID, number int, corrections []uuid.UUID, own uuid.UUID) error {
	if _, err := t.tx.Exec(ctx, `select from sheetdrop.source_file where id = any(array(select source_file_id from sheetdrop.task where id = any($1)))
order by id for no key update`, []uuid.UUID{taskID, own}); err != nil {
		return fmt.Errorf("lock the file of rejects: %w", err)
	}
	var summary task.Summary
	err := asChanged(t.tx.QueryRow(ctx, lockCompletedSQL, taskID).Scan(&summary))
	if errors.Is(err, ErrSheetChanged) {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := database.One[CorrectedSheet](ctx, t.tx, `select `+sheetColumnsSQL+`, t.id as task_id, t.source_file_id as file_id, t.options, true as in_target
from sheetdrop.sheet s join sheetdrop.task t on t.id = s.task_id where t.id = $1 and s.number = $2 for no key update of s`, taskID, number)
	if err != nil || s == nil {
		return err
	}
	var opened int64
	if err := t.tx.QueryRow(ctx, reopenRejectsSQL, s.ID, corrections).Scan(&opened); err != nil {
		return fmt.Errorf("open rejects again: %w", err)
	}
	return t.countCorrected(ctx, s, summary, -opened)
}

const reopenRejectsSQL = `with taken_back as (
  delete from sheetdrop.corrected_reject where target_sheet_id = $1 and loaded_row_no is not null and task_id = any($2)
  returning target_row_no, target_error_no, raw, reject
), opened as (
  insert into sheetdrop.row_reject
    (sheet_id, row_no, error_no, line, byte_offset, cell_ref, column_no, last_column_no, column_name, code, message, message_ja, more_errors, raw, cells)
  select $1, b.target_row_no, b.target_error_no, r.line, r.byte_offset, r.cell_ref, r.column_no, r.last_column_no, r.column_name, r.code, r.message,
    r.message_ja, r.more_errors, b.raw, r.cells
  from taken_back b cross join jsonb_populate_record(null::sheetdrop.row_reject, b.reject) r
)
select count(*) from taken_back`

// keepRejectsSQL gives rejects the cells and the reasons of a correction that was not accepted.
const keepRejectsSQL = `update sheetdrop.row_reject r
set column_no = (m.reasons->0->>'column_no')::int, last_column_no = (m.reasons->0->>'last_column_no')::int, column_name = m.reasons->0->>'column_name',
    code = m.reasons->0->>'code', message = m.reasons->0->>'message', message_ja = m.reasons->0->>'message_ja',
    more_errors = nullif(m.reasons - 0, '[]'), cells = m.cells
from sheetdrop.corrected_reject m
where m.task_id = $1 and m.error_no > 0 and r.sheet_id = $2 and r.row_no = m.target_row_no and r.error_no = m.target_error_no`

// dropRepeated deletes the rows of the load whose rejects had been replaced before, and returns how many there were of each of its sheets.
func (t Tx) dropRepeated(ctx context.Context, taskID uuid.UUID) (map[int64]int64, error) {
	rows, err := t.tx.Query(ctx, `with ended as (
  delete from sheetdrop.corrected_reject where task_id = $1 and loaded_row_no is null returning sheet_id, row_no, error_no
), gone as (
  delete from sheetdrop.sheet_row x using ended e where e.error_no = 0 and x.sheet_id = e.sheet_id and x.row_no = e.row_no
)
select sheet_id, count(*) from ended where error_no = 0 group by sheet_id`, taskID)
	if err != nil {
		return nil, fmt.Errorf("drop repeated corrections: %w", err)
	}
	again := map[int64]int64{}
	var sheetID, n int64
	if _, err = pgx.ForEachRow(rows, []any{&sheetID, &n}, func() error { again[sheetID] = n; return nil }); err != nil {
		return nil, fmt.Errorf("drop repeated corrections: %w", err)
	}
	return again, nil
}

// corrected returns a summary with so many rejects of a sheet as rows.
func corrected(s task.Summary, number int, replaced int64) task.Summary {
	s.Loaded += replaced
	s.Rejected -= replaced
	if s.Target != nil {
		into := *s.Target
		into.Corrected += replaced
		s.Target = &into
	}
	for i := range s.Sheets {
		if s.Sheets[i].Number == number {
			s.Sheets[i].RowsLoaded += replaced
			s.Sheets[i].RowsRejected -= replaced
		}
	}
	return s
}

// skipping counts rows that were loaded as skipped, by the ids of their sheets; the summary as soon as all sheets have been read.
func skipping(sheets iter.Seq2[Sheet, error], again map[int64]int64, summary *task.Summary) iter.Seq2[Sheet, error] {
	return func(yield func(Sheet, error) bool) {
		for s, err := range sheets {
			n := again[s.ID]
			s.Loaded -= n
			s.Skipped += n
			summary.Loaded -= n
			summary.Skipped += n
			for i := range summary.Sheets {
				if summary.Sheets[i].Number == s.Number {
					summary.Sheets[i].RowsLoaded -= n
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}
