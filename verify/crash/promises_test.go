package crash

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres/pgtest"
)

// witness lets the database itself look at every commit from now on, and write down where a task waits for a worker without a message that
// asks for it. The outcome would not tell: the queue delivers once more what a dead worker had not acknowledged, and the reconciler mends
// the rest after minutes.
func (s *scene) witness(t *testing.T) {
	t.Helper()
	s.Exec(t, `create table public.witnessed (task_id uuid, was text)`)
	s.Exec(t, `create function public.witness() returns trigger language plpgsql as $$ begin
  if not exists (select from sheetdrop.outbox_message where task_id = new.id and status in ('PENDING', 'PROCESSING')) then
    insert into public.witnessed values (new.id, case tg_op when 'UPDATE' then old.status else 'nothing' end);
  end if;
  return null;
end $$`)
	s.Exec(t, `create constraint trigger witness_new after insert on sheetdrop.task deferrable initially deferred for each row
when (new.status = 'PENDING') execute function public.witness()`)
	s.Exec(t, `create constraint trigger witness_changed after update on sheetdrop.task deferrable initially deferred for each row
when (new.status = 'PENDING' and old.status <> 'PENDING') execute function public.witness()`)
}

// awaitEnd waits until nothing is on its way any more: P2, and that neither a message nor a lease nor a row is left over.
func (s *scene) awaitEnd(t *testing.T) {
	t.Helper()
	s.Database.Await(t, `select not exists (select from sheetdrop.task where status in ('PENDING', 'PROCESSING'))
  and not exists (select from sheetdrop.outbox_message) and not exists (select from sheetdrop.alert)`)
	s.awaitQueues(t)
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Database.Await(t, `select ran_at > $1 and locked_by is null from sheetdrop.reconciler`, now)
	s.Database.Await(t, `select not exists (select from sheetdrop.sheet_row where sheet_id not in (select id from sheetdrop.sheet))
  and not exists (select from sheetdrop.row_reject where sheet_id not in (select id from sheetdrop.sheet))`)
	s.Database.Await(t, `select not exists (select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%')`)
}

// awaitQueues waits until the queue and its poison queue are empty.
func (s *scene) awaitQueues(t *testing.T) {
	t.Helper()
	lengths := func() [2]int64 {
		queue, poison, err := s.queue.Lengths(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return [...]int64{queue, poison}
	}
	await.Value(t, "no message in the queue and none in the poison queue", lengths, func(n [2]int64) bool { return n == [2]int64{} })
}

// checkPromises looks at what there is in the end, and at nothing else.
func (s *scene) checkPromises(t *testing.T) {
	t.Helper()
	for _, f := range s.files {
		s.checkFile(t, f)
	}
	if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.source_file`); n != len(s.files) {
		t.Errorf("%d files, want %d", n, len(s.files))
	}
	if seen := pgtest.Query[string](t, s.Database, `select coalesce(string_agg(task_id || ' was ' || was, ', '), '') from public.witnessed`); seen != "" {
		t.Errorf("tasks were made PENDING without a message: %s", seen)
	}
	s.checkBlobs(t)
	s.checkReached(t)
}

// checkFile holds one file against P1, and each of its tasks against P3 and P5.
func (s *scene) checkFile(t *testing.T, f *file) {
	t.Helper()
	tasks := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
where f.id = $1 and f.size_bytes = $2 and (f.deleted_at is not null) = $3 and exists (select from sheetdrop.task where source_file_id = f.id and id = $4)`,
		f.id, len(f.content), f.deleted, f.task)
	if least := 1 + f.again; tasks < least || tasks > least+s.failed*f.again {
		t.Errorf("%d tasks of the file, want %d, and at most one more for each of %d requests without an answer", tasks, least, s.failed)
	}
	got := pgtest.Query[string](t, s.Database, `select string_agg(distinct concat_ws(' ', status, loaded, different, sum, rejects, adds_up::text), ' and ') from (
  select t.status, count(r.*) as loaded, count(distinct r.row_no) as different, coalesce(sum(r.cells[1]::int), 0) as sum,
    (select count(*) from sheetdrop.row_reject where sheet_id = s.id) as rejects,
    t.summary is null or (t.summary->>'rows_read')::int
      = (t.summary->>'rows_loaded')::int + (t.summary->>'rows_rejected')::int + (t.summary->>'rows_skipped')::int as adds_up
  from sheetdrop.task t
  left join sheetdrop.sheet s on s.task_id = t.id left join sheetdrop.sheet_row r on r.sheet_id = s.id
  where t.source_file_id = $1 and t.kind = 'LOAD' group by t.id, s.id) tasks`, f.id)
	rows, rejects := 0, 0
	if f.want == "COMPLETED" && !f.emptied {
		rows, rejects = f.rows(), 1
	}
	if f.elsewhere {
		rows = 0
	}
	sum := rows * (rows - 1) / 2
	if f.corrected {
		rejects--
	}
	if f.corrected && !f.elsewhere {
		rows++
	}
	if want := fmt.Sprintf("%s %d %d %d %d true", f.want, rows, rows, sum, rejects); got != want && !f.deleted {
		t.Errorf("state, rows, different rows, their sum, rejects, whether the summary adds up: %s, want %s", got, want)
	}
}

// checkBlobs compares the bytes that are kept: those of each file, none of a deleted one, and besides at most one for each request that
// was not answered well, where the sweep finds it.
func (s *scene) checkBlobs(t *testing.T) {
	t.Helper()
	left := s.BlobNames(t)
	for _, f := range s.files {
		name := pgtest.Query[string](t, s.Database, `select blob_name from sheetdrop.source_file where id = $1`, f.id)
		left = slices.DeleteFunc(left, func(blob string) bool { return blob == name })
		stream, _, err := s.blobs.Download(t.Context(), name, "")
		if f.deleted {
			if !errors.Is(err, azure.ErrBlobNotFound) {
				t.Errorf("the bytes of a deleted file: %v, want none", err)
			}
			continue
		}
		if err != nil {
			t.Errorf("the file's bytes: %v", err)
			continue
		}
		kept, err := io.ReadAll(stream)
		stream.Close()
		if err != nil || !bytes.Equal(kept, f.content) {
			t.Errorf("%d bytes are kept, %v, want the %d that were sent", len(kept), err, len(f.content))
		}
	}
	for _, name := range left {
		if _, err := time.Parse("2006/01/02", name[:min(10, len(name))]); err != nil {
			t.Errorf("the sweep will not find the blob %s", name)
		}
	}
	if len(left) > s.failed {
		t.Errorf("%d blobs without a file after %d requests without an answer", len(left), s.failed)
	}
}

// checkReached fails on an effect that nobody has listed.
func (s *scene) checkReached(t *testing.T) {
	t.Helper()
	reached, err := os.ReadFile(filepath.Join(s.folder, "reached"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(reached)) {
		if name = strings.TrimSpace(name); !listed(name) {
			t.Errorf("the effect %q is not listed", name)
		}
	}
}
