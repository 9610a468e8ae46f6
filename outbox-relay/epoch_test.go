package outbox_test

import (
	"log/slog"
	"sync"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
	outbox "sheetdrop/outbox-relay"
)

// Operators are woken up by a restore only: not by relays that run at the same time, nor by a store that was away, nor by a container whose
// epoch is behind or missing, as after an upgrade or a lost answer.
func TestNoRecoveryWithoutARestore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	blobs, queue, err := azure.Open(settings(f.parts))
	if err != nil {
		t.Fatal(err)
	}
	second, err := outbox.New(relaySettings(), f.DB, queue, blobs, slog.New(slog.NewJSONHandler(f.Log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	for round := range 6 {
		switch round {
		case 2:
			f.BlobProxy.Cut()
		case 3:
			f.BlobProxy.Restore(t)
		case 4:
			f.Exec(t, `update sheetdrop.reconciler set epoch = epoch + 1`) // whose writing to the container was lost
		}
		var relays sync.WaitGroup
		for _, relay := range []*outbox.Relay{f.Relay, second} {
			relays.Go(func() {
				for range 3 {
					if err := relay.Run(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		relays.Wait()
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.recovery`); n != 0 {
		t.Errorf("%d recoveries", n)
	}
	epoch, err := blobs.Epoch(t.Context())
	if err != nil || epoch != pgtest.Query[int64](t, f.Database, `select epoch from sheetdrop.reconciler`) || epoch < 6 {
		t.Errorf("the container's epoch is %d, %v", epoch, err)
	}
}

// P1: a second restore, to an earlier moment, during the recovery from the first one widens it.
func TestSecondRestoreWidensTheRecovery(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.run(t)
	restored := func(ago string) string {
		t.Helper()
		f.Exec(t, `update sheetdrop.reconciler set epoch = 0, ran_at = now() - $1::text::interval`, ago)
		f.run(t)
		return pgtest.Query[string](t, f.Database, `select concat_ws(' ', count(*), min((extract(epoch from now() - restored_to) / 3600)::int)) from sheetdrop.recovery`)
	}
	for _, r := range []struct{ ago, want string }{{"2 h", "1 2"}, {"5 h", "1 5"}, {"3 h", "1 5"}} {
		if got := restored(r.ago); got != r.want {
			t.Errorf("restored to %s ago: recoveries and how far back: %s, want %s", r.ago, got, r.want)
		}
	}
}
