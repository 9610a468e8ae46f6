// Package fault says whose fault an error is, in one closed table for everybody who has to decide what follows: the API, which answers 503
// or 500, the relay, which tries a message again or gives it up, and the worker, which counts a run against its task or does not.
package fault

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/url"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/jackc/pgx/v5/pgconn"
)

// Side is whose fault an error is.
type Side int

// Only Message and Ours may ever be counted, since the same would fail again.
const (
	Unknown Side = iota // not in the table: log it, and try again without counting
	Service             // a service, or the way to it: the same may go well later
	Message             // what was sent: it will be refused again
	Ours                // the program, or the machine it runs on
)

// Of looks an error up. What was marked with a side keeps it, whatever it wraps.
func Of(err error) Side {
	if m, ok := errors.AsType[*marked](err); ok {
		return m.side
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return ofSQLState(e.Code)
	}
	if e, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return ofAnswer(e.StatusCode, e.ErrorCode)
	}
	if isNetwork(err) {
		return Service
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return ofFile(e)
	}
	return Unknown
}

// IsCounted reports that trying again will not help: the next tries are numbered.
func IsCounted(err error) bool { return Of(err) == Message || Of(err) == Ours }

// New makes an error of a side.
func New(side Side, text string) error { return Mark(side, errors.New(text)) }

// Mark gives an error a side.
func Mark(side Side, err error) error { return &marked{err, side} }

type marked struct {
	error

	side Side
}

func (m *marked) Unwrap() error { return m.error }

// isNetwork reports an error of a connection: refused, lost, found closed before anything was sent, or too slow. A system call on a file is
// none, though its errno, too, knows of time-outs.
func isNetwork(err error) bool {
	for _, of := range []any{new(*pgconn.ConnectError), new(*net.OpError), new(*net.DNSError), new(*url.Error)} {
		if errors.As(err, of) && !errors.Is(err, context.Canceled) {
			return true
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
		return true
	}
	return pgconn.SafeToRetry(err) && !errors.Is(err, context.Canceled)
}
