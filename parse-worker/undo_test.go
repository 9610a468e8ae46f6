package parse_test

import (
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/target"
)

// loadOf returns the load that a task has made.
func (f *fixture) loadOf(t *testing.T, u postgres.Upload) int64 {
	t.Helper()
	return pgtest.Query[int64](t, f.Database, `select id from sheetdrop.target_load where task_id = $1`, u.TaskID)
}

// undoes makes a request one that takes a load back.
func undoes(load int64) func(*target.Request) { return func(r *target.Request) { r.Undo = load } }

// wantUndo compares what a task's summary says: rows removed, restored and kept.
func (f *fixture) wantUndo(t *testing.T, id uuid.UUID, want string) {
	t.Helper()
	got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, s->'removed', s->'restored', s->'kept')
from (select status, coalesce(summary->'undo', '{}') from sheetdrop.task where id = $1) as t (status, s)`, id)
	if got != want {
		t.Errorf("undo: %s, want %s", got, want)
	}
}

// T4: a load that is taken back leaves the table as if it had never been, whatever was loaded later; rows that somebody has edited stay, and
// are counted and named. Once is enough: a second time finds nothing to do.
func TestUndo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	send := func(content string, change ...func(*target.Request)) postgres.Upload {
		t.Helper()
		u := f.send(t, into, content, change...)
		handle(t, w, u)
		return u
	}
	send("article,net,valid_from\nA,1,2024-01-31\nB,2,2024-01-31\nC,3,2024-01-31\n")
	second := send("article,net\nA,10\nB,20\nC,3\nD,40\nE,50\n")
	third := send("article,net,valid_from\nB,20,2025-01-31\nC,30,2025-01-31\n")
	f.Exec(t, `update `+into.sql+` set net = 55 where article = 'E'`)
	f.wantTable(t, into, "A|10.00|2024-01-31", "B|20.00|2025-01-31", "C|30.00|2025-01-31", "D|40.00|-", "E|55.00|-")

	undo := send("-", undoes(f.loadOf(t, second)))
	f.wantUndo(t, undo.TaskID, "COMPLETED 1 1 1")
	f.wantTable(t, into, "A|1.00|2024-01-31", "B|20.00|2025-01-31", "C|30.00|2025-01-31", "E|55.00|-")
	if key := pgtest.Query[string](t, f.Database, `select summary->'undo'->'kept_keys'->>0 from sheetdrop.task where id = $1`, undo.TaskID); key != `{"article": "E"}` {
		t.Errorf("kept is %s, want E", key)
	}
	f.wantUndo(t, send("-", undoes(f.loadOf(t, second))).TaskID, "COMPLETED 0 0 0")
	f.wantTable(t, into, "A|1.00|2024-01-31", "B|20.00|2025-01-31", "C|30.00|2025-01-31", "E|55.00|-")

	f.wantUndo(t, send("-", undoes(f.loadOf(t, third))).TaskID, "COMPLETED 0 2 0")
	f.wantTable(t, into, "A|1.00|2024-01-31", "B|2.00|2024-01-31", "C|3.00|2024-01-31", "E|55.00|-")
}

// Taking back a load that replaced brings the rows back that it deleted, but for those that a later one would have deleted.
func TestUndoOfReplacement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices(func(def *target.Definition) { def.Mode, def.Partition = target.Replace, []string{"valid_from"} }))
	load := func(content string) int64 {
		t.Helper()
		u := f.send(t, into, content)
		handle(t, w, u)
		return f.loadOf(t, u)
	}
	load("article,net,valid_from\nA,1,2024-01-31\nB,2,2024-01-31\nC,3,2025-01-31\n")
	replaced := load("article,net,valid_from\nA,5,2024-01-31\n")
	later := load("article,net,valid_from\nD,6,2024-01-31\n")
	f.wantTable(t, into, "C|3.00|2025-01-31", "D|6.00|2024-01-31")
	handle(t, w, f.send(t, into, "-", undoes(later)))
	f.wantTable(t, into, "A|5.00|2024-01-31", "C|3.00|2025-01-31")
	handle(t, w, f.send(t, into, "-", undoes(replaced)))
	f.wantTable(t, into, "A|1.00|2024-01-31", "B|2.00|2024-01-31", "C|3.00|2025-01-31")
}

// T4: a load whose file was deleted is taken back like any: an undo reads no file. One that waits or runs while the file is deleted goes on.
func TestUndoOfADeletedFilesLoad(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	first := f.send(t, into, "article,net\nA,1\n")
	handle(t, w, first)
	second := f.send(t, into, "article,net\nA,2\nB,3\n")
	handle(t, w, second)
	waiting := f.again(t, first, into, "{}", undoes(f.loadOf(t, first)))
	f.deleteFile(t, first)
	f.deleteFile(t, second)
	handle(t, w, waiting)
	f.wantUndo(t, waiting.TaskID, "COMPLETED 0 0 0")
	f.wantTable(t, into, "A|2.00|-", "B|3.00|-")
	undo := f.again(t, second, into, "{}", undoes(f.loadOf(t, second)))
	handle(t, w, undo)
	f.wantUndo(t, undo.TaskID, "COMPLETED 2 0 0")
	f.wantTable(t, into)
}

func deletesFile(r *target.Request) { r.DeleteFile = true }

// A file that is deleted with its loads goes once all of them are taken back, one after the other, those whose place another has taken first.
// Where one cannot be taken back the file stays, and the task says so.
func TestFileGoesWithItsLoads(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	file := f.send(t, into, "article,net\nA,1\nB,2\n")
	handle(t, w, file)
	other := f.send(t, into, "article,net\nB,3\nC,4\n")
	handle(t, w, other)
	superseded := f.loadOf(t, file)
	parsed := f.again(t, file, into, "{}")
	handle(t, w, parsed)
	kept := f.again(t, file, into, "{}", func(r *target.Request) { r.KeepEarlier = true })
	handle(t, w, kept)
	f.Exec(t, `create table public.orders (article text constraint orders_article references `+into.sql+`); insert into public.orders values ('A')`)

	undo := f.again(t, file, into, "{}", undoes(superseded), deletesFile)
	for _, want := range []int64{f.loadOf(t, kept), f.loadOf(t, parsed)} {
		handle(t, w, undo)
		next := pgtest.Query[*uuid.UUID](t, f.Database, `select (summary->'undo'->>'next')::uuid from sheetdrop.task where id = $1 and status = 'COMPLETED'`, undo.TaskID)
		if next == nil {
			t.Fatalf("the undo of load %d is not followed by another", want)
		}
		undo.TaskID = *next
		undo.MessageID = pgtest.Query[uuid.UUID](t, f.Database, `select id from sheetdrop.outbox_message where task_id = $1 order by created_at limit 1`, next)
		if got := pgtest.Query[int64](t, f.Database, `select (options->'target'->>'undo')::bigint from sheetdrop.task where id = $1`, next); got != want {
			t.Fatalf("the next undo is of load %d, want %d", got, want)
		}
	}
	handle(t, w, undo)
	failed := pgtest.Query[string](t, f.Database, `select concat_ws(' ', t.status, t.error_code, t.error_detail, f.deleted_at is null)
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id where t.id = $1`, undo.TaskID)
	if want := "FAILED target_refuses The target's table refuses the load as a whole: orders_article. The file was not deleted. t"; failed != want {
		t.Errorf("the undo ended %s, want %s", failed, want)
	}

	f.Exec(t, `drop table public.orders`)
	undo = f.again(t, file, into, "{}", undoes(f.loadOf(t, parsed)), deletesFile)
	handle(t, w, undo)
	done := pgtest.Query[string](t, f.Database, `select concat_ws(' ', t.status, t.summary->'undo'->'file_deleted', f.deleted_at is not null, (
  select count(*) from sheetdrop.outbox_message where event_type = 'BLOB_DELETE'))
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id where t.id = $1`, undo.TaskID)
	if done != "COMPLETED true t 1" {
		t.Errorf("the last undo: %s, want it completed, the file deleted and one message for its bytes", done)
	}
	f.wantTable(t, into, "B|3.00|-", "C|4.00|-")
}

// A partition may be told by a duration: its rows are found again by an undo.
func TestUndoOfADurationsPartition(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, target.Definition{
		Name: "shifts", Key: []string{"who"}, Mode: target.Replace, Partition: []string{"length"},
		Columns: []target.Column{{Name: "who", Type: target.Text, Required: true}, {Name: "length", Type: target.Duration}},
	})
	load := func(content string) int64 {
		t.Helper()
		u := f.send(t, into, "who,length\n"+content)
		handle(t, w, u)
		return f.loadOf(t, u)
	}
	load("A,27:30\nB,30:00\n")
	replaced := load("C,27:30\n")
	load("D,27:30\n")
	handle(t, w, f.send(t, into, "-", undoes(replaced)))
	if got := pgtest.Query[string](t, f.Database, `select string_agg(who, '' order by who) from `+into.sql); got != "BD" {
		t.Errorf("the table has %s, want B and D: A would have been replaced by D's file", got)
	}
}

// What is taken back, and is not there, ends the task with a reason.
func TestUndoOfNoLoad(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	u := f.send(t, into, "-", undoes(99))
	handle(t, w, u)
	if got := pgtest.Query[string](t, f.Database, `select status || ' ' || error_code from sheetdrop.task where id = $1`, u.TaskID); got != "FAILED target_dropped" {
		t.Error(got)
	}
}

// Rows that others refer to cannot be taken out. The task says so and nothing has changed; the loads behind it go on.
func TestUndoOfRowsThatOthersReferTo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	first := f.send(t, into, "article,net\nA,1\nB,2\n")
	handle(t, w, first)
	f.Exec(t, `create table public.orders (article text constraint orders_article references `+into.sql+`); insert into public.orders values ('A')`)
	undo, next := f.send(t, into, "-", undoes(f.loadOf(t, first))), f.send(t, into, "article,net\nC,3\n")
	handle(t, w, undo)
	if got := pgtest.Query[string](t, f.Database, `select status || ' ' || error_code || ' ' || error_detail from sheetdrop.task where id = $1`, undo.TaskID); got !=
		"FAILED target_refuses The target's table refuses the load as a whole: orders_article." {
		t.Error(got)
	}
	handle(t, w, next)
	f.wantTable(t, into, "A|1.00|-", "B|2.00|-", "C|3.00|-")
}

// An undo that waits for a row that somebody edits keeps nobody from the target's claims and cancels, and is returned, uncounted, before
// long.
func TestUndoThatMeetsALockIsReturned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w, into := f.worker(t, usual, ""), f.target(t, prices())
	first := f.send(t, into, pricesFile)
	handle(t, w, first)
	u := f.send(t, into, "-", undoes(f.loadOf(t, first)))
	editor := f.Begin(t)
	if _, err := editor.Exec(t.Context(), `select from data.prices where article = 'A' for update`); err != nil {
		t.Fatal(err)
	}
	wait := start(t.Context(), w, u)
	f.Await(t, lockAwaited)
	f.Exec(t, `select from sheetdrop.target where id = $1 for no key update nowait`, into.id)
	if err := wait(); err != nil {
		t.Error(err)
	}
	f.wantTask(t, u.TaskID, "PENDING 1 0 1")
	if err := editor.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	handle(t, w, u)
	f.wantUndo(t, u.TaskID, "COMPLETED 2 0 0")
	f.wantTable(t, into)
}
