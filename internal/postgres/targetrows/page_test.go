package targetrows_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/postgres/database"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/targetrows"
	"sheetdrop/internal/target"
)

var prices = targetrows.Table{Schema: "data", Name: `my "prices"`, Key: []string{"shop", `a"b`}, Columns: []target.Column{
	{Name: "shop", Type: target.Text}, {Name: `a"b`, Type: target.Integer}, {Name: "net", Type: target.Decimal, Digits: 12, Scale: 2},
	{Name: "valid", Type: target.Date}, {Name: "seen", Type: target.Instant}, {Name: "stock", Type: target.Boolean}, {Name: "lead", Type: target.Duration},
}}

func newPrices(t *testing.T) *pgtest.Database {
	t.Helper()
	db := pgtest.New(t)
	db.Exec(t, `create schema data`)
	db.Exec(t, `create table data."my ""prices""" (shop text, "a""b" bigint, net numeric(12, 2), valid date, seen timestamptz, stock bool, lead interval,
  _load bigint not null default 0, _row bigint not null default 0, primary key (shop, "a""b"))`)
	db.Exec(t, `insert into data."my ""prices""" select chr(97 + n % 3), n, n * 1.5, date '2024-01-01' + n, timestamptz '2024-01-01 00:00Z' + n * interval '1 h',
  n % 2 = 0, n * interval '1 min', 1, n from generate_series(1, 250) n`)
	db.Exec(t, `update data."my ""prices""" set net = null where "a""b" = 9`)
	return db
}

// pages reads all pages and joins the chosen column's cells.
func pages(t *testing.T, db *pgtest.Database, q targetrows.Query, limit database.PageLimit) (cells []string, n int) {
	t.Helper()
	var after targetrows.Position
	for {
		tx := db.Begin(t)
		page, more, err := targetrows.Page(t.Context(), tx, prices, q, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		_ = tx.Rollback(t.Context())
		n++
		for _, r := range page {
			text := make([]string, len(r.Cells))
			for i, c := range r.Cells {
				text[i] = string(c)
				if c == nil {
					text[i] = "NULL"
				}
			}
			cells = append(cells, strings.Join(text, " "))
			after = r.Position
		}
		if !more {
			return cells, n
		}
		if len(page) == 0 {
			t.Fatal("an empty page has more behind it")
		}
	}
}

// Pages of any size are the whole table once, in the order of its key.
func TestPagesAreTheTable(t *testing.T) {
	t.Parallel()
	db := newPrices(t)
	want := pgtest.Query[[]string](t, db, `select array_agg(shop || ' ' || "a""b" order by shop, "a""b") from data."my ""prices"""`)
	for _, descending := range []bool{false, true} {
		for _, limit := range []database.PageLimit{{Rows: 1000, Bytes: 1 << 20}, {Rows: 250, Bytes: 1 << 20}, {Rows: 7, Bytes: 1 << 20}, {Rows: 1000, Bytes: 300}} {
			got, n := pages(t, db, targetrows.Query{Columns: []string{"shop", `a"b`}, Descending: descending}, limit)
			if !slices.Equal(got, want) {
				t.Errorf("%+v, descending %t: %d rows in %d pages, want the table's %d", limit, descending, len(got), n, len(want))
			}
			if pages := limit.Rows >= 250 && limit.Bytes > 300; pages != (n == 1) {
				t.Errorf("%+v: %d pages", limit, n)
			}
		}
		slices.Reverse(want)
	}
}

func TestFiltersOfRows(t *testing.T) {
	t.Parallel()
	db := newPrices(t)
	f := func(column string, operator targetrows.Operator, values ...string) targetrows.Filter {
		return targetrows.Filter{Column: column, Operator: operator, Values: values}
	}
	not := func(f targetrows.Filter) targetrows.Filter { f.Not = true; return f }
	for name, c := range map[string]struct {
		filters []targetrows.Filter
		sql     string
	}{
		"equal text":        {[]targetrows.Filter{f("shop", targetrows.Equal, "b")}, `shop = 'b'`},
		"a range":           {[]targetrows.Filter{f("net", targetrows.GreaterOrEqual, "10.5"), f("net", targetrows.Less, "20.005")}, `net >= 10.5 and net < 20.005`},
		"a list":            {[]targetrows.Filter{f(`a"b`, targetrows.In, "3", "5", "1000")}, `"a""b" in (3, 5)`},
		"not in a list":     {[]targetrows.Filter{not(f("shop", targetrows.In, "a", "b"))}, `shop = 'c'`},
		"null":              {[]targetrows.Filter{f("net", targetrows.IsNull)}, `net is null`},
		"not null":          {[]targetrows.Filter{not(f("net", targetrows.IsNull)), f("shop", targetrows.NotEqual, "a")}, `net is not null and shop <> 'a'`},
		"dates":             {[]targetrows.Filter{f("valid", targetrows.Greater, "2024-08-01"), f("stock", targetrows.Equal, "true")}, `valid > '2024-08-01' and stock`},
		"moments":           {[]targetrows.Filter{f("seen", targetrows.LessOrEqual, "2024-01-02T09:00:00+09:00")}, `seen <= '2024-01-02 00:00Z'`},
		"durations":         {[]targetrows.Filter{f("lead", targetrows.Less, "PT1H")}, `lead < '1 h'`},
		"quotes are values": {[]targetrows.Filter{f("shop", targetrows.Equal, `a' or 'a' = 'a`)}, `false`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := pgtest.Query[[]string](t, db, `select coalesce(array_agg("a""b"::text order by shop, "a""b"), '{}') from data."my ""prices""" where `+c.sql)
			got, _ := pages(t, db, targetrows.Query{Filters: c.filters, Columns: []string{`a"b`}}, database.PageLimit{Rows: 30, Bytes: 1 << 20})
			if !slices.Equal(got, want) {
				t.Errorf("rows %v, want %v", got, want)
			}
		})
	}
}

