//go:build unix

package database_test

import (
	"context"
	"encoding/pem"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres/database"
)

// tokens gives the tokens that a test puts there; an empty one is an identity that gets none.
type tokens struct {
	current atomic.Value
	asked   atomic.Int32
}

func (s *tokens) password(context.Context) (string, error) {
	s.asked.Add(1)
	if token, _ := s.current.Load().(string); token != "" {
		return token, nil
	}
	return "", errors.New("the token endpoint is away")
}

// withTokens opens a database on a server that takes tokens as Azure's does, over TLS and when a connection is made, with one connection.
func withTokens(t *testing.T) (db *database.Pool, superuser *pgx.Conn, source *tokens, stack *devtest.SecureStack) {
	t.Helper()
	stack = devtest.Secure(t)
	stack.RequireTLS(t)
	superuser, err := pgx.Connect(t.Context(), stack.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = superuser.Close(context.Background()) })
	source = &tokens{}
	db, err = database.Open(database.Settings{URL: stack.URL(t, "app", "postgres"), MaxConns: 1, Password: source.password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db, superuser, source, stack
}

// Tokens expire while connections live on: each connection logs in with the token of its moment. Until there is a right one, nothing is
// charged to a task, and then all goes on by itself (P2).
func TestPasswordOfTheMoment(t *testing.T) {
	t.Parallel()
	db, superuser, source, _ := withTokens(t)
	accept := func(token string) {
		if _, err := superuser.Exec(t.Context(), `alter role app password '`+token+`'`); err != nil {
			t.Fatal(err)
		}
	}
	wantFault := func(when string) {
		t.Helper()
		if err := ask(t, db); err == nil || fault.Of(err) != fault.Service {
			t.Errorf("%s: %v, want a service's fault", when, err)
		}
	}
	wantAnswer := func(when string, asked int32) {
		t.Helper()
		if err := ask(t, db); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if got := source.asked.Swap(0); got != asked {
			t.Errorf("%s: %d tokens were asked for, want %d", when, got, asked)
		}
	}
	cut := func() {
		const end = `select coalesce(bool_and(pg_terminate_backend(pid, 5000)), false) from pg_stat_activity where usename = 'app'`
		var ended bool
		if err := superuser.QueryRow(t.Context(), end).Scan(&ended); err != nil || !ended {
			t.Fatalf("end the app's connections: %t, %v", ended, err)
		}
		_ = ask(t, db) // finds its connection dead, or has made another one
		source.asked.Store(0)
	}
	if _, err := superuser.Exec(t.Context(), `create role app login`); err != nil {
		t.Fatal(err)
	}

	wantFault("no token")
	accept("first")
	source.current.Store("wrong")
	wantFault("a wrong token")
	source.asked.Store(0)
	source.current.Store("first")
	wantAnswer("the right token", 1)

	accept("second")
	wantAnswer("the token has expired, the connection has not", 0)
	cut()
	wantFault("an expired token")
	source.asked.Store(0)
	source.current.Store("second")
	wantAnswer("the next token", 1)
}

// An identity that gets no token for a moment costs a transaction a moment.
func TestTransactionAwaitsPassword(t *testing.T) {
	t.Parallel()
	_, superuser, _, stack := withTokens(t)
	if _, err := superuser.Exec(t.Context(), `create role app login password 'token'`); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	second := func(context.Context) (string, error) {
		if asked.Add(1) == 1 {
			return "", errors.New("the token endpoint is away")
		}
		return "token", nil
	}
	db, err := database.Open(database.Settings{URL: stack.URL(t, "app", "postgres"), MaxConns: 1, Password: second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.InTx(t.Context(), nil, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `select 1`)
		return err
	})
	if err != nil || asked.Load() != 2 {
		t.Errorf("%v after %d tokens were asked for, want an end with the second", err, asked.Load())
	}
}

// A token goes to the database that the certificate vouches for and to nobody else: not even asked for where that is not checked, and not
// sent where it is somebody else's.
func TestPasswordIsNotGivenAway(t *testing.T) {
	t.Parallel()
	_, superuser, source, stack := withTokens(t)
	if _, err := superuser.Exec(t.Context(), `create role app login password 'token'`); err != nil {
		t.Fatal(err)
	}
	source.current.Store("token")
	url := stack.URL(t, "app", "postgres")
	for _, mode := range []string{"disable", "allow", "prefer", "require", "verify-ca"} {
		_, err := database.Open(database.Settings{URL: strings.Replace(url, "verify-full", mode, 1), MaxConns: 1, Password: source.password})
		if err == nil || !strings.Contains(err.Error(), "PGSSLMODE") {
			t.Errorf("%s: %v, want a word about PGSSLMODE", mode, err)
		}
	}
	_, err := database.Open(database.Settings{URL: strings.Replace(url, "app@", "app:secret@", 1), MaxConns: 1, Password: source.password})
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "AZURE_CLIENT_ID") {
		t.Errorf("a password besides: %v, want a word about AZURE_CLIENT_ID", err)
	}

	server := httptest.NewTLSServer(nil)
	server.Close()
	other := filepath.Join(t.TempDir(), "other.crt")
	if err := os.WriteFile(other, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	stack.Certificate = other
	db, err := database.Open(database.Settings{URL: stack.URL(t, "app", "postgres"), MaxConns: 1, Password: source.password})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := ask(t, db); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v, want a word about the certificate", err)
	}
}
