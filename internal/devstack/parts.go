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

// parts is what the keeper is told to start, in its words (see keeper.js); nil for a part that the environment names.
type parts struct {
	postgres *postgresPart
	azurite  *azuritePart
}

type postgresPart struct {
	Home     string `json:"home"` // folder with bin, lib and share
	Data     string `json:"data"`
	Passfile string `json:"passfile"`      // what libpq calls so: the superuser's password, for us alone to read
	UID      *int   `json:"uid,omitempty"` // of the user to run as, if that is another
	GID      *int   `json:"gid,omitempty"`
	Durable  bool   `json:"durable"`
}

type azuritePart struct {
	Script      string `json:"script"`
	Data        string `json:"data"`
	Certificate string `json:"certificate,omitempty"`
	Key         string `json:"key,omitempty"`
}

func (p parts) secureStorage(certificate, key string) {
	if p.azurite != nil {
		p.azurite.Certificate, p.azurite.Key = certificate, key
	}
}

// parts describes the installed parts with the folders of their data.
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
		if needsOtherUser() {
			if err := p.postgres.useOtherUser(); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// start has the keeper start these parts, waits until they answer and notes where.
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
		s.ConnectionString = emulatorConnectionString(ports.Blob, ports.Queue)
		if p.azurite.Certificate != "" {
			s.ConnectionString = strings.ReplaceAll(s.ConnectionString, "=http", "=https")
		}
	}
	if p.postgres != nil {
		s.DatabaseURL = p.postgres.url(ports.Postgres)
		return ping(ctx, s.DatabaseURL)
	}
	return nil
}

// url names the file with the password in its place: so it can be shown, and psql and pgx take it as it is.
func (p *postgresPart) url(port int) string {
	file := strings.NewReplacer("+", "%20", "%2F", "/").Replace(url.QueryEscape(p.Passfile)) // libpq takes + for itself
	return fmt.Sprintf("postgres://sheetdrop@127.0.0.1:%d/postgres?sslmode=disable&passfile=%s", port, file)
}

// ping has PostgreSQL answer a query.
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

// StopPostgres stops the server, for tests of what happens then: with open transactions rolled back and all written
// out, or immediate, as a crash would leave it.
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

// StartPostgres starts it again on its port, with its data.
func (s *Stack) StartPostgres(ctx context.Context) error {
	if s.parts.postgres == nil {
		return errNotOurs
	}
	return s.start(ctx, parts{postgres: s.parts.postgres})
}

// StopStorage stops the blob and the queue service, in order, since Azurite loses what it has acknowledged when it is
// killed.
func (s *Stack) StopStorage(ctx context.Context) error {
	if s.parts.azurite == nil {
		return errNotOurs
	}
	_, err := s.lease.do(ctx, request{Action: "stop", Azurite: struct{}{}})
	return err
}

// StartStorage starts it again on its ports, with its data.
func (s *Stack) StartStorage(ctx context.Context) error {
	if s.parts.azurite == nil {
		return errNotOurs
	}
	return s.start(ctx, parts{azurite: s.parts.azurite})
}
