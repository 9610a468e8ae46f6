package database_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/pgtest"
)

// waits counts the sessions whose commit waits for a synchronous standby.
const waits = `select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'`

// An upload is promised only once the synchronous standby has it: what the primary alone has is lost in a failover (P1). Whatever ends the
// wait of its COMMIT, nobody hears of success before, and there is one file in the end.
func TestAnUploadIsPromisedOnlyOnceTheStandbyHasIt(t *testing.T) {
	t.Parallel()
	t.Run("in a transaction", func(t *testing.T) { t.Parallel(); testPromise(t, inTransaction) })
	t.Run("in a statement", func(t *testing.T) { t.Parallel(); testPromise(t, inStatement) })
}

func testPromise(t *testing.T, way way) {
	t.Helper()
	f := pgtest.NewOn(t, devtest.Private(t))
	waitForStandby(t, f)
	for name, endWait := range map[string]func(proxy *pgproxy.Proxy){
		"the answer is late":    func(*pgproxy.Proxy) {}, // by SetTryTimeout below
		"the connection breaks": func(proxy *pgproxy.Proxy) { proxy.Cut() },
		"an operator cancels the statement": func(*pgproxy.Proxy) {
			f.Exec(t, `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
		},
		"an operator ends the session": func(*pgproxy.Proxy) {
			f.Exec(t, `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			proxy := pgproxy.New(t, f.URL)
			db := open(t, proxy.URL())
			if name == "the answer is late" {
				db.SetTryTimeout(time.Second)
			}
			upload := startUpload(t, db, way)
			f.Await(t, `(`+waits+`) = 1`)
			since := pgtest.Query[time.Time](t, f, `select clock_timestamp()`)
			endWait(proxy)
			// Whoever believes the first sight of the row is done now. InTx waits: for the row's own transaction, or with one behind it.
			f.Await(t, `select count(*) > 0 from pg_stat_activity where datname = current_database()
and wait_event in ('transactionid', 'SyncRep') and query_start > $1`, since)
			upload.wantUnanswered(t)
			stop := startStandby(t, f)
			defer stop()
			upload.wantPromised(t, f)
		})
	}
	t.Run("the client hangs up", func(t *testing.T) {
		db := open(t, f.URL)
		upload := startUpload(t, db, way)
		f.Await(t, `(`+waits+`) = 1`)
		upload.hangUp()
		if err := <-upload.ended; !errors.Is(err, database.ErrAmbiguous) {
			t.Errorf("ended with %v, want that the outcome is not known", err)
		}
		db.Close() // waits until nothing is sent any more
		if n := pgtest.Query[int](t, f, waits); n != 1 {
			t.Error("the wait for the standby has been cancelled")
		}
		stop := startStandby(t, f)
		defer stop()
		f.Await(t, `select count(*) = 1 from sheetdrop.source_file where id = $1`, upload.file)
	})
}

// A relay's claims and settlements promise nobody anything: they go on while the standby is away, and wait for no disk either.
func TestTheRelayDoesNotWaitForTheStandby(t *testing.T) {
	t.Parallel()
	f := pgtest.NewOn(t, devtest.Private(t))
	nudged, due := f.AddUpload(t), f.AddUpload(t)
	waitForStandby(t, f)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // without an end in the test's time otherwise
	defer cancel()
	token := uuid.New()
	if batch, err := f.ClaimMessagesByID(ctx, token, time.Minute, []uuid.UUID{nudged.MessageID}); err != nil || len(batch) != 1 {
		t.Fatalf("nudged: claimed %d messages, %v", len(batch), err)
	}
	if batch, err := f.ClaimMessages(ctx, token, time.Minute, time.Time{}, 10); err != nil || len(batch) != 1 {
		t.Fatalf("due: claimed %d messages, %v", len(batch), err)
	}
	if err := f.Settle(ctx, token, postgres.Settlement{Sent: []uuid.UUID{nudged.MessageID, due.MessageID}}); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Query[int](t, f, `select count(*) from sheetdrop.outbox_history`); n != 2 {
		t.Errorf("%d messages are in the history, want 2", n)
	}
}

// upload is one that is being committed.
type upload struct {
	file   uuid.UUID
	hangUp context.CancelFunc
	ended  chan error
}

// way is how an upload is committed.
type way func(ctx context.Context, db *database.Pool, committed database.Committed, insert insert) error

// insert writes a row, and reports whether it was new.
type insert func(ctx context.Context, q database.Querier) (bool, error)

func inTransaction(ctx context.Context, db *database.Pool, committed database.Committed, insert insert) error {
	return db.InTx(ctx, committed, func(ctx context.Context, tx pgx.Tx) error {
		_, err := insert(ctx, tx)
		return err
	})
}

func inStatement(ctx context.Context, db *database.Pool, committed database.Committed, insert insert) error {
	return db.InStatement(ctx, insert, committed, func(ctx context.Context, tx pgx.Tx) error {
		_, err := insert(ctx, tx)
		return err
	})
}

