package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Only the server's own ERROR proves that nothing was committed; whatever else is lost on the way must be looked up (P7).
func TestCommitOutcome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want outcome
	}{
		"committed":                    {nil, final},
		"serialization failure":        {reported("ERROR", "40001"), notCommitted},
		"deadlock":                     {reported("ERROR", "40P01"), notCommitted},
		"deferred constraint":          {reported("ERROR", "23505"), final},
		"cancelled by the server":      {reported("ERROR", "57014"), final},
		"answered with ROLLBACK":       {pgx.ErrTxCommitRollback, final},
		"terminated":                   {reported("FATAL", "57P01"), ambiguous},
		"crash of another backend":     {reported("WARNING", "57P02"), ambiguous},
		"server panics":                {reported("PANIC", "53100"), ambiguous},
		"FATAL with a conflict's code": {reported("FATAL", "40001"), ambiguous},
		"no severity":                  {&pgconn.PgError{Severity: "ERROR", Code: "40001"}, ambiguous},
		"connection lost":              {io.ErrUnexpectedEOF, ambiguous},
		"caller gave up":               {context.Canceled, ambiguous},
		"said to be safe to retry":     {safeToRetry{}, ambiguous},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrapped := c.err
			if c.err != nil {
				wrapped = fmt.Errorf("wrapped: %w", c.err)
			}
			got, err := commitOutcome(wrapped)
			if got != c.want {
				t.Errorf("outcome %d, want %d", got, c.want)
			}
			if !errors.Is(err, c.err) {
				t.Errorf("error %v does not tell of %v", err, c.err)
			}
			if errors.Is(err, ErrAmbiguous) != (c.want == ambiguous) {
				t.Errorf("error %v, outcome %d", err, c.want)
			}
		})
	}
}

// A server that starts, stops or cannot be reached is worth waiting for; one that says no to these settings is not.
func TestIsConnectionLoss(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"network":                {io.EOF, true},
		"server is starting":     {reported("FATAL", "57P03"), true},
		"server is stopping":     {reported("FATAL", "57P01"), true},
		"pooler has no server":   {reported("FATAL", "08P01"), true},
		"wrong password":         {reported("FATAL", "28P01"), false},
		"unknown database":       {reported("FATAL", "3D000"), false},
		"statement was refused":  {reported("ERROR", "57014"), false},
		"code that is not known": {reported("FATAL", ""), false},
	} {
		if got := isConnectionLoss(fmt.Errorf("wrapped: %w", c.err)); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func reported(severity, code string) error {
	return &pgconn.PgError{SeverityUnlocalized: severity, Code: code}
}

type safeToRetry struct{}

func (safeToRetry) Error() string     { return "conn closed" }
func (safeToRetry) SafeToRetry() bool { return true }
