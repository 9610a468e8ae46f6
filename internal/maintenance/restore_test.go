package maintenance_test

import (
	"log/slog"
	"sync"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/postgres/pgtest"
)

// Operators are woken up by a restore only: not by processes that run at the same time, nor by a store that was away, nor by a
// container whose epoch is behind or missing, as after an upgrade or a lost answer.
func TestNoRecoveryWithoutARestore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	direct, _, err := azure.Open(f.storage())
	if err != nil {
		t.Fatal(err)
	}
	second, err := maintenance.New(defaults(), f.DB, f.Queue, direct, slog.New(slog.NewJSONHandler(f.Log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for round := range 6 {
		switch round {
		case 2:
			f.BlobProxy.Cut()
		case 3:
			f.BlobProxy.Restore(t)
		case 4:
			f.Exec(t, `update sheetdrop.reconciler set epoch = epoch + 1`) // whose writing to the container was lost
		}
		var runs sync.WaitGroup
		for _, runner := range []*maintenance.Runner{f.Runner, second} {
			runs.Go(func() {
				for range 3 {
					if err := runner.Run(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		runs.Wait()
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.recovery`); n != 0 {
		t.Errorf("%d recoveries", n)
	}
	epoch, err := direct.Epoch(t.Context())
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
