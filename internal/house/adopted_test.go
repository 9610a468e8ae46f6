package house_test

import (
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
)

// adoptedTables makes tables of an application targets, as the role that owns them: with rights from an operator, and on its own tables alone.
// The handler's login can neither do so nor write what nobody has adopted.
func adoptedTables(t *testing.T, server azureServer) {
	operator, plain := connect(t, server.as(t, administrator)), connect(t, server.as(t, appLogin))
	app := &pgtest.Database{DB: pgtest.Open(t, server.as(t, appLogin)), URL: server.as(t, appLogin)}
	mustExec(t, operator, `create role erp login password '`+token+`'; create role other login password '`+token+`'; grant erp, other to current_user;
create schema shop authorization erp; grant usage on schema shop to other; set role erp;
create table shop.prices (id serial, article text primary key, net numeric, changed_by text default current_user, at timestamptz);
create table shop.payroll (article text primary key, net numeric);
create function shop.stamp() returns trigger language plpgsql as 'begin new.at := now(); return new; end';
create trigger stamp before update on shop.prices for each row execute function shop.stamp();
insert into shop.prices (article, net) values ('A', 1);
reset role`)
	owner := connect(t, server.as(t, "erp"))
	const adopt = `select sheetdrop.target_adopt('shop.prices', 'alice', 'erp prices')`

	t.Run("need a right from an operator", func(t *testing.T) { refused(t, owner, adopt) })
	mustExec(t, operator, `grant sheetdrop_adopter to erp, other`)
	t.Run("are their owner's", func(t *testing.T) {
		refused(t, connect(t, server.as(t, "other")), adopt, `select sheetdrop.target_note('shop.prices', 'mallory', 'mine', null, '{}')`)
		refused(t, plain, adopt, `select sheetdrop.target_note('shop.prices', 'mallory', 'mine', null, '{}')`, `set role sheetdrop_adopter`)
		refused(t, owner, `select from sheetdrop.target`, `select sheetdrop.target_adopt('sheetdrop.task', 'alice')`)
	})
	var id uuid.UUID
	must(t, owner.QueryRow(t.Context(), adopt).Scan(&id))
	row := func() (text string) {
		t.Helper()
		must(t, owner.QueryRow(t.Context(), `select string_agg(concat_ws(' ', id, article, net, changed_by), ', ' order by id) from shop.prices`).Scan(&text))
		return text
	}
	t.Run("take files, and can be released", func(t *testing.T) {
		for _, row := range [][2]string{{"A", "2"}, {"B", "3"}} {
			if _, err := loadRow(t, app, id, row[0], row[1]); err != nil {
				t.Fatal(err)
			}
		}
		if got := row(); got != "1 A 2 erp, 2 B 3 sheetdrop_loader" {
			t.Errorf("loaded: %s", got)
		}
		undoLast(t, app, plain, id)
		undoLast(t, app, plain, id)
		if got := row(); got != "1 A 1 erp" {
			t.Errorf("undone: %s", got)
		}
	})
	t.Run("are no others", func(t *testing.T) {
		forged := uuid.New()
		_, err := plain.Exec(t.Context(), `with made as (
  insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values ($1, 'alice', 'wages', 'ADOPTED', 'shop', 'payroll', true)
) insert into sheetdrop.target_version (target_id, version, definition, made_by) values ($1, 1, $2, 'alice')`, forged,
			`{"name":"wages","key":["article"],"columns":[{"name":"article","type":"text","required":true},{"name":"net","type":"decimal"}]}`)
		must(t, err)
		if _, err := loadRow(t, app, forged, "A", "2"); !isRefused(err) {
			t.Errorf("a table that nobody has adopted: %v, want insufficient privilege", err)
		}
		refused(t, plain, `select from shop.prices`, `update shop.prices set net = 0`)
		mustExec(t, plain, `select sheetdrop.target_leave('`+id.String()+`'), sheetdrop.target_drop('`+id.String()+`')`)
		if got := row(); got != "1 A 1 erp" {
			t.Errorf("what drops targets has changed it: %s", got)
		}
	})
	t.Run("are released by their owner", func(t *testing.T) {
		const release = `select sheetdrop.target_release('shop.prices')`
		refused(t, connect(t, server.as(t, "other")), release, `select sheetdrop.target_forget('shop.prices')`)
		refused(t, plain, release)
		mustExec(t, owner, release)
		var rights int
		must(t, owner.QueryRow(t.Context(), `select count(*) from pg_class c, aclexplode(c.relacl) a where c.relnamespace = 'shop'::regnamespace
and a.grantee = 'sheetdrop_loader'::regrole`).Scan(&rights))
		if rights != 0 {
			t.Errorf("the loader has %d rights left", rights)
		}
	})
}
