package crash

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
)

// awaitEnd waits until nothing is on its way any more: P2, and that neither a message nor a lease is stuck.
func (s *scene) awaitEnd(t *testing.T) {
	t.Helper()
	s.Database.Await(t, `select not exists (select from sheetdrop.task where status in ('PENDING', 'PROCESSING'))
  and not exists (select from sheetdrop.outbox_message)`)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	patience := time.After(time.Minute)
	for {
		queue, poison, err := s.queue.Lengths(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if poison > 0 {
			t.Fatal("a message is in the poison queue")
		}
		if queue == 0 {
			break
		}
		select {
		case <-tick.C:
		case <-patience:
			t.Fatalf("%d messages are left in the queue", queue)
		}
	}
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Database.Await(t, `select ran_at > $1 and locked_by is null from sheetdrop.reconciler`, now)
	s.Database.Await(t, `select not exists (select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%')`)
}

// checkPromises looks at what there is in the end, and at nothing else.
func (s *scene) checkPromises(t *testing.T) {
	t.Helper()
	for _, f := range s.files {
		s.checkFile(t, f)
	}
	got := pgtest.Query[string](t, s.Database, `select concat_ws(' ', (select count(*) from sheetdrop.source_file), (select count(*) from sheetdrop.task),
  (select count(*) from sheetdrop.sheet_row where sheet_id not in (select id from sheetdrop.sheet)),
  (select count(*) from sheetdrop.row_reject where sheet_id not in (select id from sheetdrop.sheet)))`)
	if want := fmt.Sprintf("%d %d 0 0", len(s.files), len(s.files)); got != want {
		t.Errorf("files, tasks, rows and rejects without a sheet: %s, want %s", got, want)
	}
	s.checkBlobs(t)
	s.checkReached(t)
}

// checkFile holds one file against P1, P3 and P5.
func (s *scene) checkFile(t *testing.T, f *file) {
	t.Helper()
	got := pgtest.Query[string](t, s.Database, `select concat_ws(' ', t.status, (f.deleted_at is not null)::text, f.size_bytes, count(r.*), count(distinct r.row_no),
  coalesce(sum(r.cells[1]::int), 0), (select count(*) from sheetdrop.row_reject where sheet_id = s.id))
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id
left join sheetdrop.sheet s on s.task_id = t.id left join sheetdrop.sheet_row r on r.sheet_id = s.id
where t.id = $1 and f.id = $2 group by t.id, f.id, s.id`, f.task, f.id)
	rows, rejects := 0, 0
	if f.want == "COMPLETED" {
		rows, rejects = bytes.Count(f.content, []byte("\n"))-2, 1 // header and reject
	}
	if want := fmt.Sprintf("%s %t %d %d %d %d %d", f.want, f.deleted, len(f.content), rows, rows, rows*(rows-1)/2, rejects); got != want {
		t.Errorf("state, deleted, bytes, rows, different rows, their sum, rejects: %s, want %s", got, want)
	}
	if n := pgtest.Query[int](t, s.Database, `select count(*) from sheetdrop.task where id = $1 and summary is not null
and (summary->>'rows_read')::int <> (summary->>'rows_loaded')::int + (summary->>'rows_rejected')::int + (summary->>'rows_skipped')::int`, f.task); n != 0 {
		t.Error("the summary does not add up")
	}
}

// checkBlobs compares the bytes that are kept: those of each file, none of a deleted one, and besides at most one for each request that
// was not answered well, where the sweep finds it.
func (s *scene) checkBlobs(t *testing.T) {
	t.Helper()
	left := s.blobNames(t)
	for _, f := range s.files {
		name := pgtest.Query[string](t, s.Database, `select blob_name from sheetdrop.source_file where id = $1`, f.id)
		delete(left, name)
		stream, _, err := s.blobs.Download(t.Context(), name)
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
	for name := range left {
		if _, err := time.Parse("2006/01/02", name[:min(10, len(name))]); err != nil {
			t.Errorf("the sweep will not find the blob %s", name)
		}
	}
	if len(left) > s.failed {
		t.Errorf("%d blobs without a file after %d requests without an answer", len(left), s.failed)
	}
}

func (s *scene) blobNames(t *testing.T) map[string]bool {
	t.Helper()
	client, err := container.NewClientFromConnectionString(s.Storage.ConnectionString, s.Storage.Container, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for pages := client.NewListBlobsFlatPager(nil); pages.More(); {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range page.Segment.BlobItems {
			names[*b.Name] = true
		}
	}
	return names
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
