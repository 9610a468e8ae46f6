package house_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/targetload"
	"sheetdrop/internal/postgres/targetrows"
	"sheetdrop/internal/postgres/undo"
	"sheetdrop/internal/target"
	"sheetdrop/internal/task"
)

// loadsIntoTargets loads a file with the handler's login: its rows are there, and what somebody has put onto the target's table can reach
// nothing of sheetdrop.
func loadsIntoTargets(t *testing.T, server azureServer) {
	operator := connect(t, server.as(t, administrator))
	app := &pgtest.Database{DB: pgtest.Open(t, server.as(t, appLogin)), URL: server.as(t, appLogin)}
	plain := connect(t, app.URL)
	id := uuid.New()
	_, err := plain.Exec(t.Context(), `with made as (
  insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered)
  values ($1, 'alice', 'prices', 'MANAGED', sheetdrop.schema_of('alice'), 'prices', true)
) insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $2, 'alice')`, id,
		`{"name":"prices","key":["article"],"columns":[{"name":"article","type":"text","required":true},{"name":"net","type":"decimal"}]}`)
	must(t, err)
	var table string
	must(t, plain.QueryRow(t.Context(), `select sheetdrop.target_create($1)`, id).Scan(&table))

	t.Run("rows arrive", func(t *testing.T) {
		if _, err := loadRow(t, app, id, "A", "1"); err != nil {
			t.Error(err)
		}
		var rows int
		mustExec(t, operator, `set role sheetdrop_tables`)
		must(t, operator.QueryRow(t.Context(), `select count(*) from `+table).Scan(&rows))
		if rows != 1 {
			t.Errorf("%d rows, want 1", rows)
		}
	})
	t.Run("rows are read", func(t *testing.T) {
		reader := targetrows.Reader{DB: app.DB, Timeout: targetrows.Timeout}
		of := targetrows.Table{Schema: schemaOf(table), Name: "prices", Definition: target.Definition{Key: []string{"article"}, Columns: []target.Column{{Name: "article", Type: target.Text}}}}
		page, _, err := reader.Page(t.Context(), of, targetrows.Query{Columns: []string{"article"}}, nil, 10)
		if err != nil || len(page) != 1 || string(page[0].Cells[0]) != "A" {
			t.Errorf("%+v, %v", page, err)
		}
		of.Schema, of.Name = "sheetdrop", "header_choice" // what a target is said to be makes it none
		if _, _, err := reader.Page(t.Context(), of, targetrows.Query{Columns: []string{"article"}}, nil, 10); !errors.Is(err, targetrows.ErrNoTable) {
			t.Errorf("a table of sheetdrop's own: %v", err)
		}
	})
	t.Run("rows are taken back", func(t *testing.T) {
		if _, err := loadRow(t, app, id, "A", "3"); err != nil {
			t.Fatal(err)
		}
		undoLast(t, app, plain, id)
		var net string
		must(t, operator.QueryRow(t.Context(), `select net::text from `+table).Scan(&net))
		if net != "1" {
			t.Errorf("after the undo the row has %s, want 1", net)
		}
	})
	t.Run("rows of a series are replaced, and history is deleted", func(t *testing.T) {
		for _, article := range []string{"S1", "S2"} {
			if _, err := loadRowOfSeries(t, app, id, "tokyo", article, "1"); err != nil {
				t.Fatal(err)
			}
		}
		var articles, aside string
		look := func() {
			must(t, operator.QueryRow(t.Context(), `select (select string_agg(article, ' ' order by article) from `+table+`),
  (select coalesce(string_agg(article, ' '), '') from `+table+`__was)`).Scan(&articles, &aside))
		}
		if look(); articles != "A S2" || aside != "S1" {
			t.Errorf("the rows are %s, aside is %s; want A S2, and S1", articles, aside)
		}
		mustExec(t, plain, `update sheetdrop.target_load set applied_at = now() - interval '91 days'`)
		must(t, app.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
			if _, err := undo.Settle(ctx, tx, 90*24*time.Hour); err != nil {
				return err
			}
			_, err := undo.DeleteHistory(ctx, tx, 100)
			return err
		}))
		if look(); articles != "A S2" || aside != "" {
			t.Errorf("the rows are %s, aside is %s; want A S2, and nothing", articles, aside)
		}
	})
	t.Run("triggers can change nothing of sheetdrop", func(t *testing.T) {
		mustExec(t, operator, `reset role; create schema hostile; grant usage on schema hostile to sheetdrop_loader, sheetdrop_tables;
create function hostile.write() returns trigger language plpgsql as 'begin update sheetdrop.task set options = ''{}''; return new; end';
set role sheetdrop_tables; create trigger hostile before insert on `+table+` for each row execute function hostile.write()`)
		if _, err := loadRow(t, app, id, "B", "2"); !isRefused(err) {
			t.Errorf("the trigger: %v, want insufficient privilege", err)
		}
	})
	t.Run("rows are written by the loader alone", func(t *testing.T) {
		for _, sql := range []string{`insert into ` + table + ` values ('C', 3, 0, 0)`, `delete from ` + table, `select from ` + table} {
			if _, err := plain.Exec(t.Context(), sql); !isRefused(err) {
				t.Errorf("%s: %v, want insufficient privilege", sql, err)
			}
		}
		mustExec(t, plain, `set role sheetdrop_loader`)
		for _, sql := range []string{`select from sheetdrop.task`, `select definition from sheetdrop.target_version`, `insert into sheetdrop.sheet_row values (1, 1)`,
			`drop table ` + table, `alter table ` + table + ` add x int`, `select sheetdrop.target_drop('` + id.String() + `')`} {
			if _, err := plain.Exec(t.Context(), sql); !isRefused(err) {
				t.Errorf("%s as the loader: %v, want insufficient privilege", sql, err)
			}
		}
	})
}

