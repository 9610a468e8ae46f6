package testbed

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Commits returns how many transactions the server has counted in the database, as soon as the count stands still: a server tells what a
// connection did some time later. It asks from outside of the database, which would count the question.
func (a *App) Commits(ctx context.Context) (counted float64, err error) {
	address, err := url.Parse(a.URL)
	if err != nil {
		return counted, err
	}
	conn, err := pgx.Connect(ctx, a.testbed.stack.DatabaseURL)
	if err != nil {
		return counted, err
	}
	defer conn.Close(ctx)
	same := 0
	err = Await(ctx, 400*time.Millisecond, func() (bool, error) {
		var now float64
		err := conn.QueryRow(ctx, `select xact_commit from pg_stat_database where datname = $1`, strings.TrimPrefix(address.Path, "/")).Scan(&now)
		if same++; now != counted {
			same = 0
		}
		counted = now
		const quiet = 3 // more than the second for which a busy connection keeps its counts
		return same == quiet, err
	})
	return counted, err
}

// RowVersions returns how many versions of rows were written to the tables of the database so far, inserted and updated, as far as
// connections have told. What the server writes for itself, such as statistics, is not among them.
func (a *App) RowVersions(ctx context.Context) (counted float64, err error) {
	err = a.SQL.QueryRow(ctx, `select coalesce(sum(n_tup_ins + n_tup_upd), 0)::float8 from pg_stat_user_tables`).Scan(&counted)
	return counted, err
}
