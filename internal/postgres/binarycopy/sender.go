package binarycopy

import (
	"bytes"
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	chunkBytes  = 2 << 20 // a buffer is sent once it is this long; one record may lengthen it
	chunksInUse = 3       // one being filled, one being sent, one between them
)

// chunk is rows of one table on their way.
type chunk struct {
	statement string
	buffer    *Buffer
}

// Sender copies buffers over one connection while the next ones are being filled. It is not safe for concurrent use.
type Sender struct {
	conn    *pgconn.PgConn
	timeout time.Duration
	sent    int // bytes that the server has taken
	full    chan chunk
	free    chan *Buffer
	failed  chan struct{} // closed when err is set
	err     error
	done    chan struct{}
	closed  bool
}

// NewSender makes a sender over a connection that nobody else uses until Close. The timeout is of one chunk: a connection that hangs would
// never fail by itself. The end of ctx makes it fail.
func NewSender(ctx context.Context, conn *pgconn.PgConn, timeout time.Duration) *Sender {
	s := &Sender{
		conn: conn, timeout: timeout, full: make(chan chunk), free: make(chan *Buffer, chunksInUse),
		failed: make(chan struct{}), done: make(chan struct{}),
	}
	for range chunksInUse - 1 {
		s.free <- new(Buffer)
	}
	go s.run(ctx)
	return s
}

// run copies full chunks until there are no more, or until one fails.
func (s *Sender) run(ctx context.Context) {
	defer close(s.done)
	for c := range s.full {
		if err := s.copy(ctx, c); err != nil {
			s.err = err
			close(s.failed)
			return
		}
		s.sent += c.buffer.Len()
		c.buffer.reset()
		s.free <- c.buffer
	}
}

func (s *Sender) copy(ctx context.Context, c chunk) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	_, err := s.conn.CopyFrom(ctx, bytes.NewReader(c.buffer.data), c.statement)
	return err
}

// SendIfFull sends a buffer that is long enough, as Send does.
func (s *Sender) SendIfFull(statement string, b **Buffer) error {
	if (*b).Len() < chunkBytes {
		return nil
	}
	return s.Send(statement, b)
}

// Send takes a buffer to be copied by the statement, and puts an empty one in its place. An error is that of the copy that failed.
func (s *Sender) Send(statement string, b **Buffer) error {
	if (*b).Len() == 0 {
		return nil
	}
	(*b).end()
	select {
	case s.full <- chunk{statement, *b}:
	case <-s.failed:
		return s.err
	}
	select {
	case *b = <-s.free:
		return nil
	case <-s.failed:
		return s.err
	}
}

// Close waits until everything has been sent, and returns the error of the copy that failed. It may be called again.
func (s *Sender) Close() error {
	if !s.closed {
		s.closed = true
		close(s.full)
	}
	<-s.done
	return s.err
}

// Sent is how many bytes the server has taken; it is for after an error, or Close.
func (s *Sender) Sent() int { return s.sent }
