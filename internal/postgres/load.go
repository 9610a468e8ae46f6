package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

const (
	chunkBytes    = 2 << 20 // a chunk is sent once it is this long; one record may lengthen it
	chunksInUse   = 3       // one being filled, one being sent, one between them
	keptRejects   = 1000    // of a file that fails, these remain
	keptBytes     = 8 << 20
	copyRows      = `copy sheetdrop.sheet_row (sheet_id, row_no, line, cells) from stdin (format binary)`
	copyRejects   = `copy sheetdrop.row_reject (sheet_id, row_no, error_no, line, byte_offset, cell_ref, column_no, column_name, code, message, raw) from stdin (format binary)`
	rejectColumns = 11
)

// ErrConnectionLost says that the load's connection broke before COMMIT was sent: nothing of it is there.
var ErrConnectionLost = errors.New("connection to the database lost")

// Load is the one transaction that makes a task's rows visible. Rows and rejects are collected and sent in chunks, while the next ones are
// being made; nothing of it can be seen, and nobody waits for it, until Complete. Its methods are for one goroutine.
type Load struct {
	db      *DB
	tx      pgx.Tx
	claim   Claim
	rows    *copyBuffer
	rejects *copyBuffer
	kept    copyBuffer // the first rejects once more, for a task that fails
	keptN   int
	full    chan chunk
	free    chan *copyBuffer
	failed  chan struct{} // closed when err is set
	err     error
	done    chan struct{}
}

type chunk struct {
	statement string
	buffer    *copyBuffer
}

// BeginLoad opens the transaction. End it with Complete or Rollback; ctx ends it too.
func (db *DB) BeginLoad(ctx context.Context, claim Claim) (*Load, error) {
	beginCtx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	tx, err := db.pool.BeginTx(beginCtx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, fmt.Errorf("begin load: %w", err)
	}
	l := &Load{
		db: db, tx: tx, claim: claim, rows: new(copyBuffer), rejects: new(copyBuffer),
		full: make(chan chunk), free: make(chan *copyBuffer, chunksInUse), failed: make(chan struct{}), done: make(chan struct{}),
	}
	for range chunksInUse - 1 {
		l.free <- new(copyBuffer)
	}
	go l.send(ctx)
	return l, nil
}

// send copies full chunks until there are no more, or until one fails.
func (l *Load) send(ctx context.Context) {
	defer close(l.done)
	for c := range l.full {
		if err := l.copyChunk(ctx, c); err != nil {
			l.err = l.explain(ctx, err)
			close(l.failed)
			return
		}
		c.buffer.reset()
		l.free <- c.buffer
	}
}

// stepPatience is how long one step of a load may take before its connection is given up: one that hangs would never fail by itself.
const stepPatience = time.Minute

func (l *Load) copyChunk(ctx context.Context, c chunk) error {
	ctx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	_, err := l.tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(c.buffer.data), c.statement)
	return err
}

// explain marks an error that came from the connection and not from what was asked of it.
func (l *Load) explain(ctx context.Context, err error) error {
	if ctx.Err() == nil && l.tx.Conn().IsClosed() {
		return fmt.Errorf("%w: %w", ErrConnectionLost, err)
	}
	return fmt.Errorf("load: %w", err)
}

// NewSheetID takes an id for a sheet's rows from the sequence, outside of the transaction, which may be busy.
func (l *Load) NewSheetID(ctx context.Context) (id int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	if err = l.db.pool.QueryRow(ctx, `select nextval('sheetdrop.sheet_id')`).Scan(&id); err != nil {
		err = fmt.Errorf("take a sheet id: %w", err)
	}
	return id, err
}

// Row adds a row; line 0 stands for none. cells may be used again after the call.
func (l *Load) Row(sheetID, rowNo, line int64, cells [][]byte) error {
	b := l.rows
	b.row(4)
	b.int64(sheetID)
	b.int64(rowNo)
	b.optional(line, line > 0)
	b.texts(cells)
	return l.sendIfFull(copyRows, &l.rows)
}

// LoadReject is one reason of a refused record; the record's raw bytes go with its first.
type LoadReject struct {
	SheetID    int64
	RowNo      int64
	ErrorNo    int
	Line       int64 // 0: none
	ByteOffset int64 // below 0: none
	CellRef    string
	ColumnNo   int // 0: the whole record
	ColumnName string
	Code       string
	Message    string
	Raw        []byte // nil: none
}

// Reject adds a reject. r's bytes may be used again after the call.
func (l *Load) Reject(r LoadReject) error {
	l.rejects.reject(r)
	switch {
	case l.keptN == keptRejects:
	case len(l.kept.data)+len(r.Raw) > keptBytes:
		l.keptN = keptRejects // none after this one either: what is kept are the first ones, without a gap
	default:
		l.kept.reject(r)
		l.keptN++
	}
	return l.sendIfFull(copyRejects, &l.rejects)
}

