package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/fault"
)

// ErrNoPassword says that Settings.Password had none to give.
var ErrNoPassword = fault.New(fault.Service, "no password for the database")

// askPassword has a new connection log in with a password of that moment, where there is somebody to ask: tokens expire, connections
// outlive them.
func askPassword(ctx context.Context, password func(ctx context.Context) (string, error), c *pgx.ConnConfig) (err error) {
	if password == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, tryTimeout) // the pool's context has no end
	defer cancel()
	if c.Password, err = password(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNoPassword, err)
	}
	return nil
}

// checkForPassword says in words what would give a token away, or is given besides it.
func checkForPassword(c *pgx.ConnConfig) error {
	if c.Password != "" {
		return errors.New("AZURE_CLIENT_ID asks for tokens in place of a password, and there is a password: leave one of them out")
	}
	safe := c.TLSConfig != nil && !c.TLSConfig.InsecureSkipVerify
	for _, other := range c.Fallbacks {
		safe = safe && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
	}
	if !safe {
		return errors.New("PGSSLMODE must be verify-full: a token goes to nobody but the database")
	}
	return nil
}
