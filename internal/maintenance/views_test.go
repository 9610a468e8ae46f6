package maintenance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/sheetview"
	"sheetdrop/internal/task"
)

const integers, texts = `[{"name": "qty", "type": "integer", "format": "0", "digits": 1}]`, `[{"name": "qty", "type": "text"}]`

// reading completes a task of a file with a sheet of one row, whose cell is qty, and returns the sheet's id.
func (f *fixture) reading(t *testing.T, taskID uuid.UUID, columns, qty string) (sheet int64) {
	t.Helper()
	sheet = pgtest.Query[int64](t, f.Database, `insert into sheetdrop.sheet (id, task_id, number, name, visible, dialect, columns, rows_read, rows_loaded, rows_rejected, rows_skipped)
values (nextval('sheetdrop.sheet_id'), $1, 1, '', true, '{}', $2, 1, 1, 0, 0) returning id`, taskID, columns)
	f.Exec(t, `insert into sheetdrop.sheet_row (sheet_id, row_no, cells) values ($1, 1, array[$2])`, sheet, qty)
	f.Exec(t, `update sheetdrop.task set status = 'COMPLETED', attempt = 1, started_at = now(), finished_at = now(), summary = '{}' where id = $1`, taskID)
	return sheet
}

// again adds a later reading of a file.
func (f *fixture) again(t *testing.T, file uuid.UUID, options, columns, qty string) (taskID uuid.UUID) {
	t.Helper()
	taskID = task.NewID()
	f.Exec(t, `insert into sheetdrop.task (id, source_file_id, owner, options, created_at) values ($1, $2, 'local', $3, now() + interval '1 s')`, taskID, file, options)
	f.reading(t, taskID, columns, qty)
	return taskID
}

// makeView makes a view of a sheet as the API does.
func (f *fixture) makeView(t *testing.T, name string, sheet int64, pinned *bool) {
	t.Helper()
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		return sheetview.Create(ctx, tx, sheetview.New{ID: task.NewID(), Owner: "local", Name: name, SheetID: sheet, Pinned: pinned})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// refresh runs until no view is due: how many a run comes to depends on how long they take.
func (f *fixture) refresh(t *testing.T) {
	t.Helper()
	for due := 1; due > 0; {
		f.run(t)
		due = pgtest.Query[int](t, f.Database, `select count(*)::int from sheetdrop.sheet_view where stale_at <= now()`)
	}
}

func (f *fixture) wantShown(t *testing.T, view, want string) {
	t.Helper()
	if got := pgtest.Query[string](t, f.Database, `select coalesce(string_agg(qty::text, ','), 'nothing') from data.`+view); got != want {
		t.Errorf("%s shows %s, want %s", view, got, want)
	}
}

func (f *fixture) views(t *testing.T) (list string) {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select concat_ws(' ', (select string_agg(name, ',' order by name) from sheetdrop.sheet_view), '/',
  (select string_agg(viewname, ',' order by viewname) from pg_views where schemaname = 'data'))`)
}

// A view shows the newest reading of its file, also when that has other columns, and falls back when that reading is deleted. A pinned one
// stays, and so does one whose file was only tried out.
func TestViewsFollowTheirFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddSentUpload(t)
	first := f.reading(t, u.TaskID, integers, "1")
	pinned := true
	f.makeView(t, "moving", first, nil)
	f.makeView(t, "fixed", first, &pinned)
	f.refresh(t)
	f.wantShown(t, "moving", "1")

	f.again(t, u.File.ID, `{"dry_run": true}`, integers, "0")
	f.refresh(t)
	f.wantShown(t, "moving", "1")
	second := f.again(t, u.File.ID, `{}`, texts, "2")
	f.refresh(t)
	f.wantShown(t, "moving", "2")
	f.wantShown(t, "fixed", "1")
	if is := pgtest.Query[string](t, f.Database, `select pg_typeof(qty)::text from data.moving`); is != "text" {
		t.Errorf("the column is %s", is)
	}

	if err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.DeleteTaskRows(ctx, second)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	f.wantShown(t, "moving", "nothing")
	f.refresh(t)
	f.wantShown(t, "moving", "1")
	f.wantShown(t, "fixed", "1")
	if n := pgtest.Query[int](t, f.Database, `select count(*)::int from sheetdrop.sheet_view where stale_at is not null`); n != 0 {
		t.Errorf("%d views are looked at again and again", n)
	}
}

// A reading that is completed in the moment in which a view is made, or pointed to its file, is shown as well: nothing of the view could be
// marked at that time.
func TestViewsFollowAReadingOfTheirMoment(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u, other := f.AddSentUpload(t), f.AddSentUpload(t)
	first, others := f.reading(t, u.TaskID, integers, "1"), f.reading(t, other.TaskID, integers, "7")
	made := sheetview.New{ID: task.NewID(), Owner: "local", Name: "made", SheetID: first}
	if err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		err := sheetview.Create(ctx, tx, made)
		f.again(t, u.File.ID, `{}`, integers, "2")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	f.refresh(t)
	f.wantShown(t, "made", "2")
	made.SheetID = others
	if err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		err := sheetview.Point(ctx, tx, made)
		f.again(t, other.File.ID, `{}`, integers, "8")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	f.refresh(t)
	f.wantShown(t, "made", "8")
}

// A view goes with its file, at the latest in the next run, and one of rows that were deleted goes as well.
func TestViewsGoWithTheirFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	deleted, emptied, kept := f.AddSentUpload(t), f.AddSentUpload(t), f.AddSentUpload(t)
	f.makeView(t, "deleted", f.reading(t, deleted.TaskID, integers, "1"), nil)
	f.makeView(t, "emptied", f.reading(t, emptied.TaskID, integers, "2"), nil)
	f.makeView(t, "kept", f.reading(t, kept.TaskID, integers, "3"), nil)
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		file, err := tx.LockFile(ctx, "local", deleted.File.ID)
		if err == nil {
			err = tx.DeleteFile(ctx, file, task.NewID())
		}
		if err == nil {
			_, err = tx.DeleteTaskRows(ctx, emptied.TaskID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f.refresh(t)
	if got := f.views(t); got != "kept / kept" {
		t.Errorf("views: %s", got)
	}
	f.wantShown(t, "kept", "3")
}

// What others have built on a view is never dropped along: the view stays, empty, the log says why, once, and nobody tries again at once.
// When nothing depends on it any more, it goes.
func TestViewInUseIsKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.AddSentUpload(t)
	f.makeView(t, "prices", f.reading(t, u.TaskID, integers, "1"), nil)
	f.Exec(t, `create view public.report as select qty from data.prices`)
	f.again(t, u.File.ID, `{}`, texts, "2")
	f.refresh(t)
	f.wantShown(t, "prices", "1")
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now()`)
	f.refresh(t)
	f.wantShown(t, "prices", "nothing")
	if again := pgtest.Query[bool](t, f.Database, `select stale_at < now() + interval '50 min' or in_use_by <> '{public.report}' from sheetdrop.sheet_view`); again {
		t.Error("it is tried again soon, or is not known to be in use")
	}
	hourPasses := func() { f.Exec(t, `update sheetdrop.sheet_view set stale_at = stale_at - interval '1 h'`) }
	hourPasses()
	f.refresh(t)
	if lines := f.Log.Lines(t, "a view is left as it is, because others depend on it"); len(lines) != 1 || lines[0]["view_id"] == nil {
		t.Errorf("the log says %v", lines)
	}
	f.Exec(t, `drop view public.report`)
	hourPasses()
	f.refresh(t)
	if got := f.views(t); got != "/" {
		t.Errorf("views: %s", got)
	}
}

