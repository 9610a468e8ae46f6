package targetload_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/binarycopy"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/typedcopy"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// benchRows is how many rows a load of a benchmark has, of ten columns.
var benchRows = flag.Int("rows", 300_000, "of each load of a benchmark")

var benchColumns = []target.Column{
	{Name: "id", Type: target.Integer, Required: true}, {Name: "code", Type: target.Text}, {Name: "name", Type: target.Text},
	{Name: "price", Type: target.Decimal, Digits: 12, Scale: 2}, {Name: "quantity", Type: target.Integer}, {Name: "day", Type: target.Date},
	{Name: "at", Type: target.Timestamp}, {Name: "active", Type: target.Boolean}, {Name: "note", Type: target.Text}, {Name: "share", Type: target.Decimal},
}

// sheetRows are the cells of benchRows rows, each with a second price behind them.
type sheetRows struct {
	text []byte
	ends []int
}

func newSheetRows() *sheetRows {
	s := &sheetRows{ends: []int{0}}
	for n := range *benchRows {
		price := n % 100_000
		for _, cell := range []string{
			strconv.Itoa(n), fmt.Sprintf("A-%06d", n), "㈱髙橋商店 " + strconv.Itoa(n%1000), fmt.Sprintf("%d.50", price), strconv.Itoa(n % 97),
			fmt.Sprintf("2024-%02d-%02d", n%12+1, n%28+1), fmt.Sprintf("2024-01-%02d 10:%02d:00", n%28+1, n%60), strconv.FormatBool(n%3 == 0),
			"a note of some length, as people write them", fmt.Sprintf("0.%04d", n%10_000), fmt.Sprintf("%d.50", price+1),
		} {
			s.text = append(s.text, cell...)
			s.ends = append(s.ends, len(s.text))
		}
	}
	return s
}

// file is a file with these rows, of which every nth has the second price; 0: none. Its first rows may be missing.
type file struct {
	*sheetRows
	every, first int
}

// all yields the rows by their numbers. They are valid until the next one.
func (f file) all(yield func(n int, cells [][]byte) bool) {
	const each = 11
	row := make([][]byte, each)
	for n := f.first; n < *benchRows; n++ {
		for i := range row {
			row[i] = f.text[f.ends[n*each+i]:f.ends[n*each+i+1]]
		}
		if f.every > 0 && n%f.every == 0 {
			row[3] = row[10]
		}
		if !yield(n, row[:10]) {
			return
		}
	}
}

// bench is a server of its own, with a target whose key is its first column, and one without.
type bench struct {
	*testing.B
	db   *pgtest.Database
	conn *pgx.Conn

	loads   *postgres.DB // by which loads are made
	writing *firstWrite  // of the current one
}

// firstWrite is when a load first locked rows of a target: at its first statement that writes into a table of that name.
type firstWrite struct{ at time.Time }

// written finds the first table that a statement writes into.
var written = regexp.MustCompile(`(?:insert into|update|delete from) "data"\."(\w+)"`)

// TraceQueryStart implements pgx.QueryTracer.
func (w *firstWrite) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	into := written.FindStringSubmatch(data.SQL)
	if w.at.IsZero() && into != nil && !strings.Contains(into[1], "__") {
		w.at = time.Now()
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (w *firstWrite) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func newBench(b *testing.B) *bench {
	b.Helper()
	made := &bench{B: b, db: pgtest.NewOn(b, devtest.Private(b)), writing: &firstWrite{}}
	loads, err := postgres.Open(postgres.Settings{URL: made.db.URL, MaxConns: 4, Tracer: made.writing})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(loads.Close)
	made.loads = loads
	conn, err := pgx.Connect(b.Context(), made.db.URL)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close(context.Background()) })
	made.conn = conn
	return made
}

func (b *bench) target(t testing.TB, name string, key ...string) uuid.UUID {
	t.Helper()
	definition, err := json.Marshal(target.Definition{Name: name, Key: key, Columns: benchColumns})
	if err != nil {
		t.Fatal(err)
	}
	id := task.NewID()
	b.db.Exec(t, `with made as (insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
  values ($1, 'local', $2::text, 'MANAGED', sheetdrop.schema_of('local'), $2::text::name, $4))
insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $3, 'local')`, id, name, definition, key != nil)
	b.db.Exec(t, `select sheetdrop.target_create($1)`, id)
	return id
}

