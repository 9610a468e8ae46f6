// Package pgtest is the database as tests see it: the program's own access to a fresh database, and plain SQL beside it to arrange a
// state and to look at what came out.
package pgtest

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Database is a database of the test's own, with all migrations.
type Database struct {
	*postgres.DB
	URL string
	sql *pgxpool.Pool
}

// New makes a database and opens it.
func New(t testing.TB) *Database {
	t.Helper()
	return NewOn(t, devtest.Shared(t))
}

// NewOn makes a database like New, on a stack that the test has opened.
func NewOn(t testing.TB, stack *devstack.Stack) *Database {
	t.Helper()
	return open(t, devtest.DatabaseOn(t, stack))
}

// NewEmpty makes a database without migrations.
func NewEmpty(t testing.TB) *Database {
	t.Helper()
	return open(t, devtest.EmptyDatabase(t))
}

// NewEmptyOn makes a database like NewEmpty, on a stack that the test has opened.
func NewEmptyOn(t testing.TB, stack *devstack.Stack) *Database {
	t.Helper()
	return open(t, devtest.EmptyDatabaseOn(t, stack))
}

// Copy makes a database like this one is now, whose sessions are ended.
func (d *Database) Copy(t testing.TB) *Database {
	t.Helper()
	copied := open(t, devtest.CopyOf(t, d.URL))
	d.sql.Reset()
	return copied
}

func open(t testing.TB, url string) *Database {
	t.Helper()
	sql, err := pgxpool.New(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sql.Close)
	return &Database{DB: Open(t, url), URL: url, sql: sql}
}

// Open returns the program's access to a database, for a test that needs it a second time or through a proxy.
func Open(t testing.TB, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Settings{URL: url, MaxConns: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// Exec runs a statement and returns how many rows it changed.
func (d *Database) Exec(t testing.TB, sql string, args ...any) int64 {
	t.Helper()
	tag, err := d.sql.Exec(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return tag.RowsAffected()
}

// Query returns the only value of a query.
func Query[T any](t testing.TB, d *Database, sql string, args ...any) T {
	t.Helper()
	rows, err := d.sql.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// Await waits until a query returns true; no row and NULL do not count.
func (d *Database) Await(t testing.TB, sql string, args ...any) {
	t.Helper()
	await.Until(t, fmt.Sprint(sql, " ", args), func() bool {
		return Query[bool](t, d, `select coalesce((`+sql+`), false)`, args...)
	})
}

// Begin opens a transaction of the test's own, which is rolled back at its end.
func (d *Database) Begin(t testing.TB) pgx.Tx {
	t.Helper()
	tx, err := d.sql.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return tx
}

// AddUpload commits a file with its task and its message, as an upload does. change may alter it first.
func (d *Database) AddUpload(t testing.TB, change ...func(*postgres.Upload)) postgres.Upload {
	t.Helper()
	u := NewUpload(change...)
	err := d.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		now, err := d.Now(ctx)
		if err != nil {
			return err
		}
		inserted, err := tx.InsertUploads(ctx, []postgres.Upload{u}, now, time.Hour)
		if err == nil && len(inserted) != 1 {
			t.Errorf("%d uploads written, want 1", len(inserted))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// AddSentUpload commits a file with its task as AddUpload does, but nobody will send its message.
func (d *Database) AddSentUpload(t testing.TB, change ...func(*postgres.Upload)) postgres.Upload {
	t.Helper()
	u := NewUpload(change...)
	f := u.File
	d.Exec(t, `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no) values ($1, $2, $3, $4, $5, $6, $7, $8)
)
insert into sheetdrop.task (id, source_file_id, owner, options) values ($9, $1, $2, $10)`,
		f.ID, f.Owner, f.Name, f.MediaType, f.SizeBytes, f.SHA256[:], f.BlobName, f.PartNo, u.TaskID, u.Options)
	return u
}

// NewUpload makes a file with its task and its message, which nobody has committed.
func NewUpload(change ...func(*postgres.Upload)) postgres.Upload {
	file := task.NewID()
	u := postgres.Upload{
		File: task.SourceFile{
			ID: file, Owner: "local", Name: "list.csv", MediaType: "text/csv", SizeBytes: 1, BlobName: "2026/01/01/" + file.String(), PartNo: 1,
			SHA256: [32]byte{1},
		},
		TaskID: task.NewID(), MessageID: task.NewID(), Options: []byte(`{}`),
	}
	for _, c := range change {
		c(&u)
	}
	return u
}

// ReadOnly has the server refuse to write, or ends that, for all connections to the database from now on: open ones stay as they are.
func (d *Database) ReadOnly(t testing.TB, readOnly bool) {
	t.Helper()
	config, err := pgx.ParseConfig(d.URL)
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["default_transaction_read_only"] = "off"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	sql := fmt.Sprintf(`alter database %s set default_transaction_read_only = %t`, pgx.Identifier{config.Database}.Sanitize(), readOnly)
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Sheets returns sheets as a load takes them.
func Sheets(list ...postgres.Sheet) iter.Seq2[postgres.Sheet, error] {
	return func(yield func(postgres.Sheet, error) bool) {
		for _, s := range list {
			if !yield(s, nil) {
				return
			}
		}
	}
}