func (b *copyBuffer) reject(r LoadReject) {
	b.row(rejectColumns)
	b.int64(r.SheetID)
	b.int64(r.RowNo)
	b.int32(int32(r.ErrorNo))
	b.optional(r.Line, r.Line > 0)
	b.optional(r.ByteOffset, r.ByteOffset >= 0)
	b.optionalText(r.CellRef)
	if r.ColumnNo > 0 {
		b.int32(int32(r.ColumnNo))
	} else {
		b.null()
	}
	b.optionalText(r.ColumnName)
	b.text(r.Code)
	b.text(r.Message)
	if r.Raw == nil {
		b.null()
	} else {
		b.bytes(r.Raw)
	}
}

func (l *Load) sendIfFull(statement string, b **copyBuffer) error {
	if len((*b).data) < chunkBytes {
		return nil
	}
	return l.flush(statement, b)
}

// flush hands a chunk to the sender and takes an empty one.
func (l *Load) flush(statement string, b **copyBuffer) error {
	if len((*b).data) == 0 {
		return nil
	}
	(*b).end()
	select {
	case l.full <- chunk{statement, *b}:
	case <-l.failed:
		return l.err
	}
	select {
	case *b = <-l.free:
		return nil
	case <-l.failed:
		return l.err
	}
}

// Complete sends what is left, writes the sheets and, as the last word, makes the task COMPLETED, and commits. false means that the claim
// no longer holds the task and that nothing was written. An ambiguous COMMIT is looked up; ErrAmbiguous comes back only if it is not found.
func (l *Load) Complete(ctx context.Context, sheets []Sheet, summary task.Summary, progress task.Progress) (bool, error) {
	for _, b := range []struct {
		statement string
		buffer    **copyBuffer
	}{{copyRows, &l.rows}, {copyRejects, &l.rejects}} {
		if err := l.flush(b.statement, b.buffer); err != nil {
			return false, err
		}
	}
	close(l.full)
	<-l.done
	if l.err != nil {
		return false, l.err
	}
	held, err := l.lastWord(ctx, sheets, summary, progress)
	if err != nil {
		return false, l.explain(ctx, err)
	}
	if !held {
		return false, nil
	}
	return l.commit(ctx)
}

func (l *Load) lastWord(ctx context.Context, sheets []Sheet, summary task.Summary, progress task.Progress) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	tx := Tx{l.tx}
	if err := tx.InsertSheets(ctx, l.claim.TaskID, sheets); err != nil {
		return false, err
	}
	return tx.completeTask(ctx, l.claim, summary, progress)
}

func (l *Load) commit(ctx context.Context) (bool, error) {
	commitCtx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	outcome, err := commitOutcome(l.tx.Commit(commitCtx))
	if outcome != ambiguous {
		return err == nil, err
	}
	done, lookErr := l.db.askCommitted(ctx, l.completed, err)
	if done || lookErr != nil {
		return done, lookErr
	}
	return false, err
}

// completed looks whether this very run completed its task.
func (l *Load) completed(ctx context.Context) (bool, error) {
	var done bool
	err := l.db.pool.QueryRow(ctx, `select exists (select from sheetdrop.task where id = $1 and attempt = $2 and status = 'COMPLETED')`,
		l.claim.TaskID, l.claim.Attempt).Scan(&done)
	return done, err
}

// Rollback ends the transaction without a trace, if it has not ended yet.
func (l *Load) Rollback(ctx context.Context) {
	select {
	case <-l.done:
	default:
		close(l.full)
		<-l.done
	}
	rollback(ctx, l.tx)
}

// KeptRejects are the first rejects of a load, for InsertRejects after its rollback.
func (l *Load) KeptRejects() KeptRejects { return KeptRejects{l.kept} }

// KeptRejects are rejects on their way into a FAILED task.
type KeptRejects struct{ buffer copyBuffer }

// InsertRejects writes kept rejects.
func (t Tx) InsertRejects(ctx context.Context, kept KeptRejects) error {
	if len(kept.buffer.data) == 0 {
		return nil
	}
	// The trailer goes behind a copy of the slice's header: a second try of the transaction must not find two.
	stream := bytes.NewReader(append(slices.Clip(kept.buffer.data), 0xff, 0xff))
	if _, err := t.tx.Conn().PgConn().CopyFrom(ctx, stream, copyRejects); err != nil {
		return fmt.Errorf("write rejects: %w", err)
	}
	return nil
}

// InsertSheets writes what was found of each sheet.
func (t Tx) InsertSheets(ctx context.Context, taskID uuid.UUID, sheets []Sheet) error {
	batch := new(pgx.Batch)
	for _, s := range sheets {
		batch.Queue(`insert into sheetdrop.sheet
  (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, s.ID, taskID, s.Number, s.Name, s.Visible, s.Dialect, s.Columns,
			s.Counts.Read, s.Counts.Loaded, s.Counts.Rejected, s.Counts.Skipped)
	}
	if err := t.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("insert sheets: %w", err)
	}
	return nil
}
