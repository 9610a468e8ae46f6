package volume

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/postgres/pgtest"
)

// sizes are bytes on disk, by the name of a relation.
type sizes map[string]int64

// sizes returns those of the table of live messages, of its indexes together and alone, and of all in all.
func (o *outbox) sizes(t *testing.T) sizes {
	t.Helper()
	return pgtest.Query[sizes](t, o.Database, `with live as (select 'sheetdrop.outbox_message'::regclass as live)
select jsonb_object_agg(name, bytes) from (
  select 'all in all' as name, pg_total_relation_size(live) as bytes from live
  union all select 'indexes', pg_indexes_size(live) from live
  union all select relname, pg_relation_size(oid) from pg_class join live on oid = live
  union all select relname, pg_relation_size(oid) from pg_class join pg_index on indexrelid = oid join live on indrelid = live) sizes`)
}

// vacuums is how often autovacuum has been through the table of live messages. Nobody else vacuums it.
func (o *outbox) vacuums(t *testing.T) int {
	t.Helper()
	return pgtest.Query[int](t, o.Database, `select pg_stat_get_autovacuum_count('sheetdrop.outbox_message'::regclass)`)
}

// What has been sent leaves its room to what comes: autovacuum, by the table's own settings, keeps the table of live messages as small as
// those that are there at once. P10.
func TestSizeStaysFlat(t *testing.T) {
	t.Parallel()
	if *full {
		steadyStream(t)
		return
	}
	o := newOutboxOn(t, newServers(t, "autovacuum_naptime", "1s"))
	const n = 2_000 // twice the dead rows that autovacuum lets lie
	o.commit(t, n)
	first := o.sizes(t)
	for range 5 {
		vacuums := o.vacuums(t)
		for sent := 1; sent > 0; {
			sent, _ = o.sendBatch(t)
		}
		o.Database.Await(t, `select pg_stat_get_autovacuum_count('sheetdrop.outbox_message'::regclass) > $1`, vacuums)
		o.commit(t, n)
	}
	wantFlat(t, first, o.sizes(t), 3) // some wait for the next vacuum
}

// steadyStream samples the sizes a hundred times while messages come and go, and empties the queue in between, which has to live too.
func steadyStream(t *testing.T) {
	o := newOutbox(t)
	n := messages(0, 1_000_000) / 100 * 100
	began := time.Now()
	stop := runRepeatedly(t, o.relay(t, "10s"))
	first, later := sizes{}, sizes{}
	for percent := 1; percent <= 100; percent++ {
		o.stream(t, n/100, *rate)
		now := o.sizes(t)
		if percent <= 10 {
			first.add(now)
		} else {
			later.add(now)
		}
		t.Logf("%3d %%, %s: %s, %d vacuums", percent, time.Since(began).Round(time.Second), now, o.vacuums(t))
		if _, err := o.queue.ClearMessages(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	o.Database.Await(t, `select count(*) = 0 from sheetdrop.outbox_message`)
	took := time.Since(began)
	stop()
	if sent := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.outbox_history`); sent != n {
		t.Errorf("%d messages are in the history, want %d", sent, n)
	}
	t.Logf("%d messages in %s, %.0f a second", n, took.Round(time.Second), float64(n)/took.Seconds())
	t.Logf("largest in the first tenth: %s", first)
	t.Logf("largest after that: %s", later)
	wantFlat(t, first, later, 1.2)
}

// add keeps the larger of each two.
func (s sizes) add(other sizes) {
	for name, bytes := range other {
		s[name] = max(s[name], bytes)
	}
}

// wantFlat judges the indexes together: one of them has so few pages that a handful more is a fifth of it.
func wantFlat(t *testing.T, first, later sizes, most float64) {
	t.Helper()
	for _, name := range []string{"outbox_message", "indexes", "all in all"} {
		if ratio := float64(later[name]) / float64(first[name]); !(ratio <= most) {
			t.Errorf("%s has grown from %d to %d bytes, %.2f ×, want %.1f × at the most", name, first[name], later[name], ratio, most)
		}
	}
}

func (s sizes) String() string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		texts = append(texts, fmt.Sprintf("%s %.1f MiB", strings.TrimPrefix(name, "outbox_message_"), float64(s[name])/(1<<20)))
	}
	return strings.Join(texts, ", ")
}
