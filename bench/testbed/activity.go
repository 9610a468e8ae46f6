package testbed

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Activity is what the server has counted in a database.
type Activity struct {
	Versions float64 // of rows: inserted and updated
	Commits  float64
}

// Activity returns the counts as soon as they stand still: a server tells what a connection did some time later. It asks from outside of
// the database, which would count the question.
func (a *App) Activity(ctx context.Context) (counted Activity, err error) {
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
		var now Activity
		err := conn.QueryRow(ctx, `select tup_inserted + tup_updated, xact_commit from pg_stat_database where datname = $1`,
			strings.TrimPrefix(address.Path, "/")).Scan(&now.Versions, &now.Commits)
		if same++; now != counted {
			same = 0
		}
		counted = now
		const quiet = 3 // more than the second for which a busy connection keeps its counts
		return same == quiet, err
	})
	return counted, err
}
