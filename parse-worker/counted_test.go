package parse_test

import (
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	parse "sheetdrop/parse-worker"
)

// P2: a run that ended by a transient error does not count as an attempt, one that ended by an internal error does, and
// one with an unknown error does not. Only the last is logged as an error, so that somebody looks at it.
func TestWhichErrorsAreCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `create table sheetdrop.refusal (code text)`)
	f.Exec(t, `create function sheetdrop.refuse() returns trigger language plpgsql as $$ begin
  raise 'refused' using errcode = (select code from sheetdrop.refusal);
end $$`)
	f.Exec(t, `create trigger refuse before insert on sheetdrop.sheet for each row execute function sheetdrop.refuse()`)
	for codes, want := range map[string]string{
		"08006 08P01 25006 40001 40P01 42501 53100 53200 53300 55P03 57014 57P01 57P03 58030": "PENDING 1 0 1 WARN",
		"22021 23505 23514 42P01 54000": "PENDING 1 1 0 WARN",
		"55000 P0001 XX000":             "PENDING 1 0 1 ERROR",
	} {
		for code := range strings.FieldsSeq(codes) {
			f.Exec(t, `delete from sheetdrop.refusal`)
			f.Exec(t, `insert into sheetdrop.refusal values ($1)`, code)
			log := new(devtest.Log)
			w, err := parse.New(usual, f.DB, f.DB, f.Blobs, slog.New(slog.NewJSONHandler(log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			u := f.upload(t, "a\n1\n")
			handle(t, w, u)
			got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, attempt, crashes, faults) from sheetdrop.task where id = $1`, u.TaskID)
			if level := regexp.MustCompile(`"level":"(\w+)","msg":"run ended"`).FindStringSubmatch(log.String()); len(level) == 0 || got+" "+level[1] != want {
				t.Errorf("SQLSTATE %s: task %s, want %s; logged is %s", code, got, want, log)
			}
			f.wantMessages(t, u.TaskID, 1)
		}
	}
	f.wantRows(t)
}

// A store that rejects the app, or has lost its container, is at fault, not the file.
func TestStorageRefusalsAreNotCounted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	parts := devtest.Storage(t)
	wrongKey := strings.Replace(parts.ConnectionString, "AccountKey=E", "AccountKey=F", 1)
	if wrongKey == parts.ConnectionString {
		t.Fatal("the key was not changed")
	}
	for name, s := range map[string]azure.Settings{
		"wrong key":    {Connection: wrongKey, Container: parts.Container, Queue: parts.Queue},
		"no container": {Connection: parts.ConnectionString, Container: "no-such-container", Queue: parts.Queue},
	} {
		blobs, _, err := azure.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		u := f.upload(t, "a\n1\n")
		handle(t, f.workerWith(t, usual, f.DB, blobs), u)
		if got := pgtest.Query[string](t, f.Database, `select concat_ws(' ', status, attempt, crashes, faults) from sheetdrop.task where id = $1`, u.TaskID); got != "PENDING 1 0 1" {
			t.Errorf("%s: task %s, want PENDING 1 0 1", name, got)
		}
	}
}

// P2: a disk that is full for everybody fails no task, however long. A file that alone needs more space than there is,
// and has all of it each time, is not tried for ever; meanwhile it leaves the disk to others, and in the end operators
// are alerted.
func TestFileThatFillsTheDisk(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `alter table sheetdrop.sheet_row set (autovacuum_enabled = false)`) // so that the test says when room is made
	f.Exec(t, `create function sheetdrop.extend() returns trigger language plpgsql as $$ begin
  if pg_relation_size('sheetdrop.sheet_row') > 48 << 20 then
    raise 'could not extend file: No space left on device' using errcode = 'disk_full';
  end if;
  return null;
end $$`)
	f.Exec(t, `create trigger extend before insert on sheetdrop.sheet_row for each statement execute function sheetdrop.extend()`)
	w := f.worker(t, usual, "")
	large, small := f.upload(t, largeText(60_000)), f.upload(t, "a\n1\n")

	handle(t, w, large)
	f.wantTask(t, large.TaskID, "PENDING 1 1 0")
	if !pgtest.Query[bool](t, f.Database, `select bool_and(next_attempt_at > now() + interval '10 min') from sheetdrop.outbox_message`) {
		t.Error("the disk is filled again at once")
	}
	handle(t, w, small) // what was rolled back still takes its room
	handle(t, w, large)
	f.wantTask(t, small.TaskID, "PENDING 1 0 1")
	f.wantTask(t, large.TaskID, "PENDING 2 1 1")

	f.Exec(t, `vacuum sheetdrop.sheet_row`)
	handle(t, w, small)
	f.wantTask(t, small.TaskID, "COMPLETED 2 0 1")
	f.Exec(t, `update sheetdrop.task set crashes = 4 where id = $1`, large.TaskID)
	handle(t, w, large)
	f.wantTask(t, large.TaskID, "FAILED 3 5 0 database_full")
	f.wantRows(t, "{1}")
	if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.alert where subject = $1 and code = 'database_full'`, large.TaskID.String()); n != 1 {
		t.Errorf("%d alerts, want 1", n)
	}
}
