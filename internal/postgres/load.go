package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/task"
)

var copyRows = binarycopy.Copy{SQL: `copy sheetdrop.sheet_row (sheet_id, row_no, line, cells) from stdin (format binary)`}

// ErrDiskFilled says that the database's disk was full only once the load had put much onto it.
var ErrDiskFilled = errors.New("the load has filled the database's disk")

// Load is the one transaction that makes a task's rows visible. Rows and rejects are collected and sent in chunks, while the next ones are
// being made; nothing of it can be seen, and nobody waits for it, until Complete. It is not safe for concurrent use.
type Load struct {
	db      *DB
	tx      pgx.Tx
	ended   func() error // BeginLoad's context's
	claim   Claim
	sender  *binarycopy.Sender
	rows    *binarycopy.Buffer
	rejects *binarycopy.Buffer
	kept    binarycopy.Buffer // the first rejects once more, for a task that fails
	keptN   int
	errors  errorNumbers

	target      *CorrectedSheet // of a load of corrections; nil otherwise
	corrections *binarycopy.Buffer
	sheetID     int64   // of corrections that go into a target
	withdrawn   []int64 // rows of that sheet that the target has refused
}

// loadStepTimeout is of one step of a load, after which its connection is given up: one that hangs would never fail by itself.
const loadStepTimeout = time.Minute

// BeginLoad opens the transaction. End it with Complete or Rollback; ctx ends it too.
func (db *DB) BeginLoad(ctx context.Context, claim Claim) (*Load, error) {
	beginCtx, cancel := context.WithTimeout(ctx, loadStepTimeout)
	defer cancel()
	tx, err := db.pool.BeginTx(beginCtx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, fmt.Errorf("begin load: %w", err)
	}
	return &Load{
		db: db, tx: tx, ended: ctx.Err, claim: claim, sender: binarycopy.NewSender(ctx, tx.Conn().PgConn(), loadStepTimeout),
		rows: new(binarycopy.Buffer), rejects: new(binarycopy.Buffer),
	}, nil
}

// NewSheetID takes an id for a sheet's rows from the sequence, outside of the transaction, which may be busy.
func (l *Load) NewSheetID(ctx context.Context) (int64, error) {
	return l.nextID(ctx, `select nextval('sheetdrop.sheet_id')`)
}

// NewLoadID takes an id for a load into a target, likewise.
func (l *Load) NewLoadID(ctx context.Context) (int64, error) {
	return l.nextID(ctx, `select nextval('sheetdrop.load_id')`)
}

func (l *Load) nextID(ctx context.Context, sql string) (id int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, loadStepTimeout)
	defer cancel()
	if err = l.db.pool.QueryRow(ctx, sql).Scan(&id); err != nil {
		err = fmt.Errorf("take an id: %w", err)
	}
	return id, err
}

// Row adds a row; line 0 stands for none. cells may be used again after the call.
func (l *Load) Row(sheetID, rowNo, line int64, cells [][]byte) error {
	b := l.rows
	b.Row(4)
	b.Int64(sheetID)
	b.Int64(rowNo)
	b.OptionalInt64(line, line > 0)
	b.TextArray(cells)
	return l.explain(l.sender.SendIfFull(copyRows, &l.rows))
}

// SQL is the load's transaction, for statements before Complete. It is free from a Flush until the next row or reject.
func (l *Load) SQL() pgx.Tx { return l.tx }

// Tx is the same, for what packages do in their transactions.
func (l *Load) Tx() Tx { return Tx{tx: l.tx} }

// TaskID is the task's whose load it is.
func (l *Load) TaskID() uuid.UUID { return l.claim.TaskID }

// CopyIfFull sends rows of another table, once there are enough of them.
func (l *Load) CopyIfFull(to binarycopy.Copy, rows **binarycopy.Buffer) error {
	return l.explain(l.sender.SendIfFull(to, rows))
}

// Flush sends what is left of rows for another table, and waits until the server has all that was sent.
func (l *Load) Flush(to binarycopy.Copy, rows **binarycopy.Buffer) error {
	err := l.sender.Send(to, rows)
	if err == nil {
		err = l.sender.Flush()
	}
	return l.explain(err)
}

// Explain marks the error of a statement of the load as Complete does.
func (l *Load) Explain(err error) error { return l.explain(err) }

// Complete sends what is left, writes the sheets and, as the last word, makes the task COMPLETED, and commits. false means that the claim
// no longer holds the task and that nothing was written. hash is stored as the file's SHA-256 unless it is nil. An ambiguous COMMIT is
// looked up; an error that wraps ErrAmbiguous is returned only if it is not found.
func (l *Load) Complete(
	ctx context.Context, sheets iter.Seq2[Sheet, error], summary task.Summary, progress task.Progress, hash []byte,
) (bool, error) {
	_ = l.sender.Send(copyRows, &l.rows) // Close returns its error
	_ = l.sender.Send(copyRejects, &l.rejects)
	if l.corrections != nil {
		_ = l.sender.Send(copyCorrections, &l.corrections)
	}
	if err := l.sender.Close(); err != nil {
		return false, l.explain(err)
	}
	held, err := l.lastWord(ctx, sheets, summary, progress, hash)
	if err != nil {
		return false, l.explain(err)
	}
	if !held {
		return false, nil
	}
	err = l.db.pool.CommitOnce(ctx, l.tx, loadStepTimeout, l.completed)
	return err == nil, err
}

func (l *Load) lastWord(
	ctx context.Context, sheets iter.Seq2[Sheet, error], summary task.Summary, progress task.Progress, hash []byte,
) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, loadStepTimeout)
	defer cancel()
	tx := Tx{tx: l.tx}
	if l.target != nil {
		if err := tx.lockTarget(ctx, l.target); err != nil {
			return false, err
		}
	}
	if err := tx.StoreHash(ctx, l.claim.TaskID, hash); err != nil {
		return false, err
	}
	if len(l.withdrawn) > 0 {
		if err := tx.withdraw(ctx, l.sheetID, l.withdrawn); err != nil {
			return false, err
		}
	}
	if l.target != nil {
		again, err := tx.correctSheet(ctx, l.claim.TaskID, l.target)
		if err != nil {
			return false, err
		}
		sheets = skipping(sheets, again, &summary)
	}
	if err := tx.InsertSheets(ctx, l.claim.TaskID, sheets); err != nil {
		return false, err
	}
	return tx.completeTask(ctx, l.claim, summary, progress)
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
	_ = l.sender.Close()
	database.Rollback(ctx, l.tx)
}

// minFreeDisk is how much room a disk has at least that is not called full. One with less is full for every load, whatever its size.
const minFreeDisk = 32 << 20

// explain marks an error that came from the connection and not from what was asked of it, and a full disk that was not full before.
func (l *Load) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case l.ended() == nil && l.tx.Conn().IsClosed():
		return fmt.Errorf("%w: %w", ErrConnectionLost, err)
	case database.HasState(err, database.DiskFull) && l.sender.Sent() >= minFreeDisk:
		return fmt.Errorf("%w: %w", ErrDiskFilled, err)
	default:
		return fmt.Errorf("load: %w", err)
	}
}
