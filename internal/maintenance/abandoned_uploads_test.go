package maintenance_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// directUpload begins an upload of which one block is stored, and returns it with its address.
func (f *fixture) directUpload(t *testing.T) (u postgres.DirectUpload, address string) {
	t.Helper()
	id := task.NewID()
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		u, _, err = tx.InsertDirectUpload(ctx, postgres.DirectUpload{
			ID: id, TaskID: task.NewID(), Owner: "local", Name: "list.csv", MediaType: "text/csv", SizeBytes: 2, BlockBytes: 2, Options: []byte(`{}`),
			BlobName: id.String(),
		}, time.Hour, 15*time.Minute, 1000)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if address, err = f.Blobs.WriteAddress(t.Context(), u.BlobName, u.WritableUntil); err != nil {
		t.Fatal(err)
	}
	putBlock(t, address)
	return u, address
}

func blockID() string { return base64.StdEncoding.EncodeToString([]byte("000000000000")) }

func putBlock(t *testing.T, address string) {
	t.Helper()
	put(t, address+"&comp=block&blockid="+blockID(), "a\n", "")
}

func put(t *testing.T, address, content, blobType string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Ms-Blob-Type", blobType)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("put: %s", response.Status)
	}
}

// madeFile makes an upload's file, as completing it does.
func (f *fixture) madeFile(t *testing.T, u postgres.DirectUpload) {
	t.Helper()
	err := f.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.InsertUploads(ctx, []postgres.Upload{{File: u.File("an etag"), TaskID: u.TaskID, MessageID: task.NewID(), Options: u.Options}}, u.CreatedAt, time.Hour)
		if err == nil {
			err = tx.CompleteDirectUpload(ctx, u.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// age moves all that an upload's row says of time into the past.
func (f *fixture) age(t *testing.T, u postgres.DirectUpload, expired, unwritable string) {
	t.Helper()
	f.Exec(t, `update sheetdrop.upload set expires_at = now() - $2::text::interval, writable_until = now() - $3::text::interval where id = $1`,
		u.ID, expired, unwritable)
}

func (f *fixture) uploadsLeft(t *testing.T) int {
	t.Helper()
	return pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.upload`)
}

// An upload that was given up or has expired goes, with blocks that nobody ever committed and with a blob that was committed and is no file's; but
// not while somebody may still write it, nor one that is open, nor the blob of a file.
func TestAbandonedUploadsAreRemoved(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var gone, kept []string
	blocksOnly, _ := f.directUpload(t)
	committed, _ := f.directUpload(t)
	if err := f.Blobs.CommitBlocks(t.Context(), committed.BlobName, []string{blockID()}, "note"); err != nil {
		t.Fatal(err)
	}
	of, address := f.directUpload(t) // of another kind, which has no blocks
	if err := f.Blobs.Discard(t.Context(), of.BlobName); err != nil {
		t.Fatal(err)
	}
	put(t, address, "", "AppendBlob")
	f.age(t, of, "25 h", "6 min")
	gone = append(gone, of.BlobName)
	givenUp, _ := f.directUpload(t)
	for _, u := range []postgres.DirectUpload{blocksOnly, committed} {
		f.age(t, u, "25 h", "6 min")
		gone = append(gone, u.BlobName)
	}
	f.Exec(t, `update sheetdrop.upload set status = 'ABANDONED', writable_until = now() - interval '6 min' where id = $1`, givenUp.ID)
	gone = append(gone, givenUp.BlobName)
	writable, _ := f.directUpload(t)
	f.age(t, writable, "25 h", "4 min") // a write that began in time may still come
	open, _ := f.directUpload(t)
	f.age(t, open, "-1 h", "6 min")
	expired, _ := f.directUpload(t)
	f.age(t, expired, "23 h", "23 h") // a restore may have lost that it was completed
	file, _ := f.directUpload(t)
	if err := f.Blobs.CommitBlocks(t.Context(), file.BlobName, []string{blockID()}, "note"); err != nil {
		t.Fatal(err)
	}
	f.madeFile(t, file)
	f.age(t, file, "25 h", "6 min")
	kept = append(kept, writable.BlobName, open.BlobName, expired.BlobName, file.BlobName)

	f.run(t)
	left := f.blobNames(t)
	for _, name := range gone {
		if slices.Contains(left, name) {
			t.Errorf("%s is left", name)
		}
		if blocks, err := f.Blobs.StagedBlocks(t.Context(), name); len(blocks) > 0 || err != nil {
			t.Errorf("of %s are left %v, %v", name, blocks, err)
		}
	}
	for _, name := range kept {
		if !slices.Contains(left, name) {
			t.Errorf("%s is gone", name)
		}
	}
	if n := f.uploadsLeft(t); n != 4 {
		t.Errorf("%d uploads are left, want 4", n)
	}
	if lines := f.Log.Lines(t, "abandoned upload removed"); len(lines) != 4 {
		t.Errorf("the log says of %d that they were removed", len(lines))
	}
}

// What the blob store cannot delete now stays known, and goes later.
func TestAbandonedUploadWaitsForTheStore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u, _ := f.directUpload(t)
	f.run(t) // compares epochs
	f.age(t, u, "25 h", "6 min")
	f.BlobProxy.Cut()
	f.run(t)
	if n := f.uploadsLeft(t); n != 1 {
		t.Errorf("%d uploads, and nobody knows of its blob", n)
	}
	f.BlobProxy.Restore(t)
	f.run(t)
	if n, left := f.uploadsLeft(t), f.blobNames(t); n != 0 || len(left) != 0 {
		t.Errorf("%d uploads and the blobs %v are left", n, left)
	}
}

// P1: a database that was restored may have lost that an upload was completed, so nothing of it is deleted until an operator ends the recovery.
func TestAbandonedUploadsAreKeptDuringARecovery(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u, _ := f.directUpload(t)
	if err := f.Blobs.CommitBlocks(t.Context(), u.BlobName, []string{blockID()}, "note"); err != nil {
		t.Fatal(err)
	}
	f.run(t)
	f.age(t, u, "25 h", "6 min")
	f.Exec(t, `update sheetdrop.reconciler set epoch = 0`) // restored
	for range 2 {
		f.run(t)
		if n, left := f.uploadsLeft(t), f.blobNames(t); n != 1 || len(left) != 1 {
			t.Errorf("%d uploads and the blobs %v are left", n, left)
		}
	}
	f.Exec(t, `update sheetdrop.recovery set ended_at = now()`)
	f.run(t)
	if n, left := f.uploadsLeft(t), f.blobNames(t); n != 0 || len(left) != 0 {
		t.Errorf("%d uploads and the blobs %v are left once it has ended", n, left)
	}
}

// Blocks of which the database knows nothing, as after a restore or where a late write came, are found like other orphans; those of an open upload
// stay however old it is.
func TestBlocksWithoutAnUploadAreSwept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const old = "2020/01/01/"
	known, _ := f.directUpload(t)
	f.Exec(t, `update sheetdrop.upload set blob_name = $1`, old+known.ID.String())
	for _, name := range []string{old + known.ID.String(), old + task.NewID().String(), f.dayFolder(t, 0) + "/" + task.NewID().String()} {
		address, err := f.Blobs.WriteAddress(t.Context(), name, known.WritableUntil)
		if err != nil {
			t.Fatal(err)
		}
		putBlock(t, address)
	}
	f.run(t)
	if left := f.blobNames(t); len(left) != 3 || left[0] != old+known.ID.String() { // the first name of the known one is of today, too
		t.Errorf("left are %v", left)
	}
}

// P9: a run removes as many as it has time for, and the next ones go on.
func TestManyAbandonedUploads(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Exec(t, `insert into sheetdrop.upload (id, owner, name, media_type, size_bytes, block_bytes, options, blob_name, task_id, status, expires_at, writable_until)
select gen_random_uuid(), 'local', 'n', 'text/csv', 1, 1, '{}', 'none/' || n, gen_random_uuid(), 'OPEN', now() - interval '25 h', now() - interval '25 h'
from generate_series(1, 250) n`)
	for left := f.uploadsLeft(t); left > 0; {
		f.run(t)
		now := f.uploadsLeft(t)
		if now >= left {
			t.Fatalf("%d uploads are left, %d were there before", now, left)
		}
		left = now
	}
}
