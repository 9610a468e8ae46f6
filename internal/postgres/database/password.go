package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// setPassword has a new connection log in with a password that is asked for now, unless password is nil: tokens expire, connections
// outlive them.
func setPassword(ctx context.Context, password func(ctx context.Context) (string, error), c *pgx.ConnConfig) (err error) {
	if password == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, TryTimeout) // the pool's context has no end
	defer cancel()
	if c.Password, err = password(ctx); err != nil {
		return fmt.Errorf("%w: %w", errNoPassword, err)
	}
	return nil
}

// checkForPassword returns an error, for people, where a token would be sent to an unverified server, or a password is configured besides.
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