// loadRow loads a row into the target as a worker does.
func loadRow(t *testing.T, app *pgtest.Database, id uuid.UUID, cells ...string) (done targetload.Result, err error) {
	t.Helper()
	return loadRowOfSeries(t, app, id, "", cells...)
}

func loadRowOfSeries(t *testing.T, app *pgtest.Database, id uuid.UUID, series string, cells ...string) (done targetload.Result, err error) {
	t.Helper()
	ctx := t.Context()
	upload := app.AddUpload(t, func(u *postgres.Upload) {
		u.File.Owner, u.Options = "alice", []byte(`{"target":{"id":"`+id.String()+`","name":"prices"}}`)
	})
	var claimed *postgres.ClaimedTask
	plan := targetload.Plan{Mode: target.Upsert, Mapping: target.Mapping{Columns: []target.Match{
		{Header: "article", ColumnNo: 1, Column: "article"}, {Header: "net", ColumnNo: 2, Column: "net", Rule: target.ByRequest},
	}}}
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		if claimed, _, err = tx.ClaimTask(ctx, upload.TaskID, task.NewID(), time.Minute, false); err == nil {
			plan.Target, err = targetload.Find(ctx, tx, id, "alice")
		}
		return err
	}))
	if claimed == nil {
		t.Fatal("the task was not claimed")
	}
	l, err := app.BeginLoad(ctx, claimed.Claim)
	must(t, err)
	defer l.Rollback(context.WithoutCancel(ctx))
	plan.LoadID, err = l.NewLoadID(ctx)
	must(t, err)
	into, err := targetload.Begin(ctx, l, plan)
	if err != nil {
		return done, err
	}
	row := make([][]byte, len(cells))
	for i, cell := range cells {
		row[i] = []byte(cell)
	}
	if _, err := into.Row(2, row); err != nil {
		return done, err
	}
	place := undo.Place{Target: id, Series: series, File: upload.File.ID, Sheet: 1}
	earlier, err := undo.FindEarlier(ctx, l, place, plan.Target.SchemaName, plan.Target.TableName, plan.Target.Definition)
	if err != nil {
		return done, err
	}
	if earlier != nil {
		into.TakeBack = func(ctx context.Context) error { return earlier.TakeBack(ctx, l.SQL()) }
	}
	if done, _, err = into.Apply(ctx, 10); err != nil {
		return done, err
	}
	if earlier != nil {
		must(t, earlier.Record(ctx, l, plan.LoadID))
	}
	request := target.Request{ID: id, Series: series, Mapping: map[string]target.Choice{"net": {Column: "net"}}}
	must(t, into.Record(ctx, "alice", request, 1, done, 0))
	held, err := l.Complete(ctx, pgtest.Sheets(), task.Summary{}, task.Progress{}, nil)
	if err == nil && !held {
		t.Fatal("the task was lost")
	}
	return done, err
}

// undoLast takes the target's newest load that counts back as a worker does.
func undoLast(t *testing.T, app *pgtest.Database, plain *pgx.Conn, id uuid.UUID) {
	t.Helper()
	ctx := t.Context()
	upload := app.AddUpload(t, func(u *postgres.Upload) {
		u.File.Owner, u.Options = "alice", []byte(`{"target":{"id":"`+id.String()+`","name":"prices","undo":1}}`)
	})
	var load int64
	must(t, plain.QueryRow(ctx, `select max(id) from sheetdrop.target_load where target_id = $1 and undone_at is null`, id).Scan(&load))
	var claimed *postgres.ClaimedTask
	must(t, app.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, _, err = tx.ClaimTask(ctx, upload.TaskID, task.NewID(), time.Minute, false)
		return err
	}))
	l, err := app.BeginLoad(ctx, claimed.Claim)
	must(t, err)
	defer l.Rollback(context.WithoutCancel(ctx))
	_, err = undo.TakeBack(ctx, l, id, load)
	must(t, err)
	held, err := l.Complete(ctx, pgtest.Sheets(), task.Summary{}, task.Progress{}, nil)
	if err != nil || !held {
		t.Fatal(held, err)
	}
}
