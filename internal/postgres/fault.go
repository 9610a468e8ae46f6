package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// IsServiceFault reports that the database, or the way to it, is to blame and that the same may go well later. The list is closed:
// a lost or refused connection, one that was found closed when it was to be used, a password that is not to be had, a time-out, an
// ambiguous commit, and the SQLSTATE classes 08 (connection), 28 (login refused, as with an expired token), 40 (rollback), 53 (resources),
// 57 (operator intervention) and 55P03 (lock not available). A connection that the server ended is a lost one whatever reason it gave.
func IsServiceFault(err error) bool {
	if errors.Is(err, ErrConnectionLost) || errors.Is(err, ErrAmbiguous) || errors.Is(err, ErrNoPassword) {
		return true
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		isClass := func(class string) bool { return strings.HasPrefix(pgErr.Code, class) }
		return slices.ContainsFunc([]string{"08", "28", "40", "53", "57"}, isClass) || pgErr.Code == "55P03"
	}
	if pgconn.SafeToRetry(err) && !errors.Is(err, context.Canceled) { // a pooled connection that was closed before anything was sent
		return true
	}
	var connectErr *pgconn.ConnectError
	var netErr net.Error // which context.DeadlineExceeded is, too
	return errors.As(err, &connectErr) || errors.As(err, &netErr) || errors.Is(err, io.ErrUnexpectedEOF)
}
