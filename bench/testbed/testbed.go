// Package testbed is what comparisons run on: PostgreSQL with stock settings and Azurite, both with their data on disk, the handler with
// and without a host, and files to load.
package testbed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/bench/meter"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/postgres/migrate"
)

// Options say how large a testbed's comparisons are.
type Options struct {
	Quick   bool                             // small work, for whether it is right and not for how fast it is
	Huge    bool                             // also what takes an hour
	Percent int                              // of the usual work
	Before  string                           // a handler of an older version; "" is none
	Log     func(format string, args ...any) // never nil
}

// Testbed is the running servers, and a folder for what comparisons need. Close ends it all.
type Testbed struct {
	Options
	Meter *meter.Meter
	Root  string // the checkout
	Dir   string

	stack    *devstack.Stack
	programs programs
	names    atomic.Int64
}

// Open starts the servers, with their data in a folder that Close removes.
func Open(ctx context.Context, o Options) (*Testbed, error) {
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sheetdrop-bench-")
	if err != nil {
		return nil, err
	}
	s := &Testbed{Options: o, Meter: new(meter.Meter), Root: root, Dir: dir}
	if err := os.Chmod(dir, 0o755); err != nil { // the server may run as another user
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if s.stack, err = devstack.Open(ctx, devstack.Options{Dir: filepath.Join(dir, "data"), Log: o.Log}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.measureServers(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close ends the servers and removes their data.
func (s *Testbed) Close() error { return errors.Join(s.stack.Close(), os.RemoveAll(s.Dir)) }

// Size is how much work there is: less of it in a quick run.
func (s *Testbed) Size(full, quick int) int {
	if s.Quick {
		return quick
	}
	return max(quick, full*s.Percent/100)
}

// checkout returns the folder of host.json, at or above the working folder.
func checkout() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, statErr := os.Stat(filepath.Join(dir, "host.json")); statErr == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not in a checkout of sheetdrop: no host.json in this folder or above it")
		}
		dir = parent
	}
	return "", err
}

// measureServers has the processes of PostgreSQL and Azurite measured, which the stack's folder names; servers of the environment are not
// this machine's.
func (s *Testbed) measureServers() error {
	text, err := os.ReadFile(filepath.Join(s.Dir, "data", "stack.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("the environment names a server (DATABASE_URL, PGHOST, PGPORT, PGSERVICE or DATA_STORAGE): benchmarks need their own")
	}
	var state struct {
		Parts []struct {
			PID  int
			Mark string
		}
	}
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		return fmt.Errorf("read the servers' processes: %w", err)
	}
	for _, part := range state.Parts {
		s.Meter.Add(filepath.Base(part.Mark), part.PID) // their folders are called postgres and azurite
	}
	return nil
}

// name returns a new name that is valid for a database, a container and a queue.
func (s *Testbed) name() string { return "bench-" + strconv.FormatInt(s.names.Add(1), 10) }

// App is a database with sheetdrop's schema, a container and a queue, of its own.
type App struct {
	URL     string // of the database
	Storage azure.Settings
	SQL     *pgxpool.Pool // for the benchmark itself

	testbed *Testbed
}

// NewApp makes an app's parts.
func (s *Testbed) NewApp(ctx context.Context) (*App, error) {
	address, err := s.NewDatabase(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := migrate.Up(ctx, address); err != nil {
		return nil, err
	}
	storage, err := s.NewStorage(ctx)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.New(ctx, address)
	if err != nil {
		return nil, err
	}
	return &App{URL: address, Storage: storage, SQL: pool, testbed: s}, nil
}

// EmptyStorage deletes the blobs and the messages, which nobody needs any more. Azurite sorts the index of all blobs, and looks through all
// messages of all queues, for nearly every call: what one run leaves would slow the next ones, as a real store does not.
func EmptyStorage(ctx context.Context, s azure.Settings) error {
	queue, err := azqueue.NewQueueClientFromConnectionString(s.Connection, s.Queue, nil)
	if err != nil {
		return err
	}
	blobs, err := container.NewClientFromConnectionString(s.Connection, s.Container, nil)
	if err != nil {
		return err
	}
	if _, err := queue.ClearMessages(ctx, nil); err != nil {
		return err
	}
	if _, err := blobs.Delete(ctx, nil); err != nil {
		return err
	}
	_, err = blobs.Create(ctx, nil)
	return err
}

// Drop removes the database and what is stored. The empty container and queue go with the testbed.
func (a *App) Drop() {
	if err := EmptyStorage(context.Background(), a.Storage); err != nil {
		a.testbed.Log("blobs or messages are left: %v", err)
	}
	a.SQL.Close()
	a.testbed.Drop(a.URL)
}

// NewDatabase makes an empty database and returns its address.
func (s *Testbed) NewDatabase(ctx context.Context) (string, error) {
	name := s.name()
	if err := s.execute(ctx, `create database `+pgx.Identifier{name}.Sanitize()); err != nil {
		return "", fmt.Errorf("create a database: %w", err)
	}
	address, err := url.Parse(s.stack.DatabaseURL)
	if err != nil {
		return "", err
	}
	address.Path = "/" + name
	return address.String(), nil
}

// Drop removes a database, and whoever is still connected to it.
func (s *Testbed) Drop(address string) {
	parsed, err := url.Parse(address)
	if err == nil {
		name := pgx.Identifier{strings.TrimPrefix(parsed.Path, "/")}.Sanitize()
		err = s.execute(context.Background(), `drop database if exists `+name+` with (force)`)
	}
	if err != nil {
		s.Log("a database is left: %v", err)
	}
}

// execute runs a statement outside of the comparisons' databases, so that their counts do not have it.
func (s *Testbed) execute(ctx context.Context, sql string) error {
	conn, err := pgx.Connect(ctx, s.stack.DatabaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

// LogPosition is how many bytes the server has written to its log (WAL) so far.
func (s *Testbed) LogPosition(ctx context.Context) (position float64, err error) {
	conn, err := pgx.Connect(ctx, s.stack.DatabaseURL)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8`).Scan(&position)
	return position, err
}

// Checkpoint has the server write down all that is dirty, so that a run does not pay for the one before.
func (s *Testbed) Checkpoint(ctx context.Context) error { return s.execute(ctx, `checkpoint`) }

// NewStorage makes an empty container and an empty queue.
func (s *Testbed) NewStorage(ctx context.Context) (azure.Settings, error) {
	name := s.name()
	storage := azure.Settings{Connection: s.stack.ConnectionString, Container: name, Queue: name}
	return storage, azure.Provision(ctx, storage)
}
