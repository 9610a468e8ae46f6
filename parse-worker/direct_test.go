package parse_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// direct stores a file whose bytes nobody but its owner has seen, in the version that is in the store, with the hash that the owner has promised
// ("": none).
func (f *fixture) direct(t *testing.T, content, options, promised string) postgres.Upload {
	t.Helper()
	u := f.uploadWith(t, content, options)
	blob, err := f.Blobs.Stat(t.Context(), u.File.BlobName)
	if err != nil {
		t.Fatal(err)
	}
	f.Exec(t, `update sheetdrop.source_file set sha256 = null, etag = $2 where id = $1`, u.File.ID, blob.ETag)
	f.Exec(t, `insert into sheetdrop.upload (id, owner, name, media_type, size_bytes, block_bytes, options, sha256, blob_name, task_id, status, expires_at, writable_until, completed_at, file_id)
select id, owner, name, media_type, size_bytes, size_bytes, '{}', decode(nullif($2, ''), 'hex'), blob_name, $3, 'COMPLETED', now(), now(), now(), id
from sheetdrop.source_file where id = $1`, u.File.ID, promised, u.TaskID)
	return u
}

func (f *fixture) hash(t *testing.T, u postgres.Upload) string {
	t.Helper()
	return pgtest.Query[string](t, f.Database, `select coalesce(encode(sha256, 'hex'), 'none') from sheetdrop.source_file where id = $1`, u.File.ID)
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// P3: the bytes of a direct upload get their hash from the run that reads them to their end, with its outcome; those that are not what was
// promised have no rows and no hash.
func TestHashOfADirectUpload(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	const good, ragged = "a,b\n1,2\n", "a,b\n1\n"
	for name, c := range map[string]struct {
		content, options, promised string
		want, hash                 string
	}{
		"not promised":                {good, `{}`, "", "COMPLETED 1 0 0", hashOf(good)},
		"as promised":                 {good, `{}`, hashOf(good), "COMPLETED 1 0 0", hashOf(good)},
		"not as promised":             {good, `{}`, hashOf("other"), "FAILED 1 0 0 content_changed", "none"},
		"refused, as promised":        {ragged, `{"policy":"fail"}`, hashOf(ragged), "FAILED 1 0 0 row_rejected", hashOf(ragged)},
		"refused, and not promised":   {ragged, `{"policy":"fail"}`, "", "FAILED 1 0 0 row_rejected", "none"}, // the rest is not read for it
		"refused, not as promised":    {ragged, `{"policy":"fail"}`, hashOf("other"), "FAILED 1 0 0 content_changed", "none"},
		"a dry run, and not promised": {good, `{"dry_run":true}`, "", "COMPLETED 1 0 0", hashOf(good)},
	} {
		u := f.direct(t, c.content, c.options, c.promised)
		handle(t, w, u)
		t.Log(name)
		f.wantTask(t, u.TaskID, c.want)
		if got := f.hash(t, u); got != c.hash {
			t.Errorf("%s: the hash is %s, want %s", name, got, c.hash)
		}
	}
}

// What is read again is compared with what was read first.
func TestDirectUploadIsReadAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	w := f.worker(t, usual, "")
	u := f.direct(t, "a,b\n1,2\n", `{}`, "")
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
	f.Exec(t, `update sheetdrop.source_file set sha256 = sha256('other') where id = $1`, u.File.ID)
	f.Exec(t, `delete from sheetdrop.sheet`)
	f.Exec(t, `update sheetdrop.task set status = 'PENDING', summary = null, finished_at = null where id = $1`, u.TaskID)
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "FAILED 2 0 0 content_changed")
}

// Whoever could write the blob once, and does so again after its upload was completed, has no rows of the new bytes, though they have the same
// size, and wakes whoever looks after the service.
func TestOverwrittenDirectUpload(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	u := f.direct(t, "a,b\n1,2\n", `{}`, "")
	if err := f.Blobs.Delete(t.Context(), u.File.BlobName); err != nil {
		t.Fatal(err)
	}
	if err := f.Blobs.Upload(t.Context(), u.File.BlobName, strings.NewReader("a,b\n8,9\n")); err != nil {
		t.Fatal(err)
	}
	handle(t, f.worker(t, usual, ""), u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 content_changed")
	f.wantRows(t)
	if alerts := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.alert`); alerts != 1 {
		t.Errorf("%d alerts, want 1", alerts)
	}
}
