package devstack

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// parts is the keeper's configuration of the services (see keeper.js); nil for a service that the environment names.
type parts struct {
	postgres *postgresPart
	azurite  *azuritePart
}

type postgresPart struct {
	Home     string `json:"home"` // folder with bin, lib and share
	Data     string `json:"data"`
	Passfile string `json:"passfile"`       // in the format of libpq's passfile: the superuser's password, readable only by this user
	Port     int    `json:"port,omitempty"` // where it listens, if that is free
	Must     bool   `json:"must,omitempty"` // and nowhere else
	UID      *int   `json:"uid,omitempty"`  // of the user to run as, if different
	GID      *int   `json:"gid,omitempty"`
	Durable  bool   `json:"durable"`
}

type azuritePart struct {
	Script      string `json:"script"`
	Data        string `json:"data"`
	Blob        int    `json:"blob,omitempty"`  // where it listens, if that is free
	Queue       int    `json:"queue,omitempty"` // likewise
	Certificate string `json:"certificate,omitempty"`
	Key         string `json:"key,omitempty"`
}

func (p parts) secureStorage(certificate, key string) {
	if p.azurite != nil {
		p.azurite.Certificate, p.azurite.Key = certificate, key
	}
}

// parts returns the configuration of the installed services with the folders of their data.
func (h *home) parts(run string, in installed) (parts, error) {
	var p parts
	data := run
	if h.durable {
		data = h.dir
	}
	if in.azurite != "" {
		p.azurite = &azuritePart{
			Script: filepath.Join(in.azurite, "dist", "src", "azurite.js"),
			Data:   filepath.Join(data, "azurite"),
		}
		if err := os.MkdirAll(p.azurite.Data, 0o755); err != nil {
			return p, err
		}
	}
	if in.postgres != "" {
		p.postgres = &postgresPart{
			Home:     filepath.Join(in.postgres, "native"),
			Data:     filepath.Join(data, "postgres"),
			Passfile: filepath.Join(data, "postgres.pgpass"),
			Durable:  h.durable,
		}
		removeEmpty(p.postgres.Data)
		if needsOtherUser() {
			if err := p.postgres.useOtherUser(); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// start makes the keeper start these services, waits until they answer and records their addresses.
func (s *Stack) start(ctx context.Context, p parts) error {
	r := request{Action: "start"}
	if p.postgres != nil {
		r.Postgres = p.postgres
	}
	if p.azurite != nil {
		r.Azurite = p.azurite
	}
	ports, err := s.lease.do(ctx, r)
	if err != nil {
		return err
	}
	if p.azurite != nil {
		s.storagePorts = ports
		s.ConnectionString = emulatorConnectionString(ports.Blob, ports.Queue)
		if p.azurite.Certificate != "" {
			s.ConnectionString = strings.ReplaceAll(s.ConnectionString, "=http", "=https")
		}
	}
	if p.postgres != nil {
		s.databasePort = ports.Postgres
		s.DatabaseURL = p.postgres.url(ports.Postgres)
		return ping(ctx, s.DatabaseURL)
	}
	return nil
}

// url refers to the file of the password instead of containing it: so it can be printed, and psql and pgx accept it.
func (p *postgresPart) url(port int) string {
	file := strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(p.Passfile)) // libpq takes + literally
	return fmt.Sprintf("postgres://sheetdrop@127.0.0.1:%d/postgres?sslmode=disable&passfile=%s", port, file)
}

// ping waits for PostgreSQL to answer a query.
func ping(ctx context.Context, databaseURL string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "select 1")
	return err
}

var errNotOurs = errors.New("it is not ours to stop and start: the environment names it")

// StopPostgres stops the server, for tests of an outage: in order, which rolls back open transactions and writes
// everything to disk, or immediately, as a crash would.
func (s *Stack) StopPostgres(ctx context.Context, immediate bool) error {
	if s.parts.postgres == nil {
		return errNotOurs
	}
	mode := "fast"
	if immediate {
		mode = "immediate"
	}
	_, err := s.lease.do(ctx, request{Action: "stop", Postgres: map[string]string{"mode": mode}})
	return err
}

// StartPostgres restarts it on its port, with its data.
func (s *Stack) StartPostgres(ctx context.Context) error {
	if s.parts.postgres == nil {
		return errNotOurs
	}
	return s.start(ctx, parts{postgres: s.parts.postgres})
}

// StopStorage stops the blob and the queue service, in order, because a killed Azurite loses what it has acknowledged.
func (s *Stack) StopStorage(ctx context.Context) error {
	if s.parts.azurite == nil {
		return errNotOurs
	}
	_, err := s.lease.do(ctx, request{Action: "stop", Azurite: struct{}{}})
	return err
}

// StartStorage restarts it on its ports, with its data.
func (s *Stack) StartStorage(ctx context.Context) error {
	if s.parts.azurite == nil {
		return errNotOurs
	}
	return s.start(ctx, parts{azurite: s.parts.azurite})
}

// removeEmpty removes a folder that somebody made beforehand, in which a server would look for data that are not there. One that holds
// anything stays, and so does a link.
func removeEmpty(dir string) {
	if info, err := os.Lstat(dir); err == nil && info.IsDir() {
		_ = os.Remove(dir)
	}
}
