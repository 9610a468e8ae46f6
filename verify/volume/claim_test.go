package volume

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

const few = 300 // messages that wait where little is to do

// A claim looks at as much where millions of messages have been sent and many wait as where there are few. P10.
func TestClaimDoesNotGrow(t *testing.T) {
	t.Parallel()
	if *full {
		timesOfClaims(t)
		return
	}
	little := newClaims(t, devtest.Shared(t), few, 0)
	much := newClaims(t, devtest.Shared(t), 40_000, 100_000)
	if a, b := little.blocks(t, claimOnce), much.blocks(t, claimOnce); b > 2*a {
		t.Errorf("a claim looks at %d blocks where much is done and waits, and at %d where little does; want twice as many at the most", b, a)
	} else {
		t.Logf("a claim looks at %d blocks where much is done and waits, and at %d where little does", b, a)
	}
}

// A relay that has been at work for long, while little waited, claims from very many messages that come at once as one that has just begun: the
// server keeps the plans of a connection until it counts the table again. P10, P11.
func TestClaimDoesNotGrowByAFlood(t *testing.T) {
	t.Parallel()
	little, much := newClaims(t, devtest.Shared(t), 0, 0), newClaims(t, devtest.Shared(t), 0, 0)
	little.claimOften(t)
	little.add(t, claimed)
	much.claimOften(t)
	much.add(t, messages(60_000, 100_000))
	if a, b := little.blocks(t, claimOnce), much.blocks(t, claimOnce); b > 2*a+ofWarmUp {
		t.Errorf("a claim looks at %d blocks where many messages have come at once, and at %d where few have; want hardly more than twice as many", b, a)
	} else {
		t.Logf("a claim looks at %d blocks where many messages have come at once, and at %d where few have", b, a)
	}
}

// ofWarmUp are blocks that a connection may have looked at before, and that the server has not counted until it ends.
const ofWarmUp = 1_000

// claimOften claims where one message waits, more often than it takes for the server to keep a plan.
func (c *claims) claimOften(t *testing.T) {
	t.Helper()
	c.Exec(t, `alter table sheetdrop.outbox_message set (autovacuum_enabled = off)`) // which counts it again
	c.add(t, 1)
	c.Exec(t, `vacuum analyze sheetdrop.outbox_message`)
	for range 20 {
		if batch, err := c.db.ClaimMessages(t.Context(), task.NewID(), 0, time.Time{}, claimed); err != nil || len(batch) != 1 {
			t.Fatalf("claimed %d messages, %v", len(batch), err)
		}
	}
}

// timesOfClaims takes turns between a database where much is done and waits, and one where little does.
func timesOfClaims(t *testing.T) {
	const rounds, each = 15, 300
	servers := devtest.Private(t)
	little := newClaims(t, servers, few, 0)
	much := newClaims(t, servers, 100_000, messages(0, 5_000_000))
	var ofLittle, ofMuch []time.Duration
	for round := range rounds {
		var a, b []time.Duration
		for range each {
			a, b = append(a, little.claim(t)), append(b, much.claim(t))
		}
		ofLittle, ofMuch = append(ofLittle, p99(a)), append(ofMuch, p99(b))
		t.Logf("round %2d: p99 of a claim %s where little is done, %s where much is", round+1, ofLittle[round], ofMuch[round])
	}
	slices.Sort(ofLittle)
	slices.Sort(ofMuch)
	a, b := ofLittle[rounds/2], ofMuch[rounds/2]
	t.Logf("median of %d rounds of %d claims each: %s where little is done, %s where much is, %.2f ×", rounds, each, a, b, float64(b)/float64(a))
	if b > 2*a {
		t.Error("want 2 × at the most")
	}
}

func p99(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)*99/100]
}

// claims are those of one relay in a database of its own, over a connection that the server knows as a relay's.
type claims struct {
	*outbox
	db *postgres.DB
}

// newClaims makes a database with so many messages that wait and so many that were sent, over the days that are kept.
func newClaims(t *testing.T, servers *devstack.Stack, wait, done int) *claims {
	t.Helper()
	o := newOutboxOn(t, servers)
	o.add(t, wait)
	o.Exec(t, `insert into sheetdrop.outbox_history (day_slot, id, event_type, task_id, payload, attempts, created_at, processed_at)
select i % 14, id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id), 1, now(), now()
from (select gen_random_uuid() as id, i from generate_series(1, $1) i) m`, done)
	o.Exec(t, `vacuum analyze sheetdrop.outbox_message`)
	o.Exec(t, `vacuum analyze sheetdrop.outbox_history`)
	at, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	query := at.Query()
	query.Set("application_name", "relay")
	at.RawQuery = query.Encode()
	return &claims{o, pgtest.Open(t, at.String())}
}

// claim sends a batch, gives how long it took to claim it, and commits as many new messages.
func (c *claims) claim(t *testing.T) time.Duration {
	t.Helper()
	n, took := c.sendBatch(t)
	if n != claimed {
		t.Fatalf("claimed %d messages, want %d", n, claimed)
	}
	c.commit(t, claimed)
	return took
}

func claimOnce(t *testing.T, db *postgres.DB) {
	t.Helper()
	if batch, err := db.ClaimMessages(t.Context(), task.NewID(), lease, time.Time{}, claimed); err != nil || len(batch) != claimed {
		t.Fatalf("claimed %d messages, %v", len(batch), err)
	}
}

// blocks is how many blocks of tables and indexes a step looks at. The server has counted all when the connection has ended.
func (c *claims) blocks(t *testing.T, step func(t *testing.T, db *postgres.DB)) int {
	t.Helper()
	const looked = `select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::bigint from pg_statio_user_tables`
	c.Exec(t, `select pg_stat_force_next_flush()`) // what the test itself has looked at
	before := pgtest.Query[int](t, c.Database, looked)
	step(t, c.db)
	c.db.Close()
	c.awaitEnd(t)
	return pgtest.Query[int](t, c.Database, looked) - before
}