// Cells are what the engine writes for values of their types.
func TestCellsOfRows(t *testing.T) {
	t.Parallel()
	db := newPrices(t)
	got, _ := pages(t, db, targetrows.Query{Filters: []targetrows.Filter{{Column: `a"b`, Operator: targetrows.In, Values: []string{"9", "10"}}}}, database.PageLimit{Rows: 9, Bytes: 1 << 20})
	want := []string{"a 9 NULL 2024-01-10 2024-01-01 09:00:00+00 false PT9M", "b 10 15.00 2024-01-11 2024-01-01 10:00:00+00 true PT10M"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a person sends cannot be more than a condition that PostgreSQL can answer.
func TestRefusedQueries(t *testing.T) {
	t.Parallel()
	db := newPrices(t)
	ask := func(q targetrows.Query) error {
		tx := db.Begin(t)
		defer tx.Rollback(t.Context()) //nolint:errcheck // it may have ended
		_, _, err := targetrows.Page(t.Context(), tx, prices, q, nil, database.PageLimit{Rows: 1, Bytes: 1})
		return err
	}
	for column, value := range map[string]string{"net": "ten", "valid": "2024-13-01", `a"b`: "99999999999999999999", "lead": "soon", "stock": "perhaps"} {
		err := ask(targetrows.Query{Filters: []targetrows.Filter{{Column: column, Operator: targetrows.Equal, Values: []string{value}}}})
		if !errors.Is(err, targetrows.ErrBadValue) {
			t.Errorf("%s = %s: %v", column, value, err)
		}
	}
	for _, f := range []targetrows.Filter{{Column: "_load", Operator: targetrows.IsNull}, {Column: "xmin", Operator: targetrows.IsNull}, {Column: "net", Operator: "like", Values: []string{"1"}},
		{Column: "net", Operator: targetrows.Equal}} {
		if err := ask(targetrows.Query{Filters: []targetrows.Filter{f}}); err == nil {
			t.Errorf("%+v: no error", f)
		}
	}
	byNet := targetrows.Query{Filters: []targetrows.Filter{{Column: "net", Operator: targetrows.Greater, Values: []string{"1"}}}}
	db.Exec(t, fmt.Sprintf(`update pg_class set reltuples = %d where oid = 'data."my ""prices"""'::regclass`, targetrows.SmallTable+1))
	if err := ask(byNet); !errors.Is(err, targetrows.ErrNoIndex) {
		t.Errorf("a filter without index on a large table: %v", err)
	}
	db.Exec(t, `create index on data."my ""prices""" (net)`)
	db.Exec(t, fmt.Sprintf(`update pg_class set reltuples = %d where oid = 'data."my ""prices"""'::regclass`, targetrows.SmallTable+1))
	if err := ask(byNet); err != nil {
		t.Errorf("with an index: %v", err)
	}
}