func startUpload(t *testing.T, db *database.Pool, way way) upload {
	t.Helper()
	ctx, hangUp := context.WithCancel(t.Context())
	u := upload{file: uuid.New(), hangUp: hangUp, ended: make(chan error, 1)}
	go func() {
		u.ended <- way(ctx, db, func(ctx context.Context) (found bool, err error) {
			err = db.QueryRow(ctx, `select exists (select from sheetdrop.source_file where id = $1)`, u.file).Scan(&found)
			return found, err
		}, func(ctx context.Context, q database.Querier) (bool, error) {
			rows, err := q.Query(ctx, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
values ($1, 'local', 'list.csv', 'text/csv', 1, sha256(''), $1::uuid::text, 1) on conflict do nothing returning id`, u.file)
			if err != nil {
				return false, err
			}
			inserted, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return len(inserted) == 1, err
		})
	}()
	return u
}

// waitForStandby has every COMMIT of the server wait for a standby, until the test ends.
func waitForStandby(t *testing.T, f *pgtest.Database) {
	t.Helper()
	t.Cleanup(func() { alterSystem(t, f, `alter system reset synchronous_standby_names`) })
	alterSystem(t, f, `alter system set synchronous_standby_names = 'standby'`)
	conn, err := pgx.Connect(t.Context(), f.URL)
	if err != nil {
		t.Fatal(err)
	}
	ctx, enough := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for err := error(nil); err == nil; { // until the server has taken note, and one of these COMMITs waits
			_, err = conn.Exec(ctx, `select pg_logical_emit_message(true, '', '')`)
		}
	}()
	f.Await(t, `(`+waits+`) = 1`)
	enough()
	<-ended
	f.Await(t, `(`+waits+`) = 0`)
}

func alterSystem(t *testing.T, f *pgtest.Database, sql string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, f.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, sql := range []string{sql, `select pg_reload_conf()`} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Error(err)
		}
	}
}

func (u upload) wantUnanswered(t *testing.T) {
	t.Helper()
	select {
	case err := <-u.ended:
		t.Fatalf("answered without the standby: %v", err)
	default:
	}
}

func (u upload) wantPromised(t *testing.T, f *pgtest.Database) {
	t.Helper()
	if err := <-u.ended; err != nil {
		t.Error(err)
	}
	if n := pgtest.Query[int](t, f, `select count(*) from sheetdrop.source_file where id = $1`, u.file); n != 1 {
		t.Errorf("%d files, want 1", n)
	}
}

// startStandby streams the server's WAL, as a standby does, and confirms all of it, until it is stopped.
func startStandby(t *testing.T, f *pgtest.Database) (stop func()) {
	t.Helper()
	config, err := pgconn.ParseConfig(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["replication"], config.RuntimeParams["application_name"] = "true", "standby"
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	have := pgtest.Query[int64](t, f, `select (pg_current_wal_flush_lsn() - '0/0')::bigint`)
	start := fmt.Sprintf(`START_REPLICATION PHYSICAL %X/%X`, have>>32, have&0xFFFFFFFF)
	conn.Frontend().SendQuery(&pgproto3.Query{String: start})
	ended := make(chan error, 1)
	var position atomic.Uint64
	position.Store(uint64(have))
	go func() { ended <- receiveWAL(ctx, conn, &position) }()
	return func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && !pgconn.Timeout(err) {
			t.Error("standby:", err)
		}
	}
}

// receiveWAL receives WAL from have on, and confirms again and again all that it has: the server notes it only once it has caught up itself.
// Source: https://www.postgresql.org/docs/current/protocol-replication.html
func receiveWAL(ctx context.Context, conn *pgconn.PgConn, have *atomic.Uint64) error {
	defer conn.Close(context.Background())
	var confirming sync.WaitGroup
	defer confirming.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	confirming.Go(func() { confirmWAL(ctx, conn, have) })
	for {
		message, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return err
		}
		const header = 1 + 3*8
		if data, ok := message.(*pgproto3.CopyData); ok && data.Data[0] == 'w' { // WAL from a position on
			have.Store(binary.BigEndian.Uint64(data.Data[1:]) + uint64(len(data.Data)-header))
		}
	}
}

// confirmWAL alone writes to the connection. What keeps it from that keeps the receiver from its messages, too.
func confirmWAL(ctx context.Context, conn *pgconn.PgConn, have *atomic.Uint64) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		status := []byte{'r'}
		for _, number := range []uint64{have.Load(), have.Load(), have.Load(), 0} { // written, flushed, applied, at this time
			status = binary.BigEndian.AppendUint64(status, number)
		}
		conn.Frontend().Send(&pgproto3.CopyData{Data: append(status, 0)})
		if conn.Frontend().Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}
