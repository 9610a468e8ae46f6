package database

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/fault"
)

// ErrAmbiguous says that COMMIT was sent, its answer was lost, and nobody could say whether it took effect.
var ErrAmbiguous = fault.New(fault.Service, "the outcome of the commit is unknown")

// ErrConnectionLost says that the connection broke before COMMIT was sent: nothing of the transaction has taken effect.
var ErrConnectionLost = fault.New(fault.Service, "connection to the database lost")

// errNoPassword says that Settings.Password returned none.
var errNoPassword = fault.New(fault.Service, "no password for the database")

// The SQLSTATEs that sheetdrop looks for. Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	SerializationFailure = "40001"
	DeadlockDetected     = "40P01"
	UndefinedTable       = "42P01"
	WrongObjectType      = "42809"
	DependentObjects     = "2BP01"
	DiskFull             = "53100"
	LockNotAvailable     = "55P03"
)

// InsufficientPrivilege is the SQLSTATE of a right that somebody has not.
const InsufficientPrivilege = "42501"

// HasState reports whether the server reported an error with that SQLSTATE.
func HasState(err error, state string) bool {
	pgErr, reported := errors.AsType[*pgconn.PgError](err)
	return reported && pgErr.Code == state
}

// isConflict reports the two errors with which the server itself asks for another try.
func isConflict(err error) bool {
	return HasState(err, SerializationFailure) || HasState(err, DeadlockDetected)
}

// isConnectionLoss reports that the server could not be reached, or ended the connection for reasons of its own.
func isConnectionLoss(err error) bool {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.SeverityUnlocalized == "FATAL" && (strings.HasPrefix(pgErr.Code, "57") || strings.HasPrefix(pgErr.Code, "08"))
	}
	return true
}
