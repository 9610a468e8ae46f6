package pgproxy_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/devstack/devtest"
)

// That COMMITs are cut and held, and connections cut and refused, is not tested here: the tests of internal/postgres and parse-worker fail without.

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// start returns a proxy, a connection through it, and one that goes around it, to a database with an empty table n (n int).
func start(t *testing.T) (p *pgproxy.Proxy, through, direct *pgx.Conn) {
	t.Helper()
	url := devtest.EmptyDatabase(t)
	direct = connect(t, url)
	if _, err := direct.Exec(t.Context(), `create table n (n int)`); err != nil {
		t.Fatal(err)
	}
	p = pgproxy.New(t, url)
	return p, connect(t, p.URL()), direct
}

func count(t *testing.T, conn *pgx.Conn) (rows int) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), `select count(*) from n`).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func wantRows(t *testing.T, direct *pgx.Conn, want int) {
	t.Helper()
	if got := count(t, direct); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
}

func wantCuts(t *testing.T, p *pgproxy.Proxy, want int) {
	t.Helper()
	if got := p.Cuts(); got != want {
		t.Errorf("%d cuts, want %d", got, want)
	}
}

// A statement reaches the server in three ways, and each has to be recognised: as text, as text with arguments, and as the name of
// something that was prepared before.
func TestCutStatement(t *testing.T) {
	t.Parallel()
	ways := map[string]func(context.Context, *pgx.Conn) error{
		"simple": func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, `insert into n values (1)`)
			return err
		},
		"unnamed": func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, `insert into n values ($1)`, pgx.QueryExecModeExec, 1)
			return err
		},
		"prepared": func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, `insert into n values ($1)`, 1)
			return err
		},
		"batch": func(ctx context.Context, conn *pgx.Conn) error {
			batch := &pgx.Batch{}
			batch.Queue(`select n from n where n < $1`, 0)
			batch.Queue(`insert into n values ($1)`, 1)
			return conn.SendBatch(ctx, batch).Close()
		},
	}
	for name, insert := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, through, direct := start(t)
			if err := insert(t.Context(), through); err != nil { // so that the next one is prepared already
				t.Fatal(err)
			}
			p.CutAfterStatement("insert into n", 1)
			if insert(t.Context(), through) == nil {
				t.Error("its answer came through")
			}
			wantRows(t, direct, 2)

			p.CutBeforeStatement("insert into n", 1)
			if insert(t.Context(), connect(t, p.URL())) == nil {
				t.Error("it was answered without the server")
			}
			wantRows(t, direct, 2)
			wantCuts(t, p, 2)
		})
	}
}

// The first bytes of a long answer leave the server before it commits; the cut has to wait for the last ones.
func TestCutAfterStatementWaitsForTheWholeAnswer(t *testing.T) {
	t.Parallel()
	p, through, direct := start(t)
	p.CutAfterStatement("returning", 1)
	_, err := through.Exec(t.Context(), `insert into n select generate_series(1, 20000) returning n, repeat('x', 100)`)
	if err == nil {
		t.Error("its answer came through")
	}
	wantRows(t, direct, 20000)
	wantCuts(t, p, 1)
}

// Where the client asks much at once, the answer to the chosen statement is lost and the one before it is not.
func TestCutAfterStatementOfAPipeline(t *testing.T) {
	t.Parallel()
	p, through, direct := start(t)
	p.CutAfterStatement("insert into n", 1)
	pipeline := through.PgConn().StartPipeline(t.Context())
	for _, sql := range []string{`select 1`, `insert into n values (1)`} {
		pipeline.SendQueryParams(sql, nil, nil, nil, nil)
		if err := pipeline.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	var answers int
	for range 4 { // two statements, two synchronisations
		result, err := pipeline.GetResults()
		if err != nil {
			break
		}
		if reader, ok := result.(*pgconn.ResultReader); ok {
			if _, err := reader.Close(); err != nil {
				break
			}
		}
		answers++
	}
	if answers != 2 {
		t.Errorf("%d answers, want the first statement's and its synchronisation's", answers)
	}
	wantRows(t, direct, 1)
	wantCuts(t, p, 1)
}

// What is executed is noted each time, and once, whether it was prepared before or not.
func TestStatements(t *testing.T) {
	t.Parallel()
	p, through, _ := start(t)
	for range 2 {
		if _, err := through.Exec(t.Context(), `insert into n values ($1)`, 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := through.Exec(t.Context(), `select 1`); err != nil {
		t.Fatal(err)
	}
	if got, want := p.Statements(), []string{`insert into n values ($1)`, `insert into n values ($1)`, `select 1`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPassesMuchBothWays(t *testing.T) {
	t.Parallel()
	_, through, _ := start(t)
	const rows = 200_000
	copied, err := through.CopyFrom(t.Context(), pgx.Identifier{"n"}, []string{"n"}, pgx.CopyFromSlice(rows, func(i int) ([]any, error) {
		return []any{int32(i)}, nil
	}))
	if err != nil || copied != rows {
		t.Fatalf("copied %d: %v", copied, err)
	}
	result, err := through.Query(t.Context(), `select n from n order by n`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(result, pgx.RowTo[int])
	if err != nil || len(got) != rows || got[rows-1] != rows-1 {
		t.Errorf("read %d rows: %v", len(got), err)
	}
}

// Not parallel, so that all the proxies that it sees are its own.
func TestNothingIsLeftAtTheEnd(t *testing.T) {
	url := devtest.EmptyDatabase(t)
	t.Cleanup(func() { // runs after the proxy's end and before the database's
		stacks := make([]byte, 1<<20)
		if stacks = stacks[:runtime.Stack(stacks, true)]; strings.Contains(string(stacks), "pgproxy.(*") {
			t.Errorf("goroutines of the proxy after its end:\n%s", stacks)
		}
	})
	p := pgproxy.New(t, url)
	p.HoldCommit()
	through := connect(t, p.URL())
	tx, err := through.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err == nil {
		t.Error("COMMIT succeeded")
	}
	connect(t, p.URL())
}
