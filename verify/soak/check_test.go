//go:build linux

package soak

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
)

// checkUploads holds every file that was accepted, and each of its tasks, against what its caller was promised.
func (s *soak) checkUploads(t *testing.T) {
	t.Helper()
	for _, d := range s.unsure {
		file, job, err := s.lookUp(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if job != uuid.Nil {
			s.acceptedDirectly(d, file, job)
		}
	}
	byEnd := map[string]int{}
	rows, count := 0, 0
	for _, u := range s.uploads {
		tasks := s.checkTasks(t, u)
		for _, task := range tasks {
			byEnd[task.Status]++
			s.explain(task)
			if task.Sheets != "" {
				rows += u.rows
			}
		}
		s.checkBlob(t, u)
		count += len(tasks)
	}
	s.checkCounted(t, count)
	if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.source_file`); n != len(s.uploads) {
		t.Errorf("seed %d: %d files, want the %d that were accepted", s.seed, n, len(s.uploads))
	}
	t.Logf("%d uploads accepted, %d requests without an answer, tasks %v, %d rows compared", len(s.uploads), s.unanswered.Load(), byEnd, rows)
}

// found is a task as it is in the end.
type found struct {
	First    bool
	Undo     bool // takes a load of the file back
	Status   string
	Code     string
	Deaths   int
	Started  *time.Time
	Finished time.Time
	Adds     bool   // whether the summary adds up
	Sheets   string // see describe
	Whole    string // the row, for people
}

// describe gives each sheet of task t with the counts and checksums of its rows and rejects; of a FAILED task only sheets that have rows.
const describe = `coalesce((
  select string_agg(format('%s: rows %s rejects %s', s.number, rows.d, rejects.d), '; ' order by s.number)
  from sheetdrop.sheet s,
  lateral (
    select concat(count(*), ' ', md5(coalesce(string_agg(
      md5(row_no || chr(31) || array_to_string(cells, chr(31), chr(30))), '' order by row_no), ''))) as d
    from sheetdrop.sheet_row where sheet_id = s.id
  ) rows,
  lateral (
    select concat(count(*), ' ', md5(coalesce(string_agg(
      md5(convert_to(row_no || chr(31) || code || chr(31), 'UTF8') || raw), '' order by row_no, error_no), ''))) as d
    from sheetdrop.row_reject where sheet_id = s.id
  ) rejects
  where s.task_id = t.id and (t.status <> 'FAILED' or exists (select from sheetdrop.sheet_row where sheet_id = s.id))
), '')`

// checkTasks holds the tasks of a file against P2, P3 and P5.
func (s *soak) checkTasks(t *testing.T, u *upload) []found {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), `select t.id = $2 as first, t.kind = 'UNDO' as undo, t.status, coalesce(t.error_code, '') as code, t.crashes + t.shared_deaths as deaths,
  t.started_at as started, t.finished_at as finished,
  t.summary is null or (t.summary->>'rows_read')::int
    = (t.summary->>'rows_loaded')::int + (t.summary->>'rows_rejected')::int + (t.summary->>'rows_skipped')::int as adds,
  `+describe+` as sheets, t::text as whole
from sheetdrop.task t where t.source_file_id = $1 order by t.id`, u.file, u.task)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := pgx.CollectRows(rows, pgx.RowToStructByName[found])
	if err != nil {
		t.Fatal(err)
	}
	if least := 1 + u.again; len(tasks) < least || len(tasks) > least+u.doubtful {
		s.complain(t, u, tasks, fmt.Sprintf("%d tasks, want %d and at most %d more", len(tasks), least, u.doubtful))
	}
	for _, task := range tasks {
		if why := u.wrong(task); why != "" {
			s.complain(t, u, tasks, why)
		}
	}
	return tasks
}

// wrong says what is wrong with a task, or "".
func (u *upload) wrong(task found) string {
	want := u.want
	if u.deleted || u.emptied && task.First || task.Undo {
		want = ""
	}
	cancelled := task.Status == "CANCELLED" && (u.deleted || u.cancelled && task.First)
	switch {
	case u.surely && task.First && task.Status != "CANCELLED" && !u.deleted:
		return "the task is " + task.Status + ", and its caller was told CANCELLED"
	case cancelled && task.Sheets != "":
		return "a cancelled task has rows: " + task.Sheets
	case cancelled:
		return ""
	case task.Status != u.status || task.Code != u.code:
		return fmt.Sprintf("a task is %s %s after %d deaths, want %s %s", task.Status, task.Code, task.Deaths, u.status, u.code)
	case task.Sheets != want:
		return fmt.Sprintf("the sheets are %q, want %q", task.Sheets, want)
	case !task.Adds:
		return "the summary does not add up"
	}
	return ""
}

// mostComplaints are told in full.
const mostComplaints = 20

// complain names all that helps to find out what happened to a file.
func (s *soak) complain(t *testing.T, u *upload, tasks []found, why string) {
	t.Helper()
	if s.complaints++; s.complaints > mostComplaints {
		t.Errorf("seed %d: upload %d: %s", s.seed, u.number, why)
		return
	}
	rows := ""
	for _, task := range tasks {
		rows += "\n  " + task.Whole
	}
	messages := s.lines(t, `select h::text from sheetdrop.outbox_history h
where task_id in (select id from sheetdrop.task where source_file_id = $1) order by created_at`, u.file)
	t.Errorf("seed %d: upload %d (%s, file %s, task %s), accepted after %s: %s\ntasks:%s\nmessages:%s\nfaults:%s", s.seed, u.number, u.name,
		u.file, u.task, u.accepted.Round(time.Millisecond), why, rows, messages, s.journal.near(u.accepted, u.accepted+20*time.Second))
}

// checkBlob compares the bytes that are kept with those that were sent. P1.
func (s *soak) checkBlob(t *testing.T, u *upload) {
	t.Helper()
	name := pgtest.Query[string](t, s.Database, `select coalesce((
  select blob_name from sheetdrop.source_file where id = $1 and (deleted_at is not null) = $2
), '')`, u.file, u.deleted)
	if name == "" {
		t.Errorf("seed %d: upload %d: file %s is not there, or its deletion is wrong", s.seed, u.number, u.file)
		return
	}
	stream, _, err := s.blobs.Download(t.Context(), name, "")
	if u.deleted {
		if !errors.Is(err, azure.ErrBlobNotFound) {
			t.Errorf("seed %d: upload %d: the bytes of the deleted file %s: %v, want none", s.seed, u.number, u.file, err)
		}
		return
	}
	if err != nil {
		t.Errorf("seed %d: upload %d: the bytes of file %s: %v", s.seed, u.number, u.file, err)
		return
	}
	defer stream.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, stream)
	if err != nil || int(size) != u.size || [sha256.Size]byte(sum.Sum(nil)) != u.sum {
		t.Errorf("seed %d: upload %d: file %s has %d bytes, %v, which are not the %d that were sent", s.seed, u.number, u.file, size, err, u.size)
	}
}
