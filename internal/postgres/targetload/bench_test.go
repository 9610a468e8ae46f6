package targetload_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
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
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// benchRows is how many rows a load of a benchmark has, of ten columns.
const benchRows = 300_000

var benchColumns = []target.Column{
	{Name: "id", Type: target.Integer, Required: true}, {Name: "code", Type: target.Text}, {Name: "name", Type: target.Text},
	{Name: "price", Type: target.Decimal, Digits: 12, Scale: 2}, {Name: "quantity", Type: target.Integer}, {Name: "day", Type: target.Date},
	{Name: "at", Type: target.Timestamp}, {Name: "active", Type: target.Boolean}, {Name: "note", Type: target.Text}, {Name: "share", Type: target.Decimal},
}

// cells are those of row n; a row that has changed has another price.
func cells(n int, changed bool) [][]byte {
	price := n % 100_000
	if changed {
		price++
	}
	row := []string{
		strconv.Itoa(n), fmt.Sprintf("A-%06d", n), "㈱髙橋商店 " + strconv.Itoa(n%1000), fmt.Sprintf("%d.50", price), strconv.Itoa(n % 97),
		fmt.Sprintf("2024-%02d-%02d", n%12+1, n%28+1), fmt.Sprintf("2024-01-%02d 10:%02d:00", n%28+1, n%60), strconv.FormatBool(n%3 == 0),
		"a note of some length, as people write them", fmt.Sprintf("0.%04d", n%10_000),
	}
	list := make([][]byte, len(row))
	for i, cell := range row {
		list[i] = []byte(cell)
	}
	return list
}

// file is a list of rows of which every nth has changed; 0: none.
func file(every int) [][][]byte {
	rows := make([][][]byte, benchRows)
	for n := range rows {
		rows[n] = cells(n, every > 0 && n%every == 0)
	}
	return rows
}

// bench is a server of its own, with a target whose key is its first column, and one without.
type bench struct {
	*testing.B
	db   *pgtest.Database
	conn *pgx.Conn
}

func newBench(b *testing.B) *bench {
	b.Helper()
	made := &bench{B: b, db: pgtest.NewOn(b, devtest.Private(b))}
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

// measure times work over all iterations, after what prepares each, and reports the time and the log written for a row.
func (b *bench) measure(name string, prepare func(t testing.TB), work func(t testing.TB)) {
	b.Run(name, func(t *testing.B) {
		var log int64
		for range t.N {
			t.StopTimer()
			prepare(t)
			b.db.Exec(t, `checkpoint`)
			before := pgtest.Query[int64](t, b.db, `select (pg_current_wal_insert_lsn() - '0/0')::bigint`)
			t.StartTimer()
			work(t)
			t.StopTimer()
			log += pgtest.Query[int64](t, b.db, `select (pg_current_wal_insert_lsn() - '0/0')::bigint`) - before
			t.StartTimer()
		}
		t.ReportMetric(float64(log)/float64(t.N)/benchRows, "log-B/row")
		t.ReportMetric(float64(t.N)*benchRows/t.Elapsed().Seconds(), "rows/s")
	})
}

// load loads rows as a worker does, and reports how long the target's rows were locked.
func (b *bench) load(t testing.TB, id uuid.UUID, mode target.Mode, rows [][][]byte) targetload.Result {
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
	l, err := b.db.BeginLoad(t.Context(), claimed.Claim)
	must(t, err)
	defer l.Rollback(context.Background())
	plan.LoadID, err = l.NewLoadID(t.Context())
	must(t, err)
	into, err := targetload.Begin(t.Context(), l, plan)
	must(t, err)
	for n, row := range rows {
		_, err := into.Row(int64(n+2), row)
		must(t, err)
	}
	done, refused, err := into.Apply(t.Context(), 10)
	must(t, err)
	if len(refused) > 0 {
		t.Fatal(refused[0])
	}
	must(t, into.Record(t.Context(), "local", target.Request{}, 1, done, 0))
	if held, err := l.Complete(t.Context(), pgtest.Sheets(), task.Summary{}, task.Progress{}, nil); err != nil || !held {
		t.Fatal(held, err)
	}
	return done
}

// copyTo copies rows with their types into a table, in a transaction of its own that ends with more statements: what people write themselves.
func (b *bench) copyTo(t testing.TB, table string, rows [][][]byte, statements ...string) {
	t.Helper()
	sources := make([]typedcopy.Source, len(benchColumns))
	for i, c := range benchColumns {
		sources[i] = typedcopy.Source{Column: c, ColumnNo: i + 1}
	}
	w, err := typedcopy.New(sources)
	must(t, err)
	tx, err := b.conn.Begin(t.Context())
	must(t, err)
	if table == "staging" {
		_, err := tx.Exec(t.Context(), `create temp table staging (like plain_key) on commit drop`)
		must(t, err)
	}
	sender := binarycopy.NewSender(t.Context(), b.conn.PgConn(), time.Minute)
	to, buffer := binarycopy.Copy{SQL: `copy ` + table + ` from stdin (format binary)`}, new(binarycopy.Buffer)
	for _, row := range rows {
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

// BenchmarkLoads compares loads into targets with what people write themselves: COPY into a table of the same types, and COPY into a
// temporary table with an insert that updates on conflict.
func BenchmarkLoads(b *testing.B) {
	s := newBench(b)
	keyed, free := s.target(b, "keyed", "id"), s.target(b, "free")
	s.db.Exec(b, `create table plain (like data.free including defaults); alter table plain drop _load, drop _row, drop _edited;
create table plain_key (like plain); alter table plain_key add primary key (id)`)
	before, none := file(0), file(0)
	onePercent, all := file(100), file(1)
	empty := func(t testing.TB) {
		s.db.Exec(t, `truncate plain, plain_key, data.keyed, data.keyed__was, data.keyed__seen, data.free`)
	}
	filled := func(t testing.TB) {
		empty(t)
		s.copyTo(t, "plain_key", before)
		s.load(t, keyed, target.Insert, before)
		for _, table := range []string{"plain_key", "data.keyed"} {
			s.db.Exec(t, `vacuum analyze `+table)
		}
	}
	s.measure("append/COPY", empty, func(t testing.TB) { s.copyTo(t, "plain", before) })
	s.measure("append/target", empty, func(t testing.TB) { s.load(t, free, target.Insert, before) })
	s.measure("insert/COPY", empty, func(t testing.TB) { s.copyTo(t, "plain_key", before) })
	s.measure("insert/on_conflict", empty, func(t testing.TB) { s.copyTo(t, "staging", before, onConflict) })
	s.measure("insert/target", empty, func(t testing.TB) { s.load(t, keyed, target.Insert, before) })
	s.measure("insert/upsert", empty, func(t testing.TB) { s.load(t, keyed, target.Upsert, before) })
	for _, c := range []struct {
		name string
		rows [][][]byte
	}{{"none_changed", none}, {"one_percent_changed", onePercent}, {"all_changed", all}} {
		s.measure(c.name+"/on_conflict", filled, func(t testing.TB) { s.copyTo(t, "staging", c.rows, onConflict) })
		s.measure(c.name+"/target", filled, func(t testing.TB) { s.load(t, keyed, target.Upsert, c.rows) })
	}
}