// load loads a file as a worker does, and returns how long it took from the first statement that locks rows of the target to the end of COMMIT.
// Where rows go into the table as they are read, that is from the last row: nobody waits for what nobody can see, but for a key.
func (b *bench) load(t testing.TB, id uuid.UUID, mode target.Mode, rows file) time.Duration {
	t.Helper()
	upload := b.db.AddSentUpload(t, func(u *postgres.Upload) { u.Options = []byte(`{"target":{"id":"` + id.String() + `","name":"x"}}`) })
	var claimed *postgres.ClaimedTask
	plan := targetload.Plan{Mode: mode}
	for i, c := range benchColumns {
		plan.Mapping.Columns = append(plan.Mapping.Columns, target.Match{Header: c.Name, ColumnNo: i + 1, Column: c.Name})
	}
	err := b.db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		if claimed, _, err = tx.ClaimTask(ctx, upload.TaskID, task.NewID(), time.Hour, false); err == nil {
			plan.Target, err = targetload.Find(ctx, tx, id, "local")
		}
		return err
	})
	must(t, err)
	l, err := b.loads.BeginLoad(t.Context(), claimed.Claim)
	must(t, err)
	defer l.Rollback(context.Background())
	plan.LoadID, err = l.NewLoadID(t.Context())
	must(t, err)
	into, err := targetload.Begin(t.Context(), l, plan)
	must(t, err)
	for n, row := range rows.all {
		_, err := into.Row(int64(n+2), row)
		must(t, err)
	}
	began := time.Now()
	*b.writing = firstWrite{}
	done, refused, err := into.Apply(t.Context(), 10)
	must(t, err)
	if len(refused) > 0 {
		t.Fatal(refused[0])
	}
	must(t, into.Record(t.Context(), "local", target.Request{}, 1, done, 0))
	if held, err := l.Complete(t.Context(), pgtest.Sheets(), task.Summary{}, task.Progress{}, nil); err != nil || !held {
		t.Fatal(held, err)
	}
	if !b.writing.at.IsZero() {
		began = b.writing.at
	}
	return time.Since(began)
}

// copyTo copies rows with their types into a table, in a transaction of its own that ends with more statements: what people write themselves.
func (b *bench) copyTo(t testing.TB, table string, rows file, statements ...string) {
	t.Helper()
	sources := make([]typedcopy.Source, len(benchColumns))
	for i, c := range benchColumns {
		sources[i] = typedcopy.Source{Column: c, ColumnNo: i + 1}
	}
	w, err := typedcopy.New(sources)
	must(t, err)
	tx, err := b.conn.Begin(t.Context())
	must(t, err)
	switch table {
	case "staging":
		_, err = tx.Exec(t.Context(), `create temp table staging (like plain_key) on commit drop`)
	case "plain_key":
		_, err = tx.Exec(t.Context(), `delete from plain_key`)
	}
	must(t, err)
	sender := binarycopy.NewSender(t.Context(), b.conn.PgConn(), time.Minute)
	to, buffer := binarycopy.Copy{SQL: `copy ` + table + ` from stdin (format binary)`}, new(binarycopy.Buffer)
	for _, row := range rows.all {
		buffer.Row(uint16(w.Fields()))
		w.Append(buffer, row)
		must(t, sender.SendIfFull(to, &buffer))
	}
	must(t, sender.Send(to, &buffer))
	must(t, sender.Close())
	for _, sql := range statements {
		_, err := tx.Exec(t.Context(), sql, pgx.QueryExecModeExec)
		must(t, err)
	}
	must(t, tx.Commit(t.Context()))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const onConflict = `insert into plain_key select * from staging on conflict (id) do update set (code, name, price, quantity, day, at, active, note, share) =
  row(excluded.code, excluded.name, excluded.price, excluded.quantity, excluded.day, excluded.at, excluded.active, excluded.note, excluded.share)`

// undo takes a load of the target keyed back, and returns the time that it took: all of it holds locks.
func (b *bench) undo(t testing.TB, id uuid.UUID, load int64) time.Duration {
	t.Helper()
	table := undo.Table{TargetID: id, Schema: "data", Name: "keyed", Key: []string{"id"}, Defaults: map[string]string{}}
	for _, c := range benchColumns[1:] {
		table.Columns = append(table.Columns, c.Name)
	}
	began := time.Now()
	tx, err := b.conn.Begin(t.Context())
	must(t, err)
	later, err := undo.LoadsSince(t.Context(), tx, id, load+1)
	must(t, err)
	_, _, err = undo.Apply(t.Context(), tx, table, load, later, false)
	must(t, err)
	_, err = tx.Exec(t.Context(), `update sheetdrop.target_load set undone_at = now() where id = $1`, load)
	must(t, err)
	must(t, tx.Commit(t.Context()))
	return time.Since(began)
}

// run executes statements, each as a transaction of its own.
func (b *bench) run(t testing.TB, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		b.db.Exec(t, sql)
	}
}

