package house_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// viewsForAnalysts makes views as the handler's login and reads them as analysts do, who see their owner's rows and nothing else.
func viewsForAnalysts(t *testing.T, server azureServer) {
	operator, app := connect(t, server.as(t, administrator)), connect(t, server.as(t, appLogin))
	alices, bobs := makeView(t, app, "alice", 12), makeView(t, app, "bob", 34)
	var reader string
	must(t, operator.QueryRow(t.Context(), `select sheetdrop.reader_create('alice')`).Scan(&reader))
	later := makeView(t, app, "alice", 12)
	mustExec(t, operator, `create role analyst login password '`+token+`'`)
	mustExec(t, operator, `grant `+pgx.Identifier{reader}.Sanitize()+` to analyst`)
	analyst := connect(t, server.as(t, "analyst"))

	t.Run("show all their rows", func(t *testing.T) {
		for _, view := range []analystsView{alices, later} {
			var found string
			err := analyst.QueryRow(t.Context(), `select sum(amount) || ' ' || to_char(max(day), 'YYYY-MM-DD') from `+view.name).Scan(&found)
			if err != nil || found != "12 2024-01-05" {
				t.Errorf("%s: %s, %v", view.name, found, err)
			}
		}
	})
	t.Run("give no other right", func(t *testing.T) {
		refused(t, analyst, `select from `+bobs.name, `select from sheetdrop.sheet_row`, `select from sheetdrop.source_file`, `drop view `+alices.name,
			`select sheetdrop.view_create('`+bobs.id.String()+`')`, `select sheetdrop.view_replace('`+alices.id.String()+`')`,
			`select sheetdrop.view_put('`+alices.id.String()+`', true)`, `create table `+schemaOf(alices.name)+`.mine (id int)`, `set role sheetdrop_tables`, `create table public.mine (id int)`)
	})
	t.Run("show no function of a reader the rows of others", func(t *testing.T) {
		mustExec(t, analyst, `set enable_indexscan = off; set enable_bitmapscan = off`) // so that rows of others are at hand
		mustExec(t, analyst, `create temp table told (amount bigint)`)
		mustExec(t, analyst, `create function pg_temp.tell(row_no bigint) returns bool language plpgsql cost 0.0001 as
$$ begin insert into told values (row_no); return true; end $$`)
		mustExec(t, analyst, `select from `+alices.name+` where pg_temp.tell(_row)`)
		var told int64
		must(t, analyst.QueryRow(t.Context(), `select sum(distinct amount)::bigint from told`).Scan(&told))
		if told != 12 {
			t.Errorf("the function was given %d in sum, want 12", told)
		}
	})
	t.Run("follow a newer reading", func(t *testing.T) {
		mustExec(t, app, `update sheetdrop.sheet set columns = replace(columns::text, 'amount', 'total')::jsonb where task_id = '`+later.id.String()+`'`)
		mustExec(t, app, `select sheetdrop.view_replace('`+later.id.String()+`')`)
		var total int
		must(t, analyst.QueryRow(t.Context(), `select total from `+later.name).Scan(&total))
		if total != 12 {
			t.Errorf("the total is %d", total)
		}
	})
	t.Run("are made by functions alone", func(t *testing.T) {
		refused(t, app, `drop view `+alices.name, `create or replace view `+bobs.name+` as select 1`, `create view `+schemaOf(bobs.name)+`.mine as select 1`,
			`select sheetdrop.view_put('`+bobs.id.String()+`', true)`, `set role sheetdrop_tables`, `select sheetdrop.reader_create('alice')`,
			`insert into sheetdrop.owner_schema values ('mallory', 'data')`, `select from `+alices.name)
		mustExec(t, app, `select sheetdrop.view_drop('`+alices.id.String()+`')`)
		refused(t, app, `select from `+later.name)
	})
	t.Run("are made by a role that can change nothing", func(t *testing.T) {
		mustExec(t, operator, `set role sheetdrop_tables`)
		refused(t, operator, `delete from sheetdrop.sheet_row`, `update sheetdrop.source_file set owner = 'mallory'`, `select options from sheetdrop.task`,
			`create table sheetdrop.mine (id int)`, `create role mine`)
	})
}

// refused runs statements for which a login has no right.
func refused(t *testing.T, conn *pgx.Conn, statements ...string) {
	for _, sql := range statements {
		if _, err := conn.Exec(t.Context(), sql); !isRefused(err) {
			t.Errorf("%s: %v, want insufficient privilege", sql, err)
		}
	}
}

func schemaOf(view string) string {
	schema, _, _ := strings.Cut(view, ".")
	return schema
}

type analystsView struct {
	id   uuid.UUID
	name string // as SQL has it
}

// makeView writes a sheet of one row, whose number and column amount are the same, as the handler's login, and has a view made of it. The date
// in it is of those that the planner leaves to a function.
func makeView(t *testing.T, app *pgx.Conn, owner string, amount int) analystsView {
	t.Helper()
	view := analystsView{id: uuid.New()}
	_, err := app.Exec(t.Context(), `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  values ($1::uuid, $2, 'list.csv', 'text/csv', 1, sha256(''), $1::text, 1)
), task as (
  insert into sheetdrop.task (id, source_file_id, options, status, attempt, started_at, finished_at, summary)
  values ($1::uuid, $1::uuid, '{}', 'COMPLETED', 1, now(), now(), '{}')
), sheet as (
  insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
  values (nextval('sheetdrop.sheet_id'), $1::uuid, 1, 'list', true, '{}',
    '[{"name": "amount", "type": "integer", "format": "0", "digits": 2}, {"name": "day", "type": "date", "format": "YYYY/MM/DD"}]', 1, 1, 0, 0)
  returning id
), cells as (
  insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select id, $3::text::bigint, array[$3::text, '２０２４/１/５'] from sheet
)
insert into sheetdrop.sheet_view (id, owner, name, sheet_id, file_id, sheet_number) select $1::uuid, $2, $1::text, id, $1::uuid, 1 from sheet`, view.id, owner, strconv.Itoa(amount))
	must(t, err)
	must(t, app.QueryRow(t.Context(), `select sheetdrop.view_create($1)`, view.id).Scan(&view.name))
	return view
}
