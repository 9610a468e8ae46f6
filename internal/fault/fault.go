// Package fault decides what is at fault for an error, in one closed table for everybody who has to act on it: the API,
// which answers 503 or 500; the relay, which tries a message again or gives it up; and the worker, which counts the
// attempt or does not.
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

// Side is what is at fault for an error.
type Side int

// Only errors of Message and Ours may be counted against a limit, because the same call would fail again.
const (
	Unknown Side = iota // not in the table: log it, and try again without counting
	Service             // transient: a service, or the connection to it; the same call may succeed later
	Message             // what was sent: it will be rejected again
	Ours                // internal: the program, or the machine it runs on
)

// Of classifies an error. An error that was marked with a side keeps it, whatever it wraps.
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

// IsCounted reports that trying again will probably not help, so that attempts are limited.
func IsCounted(err error) bool { return Of(err) == Message || Of(err) == Ours }

// New returns an error of the given side.
func New(side Side, text string) error { return Mark(side, errors.New(text)) }

// Mark wraps an error so that Of returns the given side.
func Mark(side Side, err error) error { return &marked{err, side} }

type marked struct {
	error

	side Side
}

func (m *marked) Unwrap() error { return m.error }

// isNetwork reports whether err is that of a connection: refused, lost, closed before anything was sent, or timed out.
// Failed system calls on files are not, although their errno can be a timeout too.
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
