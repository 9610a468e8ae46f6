package parse_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	parse "sheetdrop/parse-worker"
)

// uploadOf stores n small files of an owner and commits their tasks.
func (f *fixture) uploadOf(t *testing.T, owner string, n int) []postgres.Upload {
	t.Helper()
	uploads := make([]postgres.Upload, n)
	for i := range uploads {
		u := f.upload(t, "a\n1\n", func(u *postgres.Upload) { u.File.Owner = owner })
		uploads[i] = u
	}
	return uploads
}

// oneAtATime is a worker with room for one file: what it completes has an order.
func (f *fixture) oneAtATime(t *testing.T) *parse.Worker {
	t.Helper()
	narrow := usual
	narrow.Concurrency = 1
	return f.worker(t, narrow, "")
}

// completed are the owners of the completed tasks, in the order of their ends.
func (f *fixture) completed(t *testing.T) []string {
	t.Helper()
	return strings.Fields(pgtest.Query[string](t, f.Database, `select coalesce(string_agg(owner, ' ' order by finished_at), '')
from sheetdrop.task where status = 'COMPLETED'`))
}

// P11: whoever uploads a file beside another owner's many is served at the next turn, not when the others are done, and
// nothing is run twice when all messages have been delivered.
func TestFloodOfOneOwnerMakesNobodyWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.oneAtATime(t)
	flood := f.uploadOf(t, "flood", 20)
	for _, u := range flood[:5] {
		handle(t, w, u)
	}
	small := f.uploadOf(t, "small", 1)[0]
	handle(t, w, flood[5])
	f.wantTask(t, small.TaskID, "COMPLETED 1 0 0")
	for _, u := range append(flood[6:], small) {
		handle(t, w, u)
	}
	if got := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.task where status = 'COMPLETED' and attempt = 1`); got != 21 {
		t.Errorf("%d of 21 tasks are completed by their first run", got)
	}
}

// P11: owners who all have many files are served in turn, whoever's messages are at the head of the queue, and whether
// these are still needed.
func TestOwnersAreServedInTurn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.oneAtATime(t)
	const each = 6
	var queue []postgres.Upload
	for _, owner := range []string{"b", "c", "a"} {
		queue = append(queue, f.uploadOf(t, owner, each)...)
	}
	for _, u := range queue {
		handle(t, w, u)
	}
	got := f.completed(t)
	if len(got) != len(queue) {
		t.Fatalf("%d tasks are completed, want %d", len(got), len(queue))
	}
	served := map[string]int{"a": 0, "b": 0, "c": 0}
	for i, owner := range got[:len(got)-each] { // all have some left
		served[owner]++
		counts := slices.Sorted(maps.Values(served))
		if counts[2]-counts[0] > 2 {
			t.Fatalf("after %d files the owners have %v: %s", i+1, served, got)
		}
	}
}

// P11: a message whose task was run before its turn in the queue does not make the others wait either.
func TestMessageOfADoneTaskServesOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.oneAtATime(t)
	flood := f.uploadOf(t, "flood", 1)[0]
	handle(t, w, flood)
	small := f.uploadOf(t, "small", 1)[0]
	handle(t, w, flood)
	f.wantTask(t, small.TaskID, "COMPLETED 1 0 0")
}

// P2: a task that a worker died of, or that was returned again and again, is run by its own message alone, and one
// that was returned waits out its pause.
func TestOthersAreLeftToTheirPause(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.oneAtATime(t)
	flood := f.uploadOf(t, "flood", 2)
	dead, paused, often := f.uploadOf(t, "a", 1)[0], f.uploadOf(t, "b", 1)[0], f.uploadOf(t, "c", 1)[0]
	shared := f.uploadOf(t, "d", 1)[0]
	f.Exec(t, `update sheetdrop.task set crashes = 1 where id = $1`, dead.TaskID)
	f.Exec(t, `update sheetdrop.task set shared_deaths = 1 where id = $1`, shared.TaskID)
	f.Exec(t, `update sheetdrop.task set faults = 3, enqueued_at = now() + interval '1 hour' where id = $1`, paused.TaskID)
	f.Exec(t, `update sheetdrop.task set faults = 4, enqueued_at = now() - interval '1 hour' where id = $1`, often.TaskID)
	handle(t, w, flood[0])
	f.wantTask(t, dead.TaskID, "PENDING 0 1 0")
	f.wantTask(t, paused.TaskID, "PENDING 0 0 3")
	f.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '6 s' where id = $1`, paused.TaskID)
	handle(t, w, flood[1])
	f.wantTask(t, dead.TaskID, "PENDING 0 1 0")
	f.wantTask(t, paused.TaskID, "COMPLETED 1 0 3")
	f.wantTask(t, often.TaskID, "PENDING 0 0 4")
	f.wantTask(t, shared.TaskID, "PENDING 0 0 0")
}
