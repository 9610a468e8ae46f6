package outbox_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	outbox "sheetdrop/outbox-relay"
)

func base64Text(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// history writes a message that was sent so many days ago.
func (f *fixture) history(t *testing.T, daysAgo int) {
	t.Helper()
	f.Exec(t, `insert into sheetdrop.outbox_history (day_slot, id, event_type, payload, attempts, created_at, processed_at)
select floor(extract(epoch from at) / 86400)::bigint % 32, gen_random_uuid(), 'PARSE_TASK', '{}', 1, at, at
from (select now() - $1::int * interval '1 day' as at) m`, daysAgo)
}

func (f *fixture) historyAges(t *testing.T) []int {
	t.Helper()
	return pgtest.Query[[]int](t, f.Database, `select coalesce(array_agg(round(extract(epoch from now() - processed_at) / 86400)::int order by processed_at desc), '{}')
from sheetdrop.outbox_history`)
}

// Sent messages are kept for as many days as the setting says, and go by the day after that.
func TestOldHistoryIsTruncated(t *testing.T) {
	t.Parallel()
	for days, want := range map[int][]int{1: {0, 1}, 14: {0, 1, 13, 14}, 30: {0, 1, 13, 14, 15, 30}} {
		f := newFixture(t, func(s *outbox.Settings) { s.HistoryDays = days })
		for _, age := range []int{0, 1, 13, 14, 15, 30} {
			f.history(t, age)
		}
		f.run(t)
		if got := f.historyAges(t); !slices.Equal(got, want) {
			t.Errorf("with %d days of history, left are those %v days old, want %v", days, got, want)
		}
	}
}

// A slot that somebody reads is left to a later run: the relay does not wait for it, and nobody for the relay.
func TestHistoryInUseIsLeft(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.history(t, 20)
	f.history(t, 21)
	reader := f.Begin(t)
	slot := pgtest.Query[int](t, f.Database, `select min(day_slot) from sheetdrop.outbox_history`)
	if _, err := reader.Exec(t.Context(), fmt.Sprintf(`select from sheetdrop.outbox_history_%02d`, slot)); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); left != 1 {
		t.Errorf("%d messages are left, want the one that is read", left)
	}
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	if left := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.outbox_history`); left != 0 {
		t.Errorf("%d messages are left", left)
	}
}

// blobs puts one into each folder and gives the names.
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
	leased, free := orphans[0], orphans[1]
	client, err := blob.NewClientFromConnectionString(f.parts.ConnectionString, f.parts.Container, leased, nil)
	if err != nil {
		t.Fatal(err)
	}
	holder, err := lease.NewBlobClient(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	const forEver = -1
	if _, err := holder.AcquireLease(t.Context(), forEver, nil); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	deleted, stays := f.Log.lines(t, "orphan blob deleted"), f.Log.lines(t, "orphan blob not deleted")
	if len(deleted) != 1 || deleted[0]["blob"] != free {
		t.Errorf("said to be deleted: %v, want %s", deleted, free)
	}
	if len(stays) != 1 || stays[0]["blob"] != leased {
		t.Errorf("said to stay: %v, want %s", stays, leased)
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
	direct, _, err := azure.Open(settings(f.parts))
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

// The age of the oldest message that waits is an alert where it is beyond the setting.
func TestOutboxBehindIsAnAlert(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.addMessages(t, 1)
	f.Exec(t, `update sheetdrop.outbox_message set created_at = now() - interval '59 min', next_attempt_at = now() + interval '1 h'`)
	f.run(t)
	if alerts := f.Log.lines(t, "outbox is behind"); len(alerts) != 0 {
		t.Errorf("alerts: %v, want none", alerts)
	}
	f.Exec(t, `update sheetdrop.outbox_message set created_at = now() - interval '61 min'`)
	f.run(t)
	if alerts := f.Log.lines(t, "outbox is behind"); len(alerts) != 1 || alerts[0]["alert"] != "outbox_behind" {
		t.Errorf("alerts: %v, want one", alerts)
	}
}

// Settings that would lose history, or never alert, are refused.
func TestSettings(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*outbox.Settings){
		func(s *outbox.Settings) { s.HistoryDays = 0 }, func(s *outbox.Settings) { s.HistoryDays = 31 },
		func(s *outbox.Settings) { s.RetentionDays = -1 }, func(s *outbox.Settings) { s.RecordDays = -1 },
		func(s *outbox.Settings) { s.PendingAlert = 0 },
	} {
		s := relaySettings()
		change(&s)
		if relay, err := outbox.New(s, nil, nil, nil, discard); err == nil {
			relay.Close()
			t.Errorf("%+v was taken", s)
		}
	}
}
