package parse_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	parse "sheetdrop/parse-worker"
)

// P9: no more loads run at once than the setting says. A message that finds no room before its call ends is delivered again; its task is
// not touched.
func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	narrow := usual
	narrow.Concurrency = 1
	w := f.worker(t, narrow, "")
	running, waiting := f.upload(t, "a\n1\n"), f.upload(t, "a\n2\n")
	wait := f.startHanging(t.Context(), t, w, running)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := w.Handle(ctx, message(waiting)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the second message: %v, want %v", err, context.DeadlineExceeded)
	}
	f.wantTask(t, waiting.TaskID, "PENDING 0 0 0")
	f.BlobProxy.Restore(t)
	if err := wait(); err != nil {
		t.Error(err)
	}
	handle(t, w, waiting)
	f.wantTask(t, waiting.TaskID, "COMPLETED 1 0 0")
}

// P2: a file that may have killed its workers has one to itself: it waits for the runs that are there, and nothing runs beside it.
func TestSuspectRunsAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var log devtest.Log
	w, err := parse.New(usual, pgtest.Open(t, f.URL), pgtest.Open(t, f.URL), f.Through, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	before, suspect, after := f.upload(t, "a\n1\n"), f.upload(t, "a\n2\n"), f.upload(t, "a\n3\n")
	f.Exec(t, `update sheetdrop.task set shared_deaths = 2 where id = $1`, suspect.TaskID)
	f.BlobProxy.Hang()
	waits := []func() error{start(t.Context(), w, before)}
	f.Await(t, `select status = 'PROCESSING' from sheetdrop.task where id = $1`, before.TaskID)
	waits = append(waits, start(t.Context(), w, suspect))
	await.Until(t, "the suspect waits", func() bool { return strings.Contains(log.String(), "waits for the other runs") })
	waits = append(waits, start(t.Context(), w, after))
	f.wantTask(t, suspect.TaskID, "PENDING 0 0 0")
	f.BlobProxy.Restore(t)
	for _, wait := range waits {
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
	f.wantTask(t, suspect.TaskID, "COMPLETED 1 0 0")
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.task t join sheetdrop.task s on s.id = $1
where t.id <> s.id and (t.status <> 'COMPLETED' or t.started_at < s.finished_at and t.finished_at > s.started_at)`, suspect.TaskID); n != 0 {
		t.Errorf("%d other runs went on at the same time, or did not complete", n)
	}
}

// Heartbeats have a connection of their own: a lease is kept while everything else waits for one.
func TestBusyPoolCostsNoLease(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.upload(t, "a\n1\n")
	busy := pgtest.Open(t, f.URL)
	wait := f.startHanging(t.Context(), t, f.workerWith(t, usual, busy, f.Through), u)
	release := make(chan struct{})
	var held, ended sync.WaitGroup
	for range busy.MaxConns() {
		held.Add(1)
		ended.Go(func() {
			once := sync.OnceFunc(held.Done)
			_ = busy.InTx(t.Context(), nil, func(context.Context, postgres.Tx) error { // its connection is all that matters
				once()
				<-release
				return pgx.ErrTxClosed
			})
		})
	}
	held.Wait()
	f.Exec(t, `update sheetdrop.task set locked_until = now() + interval '1 s'`)
	f.Await(t, `select locked_until > now() + interval '20 s' from sheetdrop.task`)
	close(release)
	ended.Wait()
	f.BlobProxy.Restore(t)
	if err := wait(); err != nil {
		t.Error(err)
	}
}
