package postgres

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"sheetdrop/internal/postgres/database"
)

const (
	chunkBytes  = 2 << 20 // a chunk is sent once it is this long; one record may lengthen it
	chunksInUse = 3       // one being filled, one being sent, one between them
)

// chunk is rows of one table on their way.
type chunk struct {
	statement string
	buffer    *copyBuffer
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
		l.sent += len(c.buffer.data)
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

// freeDisk is how much room a disk has at least that is not called full. One with less is full for every load, whatever its size.
const freeDisk = 32 << 20

// explain marks an error that came from the connection and not from what was asked of it, and a full disk that was not full before.
func (l *Load) explain(ctx context.Context, err error) error {
	if ctx.Err() == nil && l.tx.Conn().IsClosed() {
		return fmt.Errorf("%w: %w", ErrConnectionLost, err)
	}
	if database.HasState(err, database.DiskFull) && l.sent >= freeDisk {
		return fmt.Errorf("%w: %w", ErrDiskFilled, err)
	}
	return fmt.Errorf("load: %w", err)
}