// BenchmarkLoads compares loads into targets with what people write themselves: COPY into a table of the same types, COPY into a temporary table
// with an insert that updates on conflict, and to put a copy of the table back. What is measured is in turns.
func BenchmarkLoads(b *testing.B) {
	s := newBench(b)
	keyed, free := s.target(b, "keyed", "id"), s.target(b, "free")
	s.run(b, `create table plain (like data.free including defaults); alter table plain drop _load, drop _row, drop _edited`,
		`create table plain_key (like plain); alter table plain_key add primary key (id); create table copy (like plain)`)
	rows := newSheetRows()
	before, all, onePercent := file{rows, 0, 0}, file{rows, 1, 0}, file{rows, 100, 0}
	empty := func(t testing.TB) {
		s.run(t, `truncate plain, plain_key, copy, data.keyed, data.keyed__was, data.keyed__seen, data.free, sheetdrop.target_load`)
	}
	filled := func(t testing.TB) {
		empty(t)
		s.copyTo(t, "plain_key", before)
		s.load(t, keyed, target.Insert, before)
		s.run(t, `vacuum analyze plain_key`, `vacuum analyze data.keyed`)
	}
	copying := func(table string, f file, statements ...string) func(t testing.TB) time.Duration {
		return func(t testing.TB) time.Duration {
			s.copyTo(t, table, f, statements...)
			return 0
		}
	}
	loading := func(id uuid.UUID, mode target.Mode, f file) func(t testing.TB) time.Duration {
		return func(t testing.TB) time.Duration { return s.load(t, id, mode, f) }
	}
	s.compare("append", empty, way{"COPY", copying("plain", before)}, way{"target", loading(free, target.Insert, before)})
	s.compare("insert", empty, way{"COPY", copying("plain_key", before)}, way{"on conflict", copying("staging", before, onConflict)},
		way{"target", loading(keyed, target.Insert, before)}, way{"target, upsert", loading(keyed, target.Upsert, before)})
	for _, c := range []struct {
		name string
		file
	}{{"none changed", before}, {"one percent changed", onePercent}, {"all changed", all}} {
		s.compare("upsert, "+c.name, filled, way{"on conflict", copying("staging", c.file, onConflict)}, way{"target", loading(keyed, target.Upsert, c.file)})
	}
	fewer := file{rows, 100, *benchRows / 100}
	s.compare("replace, one percent changed and one percent gone", filled, way{"delete and COPY", copying("plain_key", fewer)},
		way{"target", loading(keyed, target.Replace, fewer)})
	s.compareUndos(keyed, filled, before, all)
}

// compareUndos takes the newest load back, and one before it.
func (b *bench) compareUndos(id uuid.UUID, filled func(t testing.TB), before, all file) {
	restore := way{"copy of the table put back", func(t testing.TB) time.Duration {
		b.run(t, `begin; delete from plain_key; insert into plain_key select * from copy; commit`)
		return 0
	}}
	back := func(t testing.TB, sql string) time.Duration { return b.undo(t, id, pgtest.Query[int64](t, b.db, sql)) }
	changed := func(t testing.TB) {
		filled(t)
		b.run(t, `insert into copy select * from plain_key`)
		b.copyTo(t, "staging", all, onConflict)
		b.load(t, id, target.Upsert, all)
		b.run(t, `vacuum analyze plain_key`, `vacuum analyze data.keyed`, `vacuum analyze data.keyed__was`)
	}
	b.compare("undo of the newest load, which has changed all", changed, restore, way{"undo", func(t testing.TB) time.Duration {
		return back(t, `select max(id) from sheetdrop.target_load`)
	}})
	b.compare("undo of a load before it, which has changed all", func(t testing.TB) {
		changed(t)
		b.load(t, id, target.Upsert, before)
		b.run(t, `vacuum analyze data.keyed`, `vacuum analyze data.keyed__was`)
	}, restore, way{"undo", func(t testing.TB) time.Duration {
		return back(t, `select max(id) from sheetdrop.target_load where id < (select max(id) from sheetdrop.target_load)`)
	}})
}
