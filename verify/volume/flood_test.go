package volume

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// smallFile is what both owners upload.
var smallFile = []byte("id,name\n" + strings.Repeat("1,name of ten\n", 10))

// One owner's many files, which wait in the outbox and in the queue, do not make another owner wait for them: that file is completed after a few
// of these, not after all. P11.
func TestFloodOfOneOwner(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	if *full {
		waitsBesideFlood(t, o)
		return
	}
	const n, few = 400, 60
	o.flood(t, n)
	o.Host = o.StartHost(t, e2e.Options{})
	o.Database.Await(t, `select count(*) >= 20 from sheetdrop.task where status = 'COMPLETED'`)
	small := o.Await(t, o.Upload(t, "small.csv", smallFile).ID)
	between := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.task f, sheetdrop.task s
where s.id = $1 and f.owner = 'flood' and f.finished_at between s.created_at and s.finished_at`, small.ID)
	if small.Status != "COMPLETED" || between > few {
		t.Errorf("the small owner's file is %s after %d files of the other owner, want COMPLETED after %d at the most", small.Status, between, few)
	}
	o.Database.Await(t, `select count(*) = $1 from sheetdrop.task where status = 'COMPLETED' and attempt = 1`, n+1)
}

// waitsBesideFlood measures how long a file takes where nothing else happens, and beside a flood.
func waitsBesideFlood(t *testing.T, o *outbox) {
	const uploads = 20
	o.Host = o.StartHost(t, e2e.Options{})
	alone := o.waits(t, uploads)
	o.flood(t, messages(0, 100_000))
	o.Database.Await(t, `select count(*) >= 20 from sheetdrop.task where owner = 'flood' and status = 'COMPLETED'`)
	rate := o.floodRate(t, time.Minute)
	beside := o.waits(t, uploads)
	left := pgtest.Query[int](t, o.Database, `select count(*) from sheetdrop.task where owner = 'flood' and status = 'PENDING'`)
	t.Logf("upload to COMPLETED: alone p50 %s, longest %s; beside %d waiting files p50 %s, longest %s: %.2f ×; the flood: %.1f files a second",
		alone[uploads/2], alone[uploads-1], left, beside[uploads/2], beside[uploads-1], beside[uploads/2].Seconds()/alone[uploads/2].Seconds(), rate)
	if left == 0 {
		t.Error("the flood was over before")
	}
	if beside[uploads/2] > 3*alone[uploads/2] {
		t.Error("want 3 × at the most")
	}
}

// waits uploads so many files, one after the other, and returns how long each took to be completed, shortest first. The pause lets the host's
// listener slow down, where nothing else keeps it busy.
func (o *outbox) waits(t *testing.T, uploads int) []time.Duration {
	t.Helper()
	took := make([]time.Duration, uploads)
	for i := range took {
		<-time.After(3 * time.Second)
		began := time.Now()
		if done := o.Await(t, o.Upload(t, "small.csv", smallFile).ID); done.Status != "COMPLETED" {
			t.Fatalf("task: %+v", done)
		}
		took[i] = time.Since(began).Round(time.Millisecond)
	}
	slices.Sort(took)
	return took
}

// floodRate is how many files of the flood are completed a second.
func (o *outbox) floodRate(t *testing.T, during time.Duration) float64 {
	t.Helper()
	const done = `select count(*) from sheetdrop.task where owner = 'flood' and status = 'COMPLETED'`
	before, began := pgtest.Query[int](t, o.Database, done), time.Now()
	<-time.After(during)
	return float64(pgtest.Query[int](t, o.Database, done)-before) / time.Since(began).Seconds()
}

// flood commits n small files of another owner, as uploads do, with their tasks and messages.
func (o *outbox) flood(t *testing.T, n int) {
	t.Helper()
	blobs, _ := o.Stores(t)
	o.Exec(t, `create table public.flood as select gen_random_uuid() as id, '2026/01/01/' || gen_random_uuid() as blob_name from generate_series(1, $1::int)`, n)
	names := strings.Fields(pgtest.Query[string](t, o.Database, `select string_agg(blob_name, ' ') from public.flood`))
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(16)
	for _, name := range names {
		group.Go(func() error { return blobs.Upload(ctx, name, bytes.NewReader(smallFile)) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(smallFile)
	o.Exec(t, `with file as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select id, 'flood', 'n.csv', 'text/csv', $1, $2, blob_name, 1 from public.flood
), new_task as (
  insert into sheetdrop.task (id, source_file_id, owner, options) select id, id, 'flood', '{}' from public.flood
)
insert into sheetdrop.outbox_message (id, event_type, task_id, payload)
select id, 'PARSE_TASK', id, jsonb_build_object('v', 1, 'message_id', id, 'task_id', id) from public.flood`, len(smallFile), sum[:])
	o.Exec(t, `drop table public.flood`)
}
