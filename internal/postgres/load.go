package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/task"
)

const copyRows = `copy sheetdrop.sheet_row (sheet_id, row_no, line, cells) from stdin (format binary)`

// ErrConnectionLost says that the load's connection broke before COMMIT was sent: nothing of it is there.
var ErrConnectionLost = fault.New(fault.Service, "connection to the database lost")

// ErrDiskFilled says that the database's disk was full only once the load had put much onto it.
var ErrDiskFilled = errors.New("the load has filled the database's disk")

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
	errors  errorNumbers
	sent    int // bytes that the server has taken
	full    chan chunk
	free    chan *copyBuffer
	failed  chan struct{} // closed when err is set
	err     error
	done    chan struct{}
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

// Complete sends what is left, writes the sheets and, as the last word, makes the task COMPLETED, and commits. false means that the claim
// no longer holds the task and that nothing was written. hash is the file's, unless it is nil, for a file without one. An ambiguous COMMIT is looked up; ErrAmbiguous comes back only if it is not found.
func (l *Load) Complete(ctx context.Context, sheets iter.Seq2[Sheet, error], summary task.Summary, progress task.Progress, hash []byte) (bool, error) {
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
	held, err := l.lastWord(ctx, sheets, summary, progress, hash)
	if err != nil {
		return false, l.explain(ctx, err)
	}
	if !held {
		return false, nil
	}
	return l.commit(ctx)
}

func (l *Load) lastWord(ctx context.Context, sheets iter.Seq2[Sheet, error], summary task.Summary, progress task.Progress, hash []byte) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	tx := Tx{l.tx}
	if err := tx.StoreHash(ctx, l.claim.TaskID, hash); err != nil {
		return false, err
	}
	if err := tx.InsertSheets(ctx, l.claim.TaskID, sheets); err != nil {
		return false, err
	}
	return tx.completeTask(ctx, l.claim, summary, progress)
}

func (l *Load) commit(ctx context.Context) (bool, error) {
	outcome, err := l.db.commit(ctx, l.tx, stepPatience)
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
