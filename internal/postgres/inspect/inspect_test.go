package inspect_test

import (
	"testing"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/inspect"
	"sheetdrop/internal/postgres/pgtest"
)

const readOnlyTransaction = "25006"

// Whatever an inspection asks, with whatever rights, it cannot change the database: neither by a statement nor by a function that it calls.
func TestInspectionCannotWrite(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	db.AddUpload(t)
	d, err := inspect.Open(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	for _, sql := range []string{`delete from sheetdrop.task returning id::text`, `select nextval('sheetdrop.sheet_id')::text`, `create table mine (id int)`} {
		err := d.Read(t.Context(), func(q database.Querier) error {
			_, err := database.Column[string](t.Context(), q, sql)
			return err
		})
		if !database.HasState(err, readOnlyTransaction) {
			t.Errorf("%s: %v, want that the transaction is read-only", sql, err)
		}
	}
	if tasks := pgtest.Query[int64](t, db, `select count(*) from sheetdrop.task`); tasks != 1 {
		t.Errorf("%d tasks, want 1", tasks)
	}
}
