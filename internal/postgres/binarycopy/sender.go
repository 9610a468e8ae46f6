package binarycopy

import (
	"bytes"
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/tracing"
)

const (
	chunkBytes  = 2 << 20 // a buffer is sent once it is this long; one record may lengthen it
	chunksInUse = 3       // one being filled, one being sent, one between them
)

// Copy is where rows go.
type Copy struct {
	SQL  string // the COPY statement
	Role string // that writes them, a word without quotes; "": the connection's own
}

// chunk is rows of one table on their way.
type chunk struct {
	to     Copy
	buffer *Buffer
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
	var span tracing.Span // of all that is copied, from the first chunk on
	begun := false
	defer func() {
		if begun {
			span.Set(tracing.Count("copy.bytes", int64(s.sent)))
			span.End(s.err)
		}
	}()
	for c := range s.full {
		if !begun {
			_, span = tracing.Start(ctx, "COPY", tracing.Client, tracing.Copy()...)
			begun = true
		}
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
	if c.to.Role == "" {
		_, err := s.conn.CopyFrom(ctx, bytes.NewReader(c.buffer.data), c.to.SQL)
		return err
	}
	if err := s.conn.Exec(ctx, "set local role "+c.to.Role).Close(); err != nil {
		return err
	}
	if _, err := s.conn.CopyFrom(ctx, bytes.NewReader(c.buffer.data), c.to.SQL); err != nil {
		return err // the role ends with the transaction
	}
	return s.conn.Exec(ctx, "set local role none").Close()
}

// SendIfFull sends a buffer that is long enough, as Send does.
func (s *Sender) SendIfFull(to Copy, b **Buffer) error {
	if (*b).Len() < chunkBytes {
		return nil
	}
	return s.Send(to, b)
}

// Send takes a buffer to be copied, and puts an empty one in its place. An error is that of the copy that failed.
func (s *Sender) Send(to Copy, b **Buffer) error {
	if (*b).Len() == 0 {
		return nil
	}
	(*b).end()
	select {
	case s.full <- chunk{to, *b}:
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

// Flush waits until what was sent has been copied: the connection is then free, until the next Send. An error is that of the copy that
// failed.
func (s *Sender) Flush() error {
	idle := make([]*Buffer, 0, chunksInUse-1)
	for range cap(idle) {
		select {
		case b := <-s.free:
			idle = append(idle, b)
		case <-s.failed:
			return s.err
		}
	}
	for _, b := range idle {
		s.free <- b
	}
	return nil
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
