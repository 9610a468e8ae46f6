package fault_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/fault"
)

// The log has neither what a user's cell was, nor what somebody's trigger says of it, but all other messages.
func TestTextForTheLog(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"22P02": "copy: ERROR: (not logged) (SQLSTATE 22P02)", "23505": "copy: ERROR: (not logged) (SQLSTATE 23505)",
		"P0001": "copy: ERROR: (not logged) (SQLSTATE P0001)", "25006": "copy: ERROR: about a cell (SQLSTATE 25006)",
	} {
		err := fmt.Errorf("copy: %w", &pgconn.PgError{Severity: "ERROR", Code: code, Message: "about a cell"})
		if got := fault.Text(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Nobody has to act while a service is away for which the call is repeated.
func TestLevelOfAnError(t *testing.T) {
	t.Parallel()
	if fault.Level(fmt.Errorf("read: %w", io.ErrUnexpectedEOF)) != slog.LevelWarn || fault.Level(errors.New("who knows")) != slog.LevelError {
		t.Error("a service that is away is a warning, all else an error")
	}
}
