package migrate_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/devtest"
)

// Who meets the schema in a tool, without these sources, reads there what each table, column and function is for. Partitions have what
// their table has.
func TestSchemaIsCommented(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), devtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `with thing as (
  select format('table %s', relname) as name, obj_description(oid, 'pg_class') as comment from pg_class
  where relnamespace = 'sheetdrop'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
  union all
  select format('column %s.%s', relname, attname), col_description(c.oid, attnum) from pg_class c join pg_attribute a on a.attrelid = c.oid
  where relnamespace = 'sheetdrop'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition and attnum > 0 and not attisdropped
  union all
  select format('function %s', oid::regprocedure), obj_description(oid, 'pg_proc') from pg_proc where pronamespace = 'sheetdrop'::regnamespace
)
select name, coalesce(comment, '') from thing order by name`)
	if err != nil {
		t.Fatal(err)
	}
	var things int
	var name, comment string
	if _, err := pgx.ForEachRow(rows, []any{&name, &comment}, func() error {
		if things++; comment == "" {
			t.Errorf("%s has no comment", name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if things < 200 {
		t.Errorf("only %d things were found", things)
	}
}
