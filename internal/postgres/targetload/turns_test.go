package targetload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
)

// way is one of several to do the same. do returns how long it took to the end of COMMIT from when it may have locked rows; 0 where that is not of
// interest.
type way struct {
	name string
	do   func(t testing.TB) (locked time.Duration)
}

// figures are those of a way's rounds.
type figures struct {
	seconds, ratios, locked []float64
	log                     int64 // bytes of the last round
}

// compare measures several ways as many times as -benchtime says, each time beside the first one and in another order, after what prepares each. It
// logs the median of each one's rate, of the ratios of rates to the first way's in the same round, and of the time with locks; and the log written.
func (b *bench) compare(name string, prepare func(t testing.TB), ways ...way) {
	b.Run(name, func(t *testing.B) {
		all := make([]figures, len(ways))
		for round := 0; t.Loop(); round++ {
			for i := range ways {
				at := (i + round) % len(ways)
				prepare(t)
				b.measure(t, ways[at], &all[at])
			}
			for i := range all {
				all[i].ratios = append(all[i].ratios, all[0].seconds[round]/all[i].seconds[round])
			}
		}
		var table strings.Builder
		for i, f := range all {
			fmt.Fprintf(&table, "\n%-28s %8.0f rows/s  %.2f × (%.2f to %.2f)  %5.0f B of log a row", ways[i].name, float64(*benchRows)/median(f.seconds), median(f.ratios),
				slices.Min(f.ratios), slices.Max(f.ratios), float64(f.log)/float64(*benchRows))
			if longest := slices.Max(f.locked); longest > 0 {
				fmt.Fprintf(&table, "  %.1f s with locks, %.1f at the most", median(f.locked), longest)
			}
		}
		t.Logf("%d rows, %d rounds%s", *benchRows, len(all[0].seconds), table.String())
	})
}

func (b *bench) measure(t testing.TB, w way, f *figures) {
	t.Helper()
	b.db.Exec(t, `checkpoint`)
	const written = `select (pg_current_wal_insert_lsn() - '0/0')::bigint`
	before := pgtest.Query[int64](t, b.db, written)
	began := time.Now()
	locked := w.do(t)
	f.seconds = append(f.seconds, time.Since(began).Seconds())
	f.locked = append(f.locked, locked.Seconds())
	f.log = pgtest.Query[int64](t, b.db, written) - before
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