// A view that somebody has dropped in SQL stays away, whatever becomes of its file, and what has its name by now is nobody's to touch.
func TestViewThatIsNotThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	parsed, deleted := f.AddSentUpload(t), f.AddSentUpload(t)
	f.makeView(t, "parsed", f.reading(t, parsed.TaskID, integers, "1"), nil)
	f.makeView(t, "deleted", f.reading(t, deleted.TaskID, integers, "2"), nil)
	f.Exec(t, `drop view data.parsed`)
	f.Exec(t, `drop view data.deleted`)
	f.Exec(t, `create table data.deleted as select 3 as qty`)
	f.again(t, parsed.File.ID, `{}`, integers, "4")
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() where id = $1`, deleted.File.ID)
	f.refresh(t)
	if got := f.views(t); got != "/" {
		t.Errorf("views: %s", got)
	}
	f.wantShown(t, "deleted", "3")
}

// A view that cannot be brought in line, for whatever reason, keeps no other one from it.
func TestViewThatFails(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	bad, good := f.AddSentUpload(t), f.AddSentUpload(t)
	f.makeView(t, "bad", f.reading(t, bad.TaskID, integers, "1"), nil)
	f.makeView(t, "good", f.reading(t, good.TaskID, integers, "2"), nil)
	f.again(t, bad.File.ID, `{}`, `[{"name": "qty", "type": "money"}]`, "3") // a type that has no SQL
	f.again(t, good.File.ID, `{}`, integers, "4")
	f.Exec(t, `update sheetdrop.sheet_view set stale_at = now() - interval '1 s' where name = 'bad'`)
	if err := f.tick(t); err == nil || !strings.Contains(err.Error(), "no SQL") {
		t.Errorf("the run says %v", err)
	}
	f.refresh(t)
	f.wantShown(t, "bad", "1")
	f.wantShown(t, "good", "4")
}

// Somebody who reads a view for long keeps no other one from going.
func TestViewThatIsBeingRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	read, other := f.AddSentUpload(t), f.AddSentUpload(t)
	f.makeView(t, "read", f.reading(t, read.TaskID, integers, "1"), nil)
	f.makeView(t, "other", f.reading(t, other.TaskID, integers, "2"), nil)
	reader := f.Begin(t)
	if _, err := reader.Exec(t.Context(), `select from data.read`); err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now()`)
	f.refresh(t)
	if got := f.views(t); got != "read / read" {
		t.Errorf("views: %s", got)
	}
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `update sheetdrop.sheet_view set stale_at = stale_at - interval '1 min'`)
	f.refresh(t)
	if got := f.views(t); got != "/" {
		t.Errorf("views: %s", got)
	}
}
