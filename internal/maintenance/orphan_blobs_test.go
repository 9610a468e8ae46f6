package maintenance_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// blobs puts one into each folder and returns the names.
func (f *fixture) blobs(t *testing.T, folders ...string) []string {
	t.Helper()
	var names []string
	for _, folder := range folders {
		name := folder + "/" + uuid.NewString()
		if err := f.Blobs.Upload(t.Context(), name, strings.NewReader("a\n")); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func (f *fixture) blobNames(t *testing.T) []string {
	t.Helper()
	names, _, err := f.Blobs.List(t.Context(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func (f *fixture) dayFolder(t *testing.T, daysAgo int) string {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select to_char((now() - $1::int * interval '1 day') at time zone 'UTC', 'YYYY/MM/DD')`, daysAgo)
}

// P1: a blob is swept only if no file has it, deleted ones included, and it is so old that no upload can commit it any more (D13).
func TestOrphanBlobsAreSwept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	orphans := f.blobs(t, "2020/01/01", f.dayFolder(t, 3), f.dayFolder(t, 2))
	kept := f.blobs(t, "2020/01/01", "2020/01/01", f.dayFolder(t, 1), f.dayFolder(t, 0), "another/thing", "2020/13/45")
	f.AddSentUpload(t, func(u *postgres.Upload) { u.File.BlobName = kept[0] })
	f.AddSentUpload(t, func(u *postgres.Upload) { u.File.BlobName = kept[1] })
	f.Exec(t, `update sheetdrop.source_file set deleted_at = now() where blob_name = $1`, kept[1])
	f.run(t)
	left := f.blobNames(t)
	for _, name := range orphans {
		if slices.Contains(left, name) {
			t.Errorf("orphan %s is left", name)
		}
	}
	for _, name := range kept {
		if !slices.Contains(left, name) {
			t.Errorf("%s is gone", name)
		}
	}
}

// The log says of a blob that it was deleted only where it was; one that could not be deleted is found again.
func TestOrphanThatStaysIsNotCalledDeleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	orphans := f.blobs(t, "2020/01/01", "2020/01/01")
	refused, free := orphans[0], orphans[1]
	direct := f.storage()
	direct.Connection = storageproxy.Through(t, direct.Connection, func(r *http.Request) storageproxy.Fault {
		if r.Method == http.MethodDelete && strings.HasSuffix(r.URL.Path, refused) {
			return http.StatusForbidden
		}
		return storageproxy.None
	}, "BlobEndpoint")
	blobs, _, err := azure.Open(direct)
	if err != nil {
		t.Fatal(err)
	}
	f.Blobs = blobs
	f.Runner = f.runner(t, defaults(), f.DB)
	f.run(t)
	deleted, stays := f.Log.Lines(t, "orphan blob deleted"), f.Log.Lines(t, "orphan blob not deleted")
	if len(deleted) != 1 || deleted[0]["blob"] != free {
		t.Errorf("said to be deleted: %v, want %s", deleted, free)
	}
	if len(stays) != 1 || stays[0]["blob"] != refused {
		t.Errorf("said to stay: %v, want %s", stays, refused)
	}
}

// A long list is gone through from run to run, and begins again after a while; what the blob store cannot do now is done later.
func TestSweepGoesOn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.blobs(t, "2020/01/01", "2020/01/02")
	f.Exec(t, `update sheetdrop.reconciler set sweep_marker = $1`, markerBehind(t, f, "2020/01/01"))
	f.run(t)
	if left := f.blobNames(t); len(left) != 1 || !strings.HasPrefix(left[0], "2020/01/01") {
		t.Errorf("it did not go on at its marker: left are %v", left)
	}
	f.run(t)
	if left := f.blobNames(t); len(left) != 1 {
		t.Errorf("it began again at once: left are %v", left)
	}
	f.Exec(t, `update sheetdrop.reconciler set swept_at = now() - interval '2 h'`)
	f.BlobProxy.Cut()
	f.run(t)
	f.BlobProxy.Restore(t)
	f.run(t)
	if left := f.blobNames(t); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

// P9: a run looks at a thousand names and keeps its place; the next one finds what comes behind them.
func TestSweepIsBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	direct, _, err := azure.Open(f.storage())
	if err != nil {
		t.Fatal(err)
	}
	var uploads errgroup.Group
	uploads.SetLimit(8)
	for n := range 1001 {
		uploads.Go(func() error {
			return direct.Upload(t.Context(), fmt.Sprintf("2020/01/01/%04d", n), strings.NewReader("a\n"))
		})
	}
	if err := uploads.Wait(); err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, sha256(''), '2020/01/01/' || to_char(n, 'FM0000'), 1 from generate_series(0, 999) n`)
	for run, want := range []string{"1001 t", "1000 f"} {
		f.run(t)
		names, next, err := direct.List(t.Context(), "", 5000)
		if err != nil || next != "" {
			t.Fatalf("%v, next %q", err, next)
		}
		got := fmt.Sprint(len(names), " ", pgtest.Query[string](t, f.Database, `select case when sweep_marker <> '' then 't' else 'f' end from sheetdrop.reconciler`))
		if got != want {
			t.Errorf("blobs, and whether a place is kept, after run %d: %s, want %s", run+1, got, want)
		}
	}
}

func markerBehind(t *testing.T, f *fixture, folder string) string {
	t.Helper()
	names, marker, err := f.Blobs.List(t.Context(), "", 1)
	if err != nil || len(names) != 1 || !strings.HasPrefix(names[0], folder) || marker == "" {
		t.Fatalf("first page %v, marker %q: %v", names, marker, err)
	}
	return marker
}
