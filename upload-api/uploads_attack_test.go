package upload

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// ask sends a request to the store and returns its status.
func (d *door) ask(method, url string, headers ...string) int {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, url, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// An address is for writing one blob, for a while: not for reading, listing or deleting, nor for another blob, a longer time or more rights.
func TestAddressIsForWritingOneBlob(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	u, other := d.stage("a.csv", "a\n1\n"), d.begin("b.csv", 4)
	address, err := url.Parse(u.Address.URL)
	if err != nil {
		t.Fatal(err)
	}
	if valid := address.Query().Get("sp"); valid != "w" {
		t.Errorf("its rights are %q", valid)
	}
	if left := time.Until(u.Address.ExpiresAt); left > 15*time.Minute+time.Minute { // clocks of test and database
		t.Errorf("it is good for %s", left)
	}
	with := func(change func(*url.URL, url.Values)) string {
		changed := *address
		query := changed.Query()
		change(&changed, query)
		changed.RawQuery = query.Encode()
		return changed.String()
	}
	container, _, _ := strings.Cut(address.Path, "/20")
	secondBlob := with(func(a *url.URL, _ url.Values) { a.Path += "x" })
	for what, status := range map[string]int{
		"read":       d.ask(http.MethodGet, address.String()),
		"properties": d.ask(http.MethodHead, address.String()),
		"block list": d.ask(http.MethodGet, address.String()+"&comp=blocklist&blocklisttype=all"),
		"delete":     d.ask(http.MethodDelete, address.String()),
		"list": d.ask(http.MethodGet, with(func(a *url.URL, q url.Values) {
			a.Path = container
			q.Set("restype", "container")
			q.Set("comp", "list")
		})),
		"second blob":    d.put(blockURL(secondBlob, 0), []byte("a")),
		"whole new blob": d.put(secondBlob, []byte("a"), "x-ms-blob-type: BlockBlob"),
		"another upload's blob": d.put(blockURL(with(func(a *url.URL, _ url.Values) {
			folder, _, _ := strings.Cut(a.Path, u.ID.String())
			a.Path = folder + other.ID.String()
		}), 0), []byte("a")),
		"longer":         d.put(blockURL(with(func(_ *url.URL, q url.Values) { q.Set("se", "2099-01-01T00:00:00Z") }), 0), []byte("a")),
		"more rights":    d.ask(http.MethodGet, with(func(_ *url.URL, q url.Values) { q.Set("sp", "rw") })),
		"altered":        d.put(blockURL(with(func(_ *url.URL, q url.Values) { q.Set("sig", base64.StdEncoding.EncodeToString(make([]byte, 32))) }), 0), []byte("a")),
		"without rights": d.put(blockURL(with(func(_ *url.URL, q url.Values) { q.Del("sig") }), 0), []byte("a")),
	} {
		if status != http.StatusForbidden && status != http.StatusNotFound && status != http.StatusUnauthorized {
			t.Errorf("%s: the store answers %d", what, status)
		}
	}
	expired, err := d.store.WriteAddress(t.Context(), "2026/01/01/x", time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if status := d.put(blockURL(expired, 0), []byte("a")); status != http.StatusForbidden {
		t.Errorf("expired: the store answers %d", status)
	}
	var file FileAndTask
	d.complete(u).into(http.StatusAccepted, &file)
	if got := d.blob(file.File.ID); string(got) != "a\n1\n" {
		t.Errorf("the file is %q", got)
	}
}

// P8: another owner can neither see, write, complete nor give up an upload.
func TestUploadOfAnotherOwner(t *testing.T) {
	t.Parallel()
	d := openDoor(t, withEasyAuth())
	u := d.stage("a.csv", "a\n", signedIn("ann"))
	path := "/api/uploads/" + u.ID.String()
	bob := signedIn("bob", operatorRole)
	d.get(path, bob).problem(problem.NotFound)
	d.send(http.MethodPost, path+"/sas", nil, bob).problem(problem.NotFound)
	d.complete(u, bob).problem(problem.NotFound)
	d.send(http.MethodDelete, path, nil, bob).problem(problem.NotFound)
	d.complete(u, signedIn("ann")).into(http.StatusAccepted, &FileAndTask{})
	d.complete(u, bob).problem(problem.NotFound)
}

// Who writes the blob in another way than block by block, before it is completed, has no file of it.
func TestAlteredUploadIsRefused(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	whole, committed, overwritten := d.stage("a.csv", "a\n1\n"), d.stage("b.csv", "b\n1\n"), d.stage("c.csv", "c\n1\n")
	if status := d.put(whole.Address.URL, []byte("x\n1\n"), "x-ms-blob-type: BlockBlob"); status != http.StatusCreated {
		t.Fatal(status)
	}
	list := `<BlockList><Latest>` + base64.StdEncoding.EncodeToString([]byte("000000000000")) + `</Latest></BlockList>`
	if status := d.put(committed.Address.URL+"&comp=blocklist", []byte(list)); status != http.StatusCreated {
		t.Fatal(status)
	}
	d.complete(overwritten).into(http.StatusAccepted, &FileAndTask{})
	d.exec(`with gone as (delete from sheetdrop.source_file where id = $1) -- the transaction was lost, not the blob
update sheetdrop.upload set status = 'OPEN', completed_at = null, file_id = null where id = $1`, overwritten.ID)
	if status := d.put(overwritten.Address.URL, []byte("x\n1\n"), "x-ms-blob-type: BlockBlob"); status != http.StatusCreated {
		t.Fatal(status)
	}
	another := d.begin("d.csv", 4)
	if status := d.put(another.Address.URL, nil, "x-ms-blob-type: AppendBlob"); status != http.StatusCreated {
		t.Fatal(status)
	}
	for _, u := range []BegunUpload{whole, committed, overwritten, another} {
		d.complete(u).problem(problem.UploadAltered)
	}
	if n := d.count("source_file"); n != 0 {
		t.Errorf("%d files", n)
	}
}

// The address is good for some minutes more once the upload is completed. Whatever is written then is not taken for the file, neither by a
// worker nor by who asks for the bytes.
func TestOverwritingAFileIsSeen(t *testing.T) {
	t.Parallel()
	for how, write := range map[string]func(d *door, address string) int{
		"bytes": func(d *door, address string) int {
			return d.put(address, []byte("x\n9\n"), "x-ms-blob-type: BlockBlob")
		},
		"the archive": func(d *door, address string) int {
			return d.put(address+"&comp=tier", nil, "x-ms-access-tier: Archive")
		},
		"metadata": func(d *door, address string) int { return d.put(address+"&comp=metadata", nil, "x-ms-meta-a: b") },
	} {
		d := openDoor(t)
		u := d.stage("a.csv", "a\n1\n")
		var file FileAndTask
		d.complete(u).into(http.StatusAccepted, &file)
		if status := write(d, u.Address.URL); status >= 300 {
			t.Fatalf("%s: %d", how, status)
		}
		d.get("/api/files/" + u.ID.String() + "/content").problem(problem.ContentMissing)
		claimed, err := claimOf(d, file.Task.ID)
		if err != nil {
			t.Fatal(err)
		}
		blob, err := d.store.Open(t.Context(), claimed.BlobName, claimed.ETag)
		if err == nil {
			_, err = blob.ReadAt(make([]byte, 4), 0)
			blob.Close()
		}
		if !errors.Is(err, azure.ErrBlobChanged) {
			t.Errorf("%s: a worker reads, %v", how, err)
		}
	}
}

// Blocks beyond those that were promised are dropped when the upload is completed; who has stored more bytes than were promised gets no further
// address.
func TestMoreBytesThanPromised(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	u := d.stage("a.csv", "a\n1\n")
	if status := d.put(blockURL(u.Address.URL, 1), bytesOf(100)); status != http.StatusCreated {
		t.Fatal(status)
	}
	d.send(http.MethodPost, "/api/uploads/"+u.ID.String()+"/sas", nil).problem(problem.TooManyBytes)
	var file FileAndTask
	d.complete(u).into(http.StatusAccepted, &file)
	if got := d.blob(file.File.ID); string(got) != "a\n1\n" {
		t.Errorf("the file is %q", got)
	}
	large := d.begin("b.csv", 4)
	if status := d.put(blockURL(large.Address.URL, 0), bytesOf(5)); status != http.StatusCreated {
		t.Fatal(status)
	}
	d.complete(large).problem(problem.BlockSizeWrong)
}

// An owner has so many uploads that are not completed, and no more, whoever begins them at once and also where they are given up again: an address
// of each may still be good. Others begin theirs.
func TestOpenUploadsAreLimited(t *testing.T) {
	t.Parallel()
	d := openDoor(t, withEasyAuth(), withSettings(func(s *Settings) { s.Direct.MaxOpen = 10_000 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	first := d.begin("a.csv", 4, ann)
	d.exec(`insert into sheetdrop.upload (id, owner, name, media_type, size_bytes, block_bytes, options, blob_name, task_id, status, expires_at, writable_until)
select gen_random_uuid(), u.owner, u.name, u.media_type, 1, 1, '{}', 'x/' || n, gen_random_uuid(), case n % 2 when 0 then 'OPEN' else 'ABANDONED' end, u.expires_at, u.writable_until
from sheetdrop.upload u cross join generate_series(1, 9998) n`)
	answers := make(chan int, 8)
	for range cap(answers) {
		go func() { answers <- d.postJSON("/api/uploads", `{"name":"b.csv","size_bytes":4}`, ann).status }()
	}
	var begun []int
	for range cap(answers) {
		begun = append(begun, <-answers)
	}
	if n := len(slices.DeleteFunc(begun, func(status int) bool { return status != http.StatusCreated })); n != 1 {
		t.Errorf("%d more were begun, want 1", n)
	}
	d.postJSON("/api/uploads", `{"name":"b.csv","size_bytes":4}`, ann).triesAgain(problem.TooManyUploads)
	d.send(http.MethodDelete, "/api/uploads/"+first.ID.String(), nil, ann)
	d.postJSON("/api/uploads", `{"name":"b.csv","size_bytes":4}`, ann).triesAgain(problem.TooManyUploads)
	d.begin("a.csv", 4, bob)
	d.exec(`update sheetdrop.upload set expires_at = now(), writable_until = now() where owner like '%ann' and blob_name like 'x/%'`)
	d.begin("b.csv", 4, ann)
}

// What an upload promises counts for its owner's day from its beginning, with what came through the API; completing it opens a task.
func TestPromisesCountForTheQuota(t *testing.T) {
	t.Parallel()
	d := openDoor(t, withEasyAuth(), withQuota(postgres.Quota{DailyFiles: 3, DailyBytes: 1000, OpenTasks: 1}))
	ann, bob, eve := signedIn("ann"), signedIn("bob"), signedIn("eve")
	d.begin("a.csv", 996, ann, "Idempotency-Key: k")
	d.begin("a.csv", 996, ann, "Idempotency-Key: k") // the same one
	d.postJSON("/api/uploads", `{"name":"b.csv","size_bytes":5}`, ann).triesAgain(problem.QuotaExceeded)
	d.post("/api/files?name=b.csv", "12345", ann).triesAgain(problem.QuotaExceeded)
	d.upload("c.csv", "a\n1\n", ann)
	for range 3 {
		d.begin("a.csv", 1, bob)
	}
	d.postJSON("/api/uploads", `{"name":"b.csv","size_bytes":1}`, bob).triesAgain(problem.QuotaExceeded)
	first, second := d.stage("a.csv", "a\n", eve), d.stage("a.csv", "a\n", eve)
	var file FileAndTask
	d.complete(first, eve).into(http.StatusAccepted, &file)
	d.complete(second, eve).triesAgain(problem.TooManyOpen)
	d.complete(first, eve).into(http.StatusAccepted, &file)
	d.send(http.MethodPost, taskPath(file.Task.ID)+"/cancel", nil, eve)
	d.complete(second, eve).into(http.StatusAccepted, &file)
}

// A name is shown and leads nowhere: the blob is named by day, id and a hash.
func TestNameOfAnUploadLeadsNowhere(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	for _, name := range []string{"../../other/a.csv", `..\a.csv`, "/etc/passwd", "a?comp=metadata&x=", "%2e%2e/a", "a\u202ecsv"} {
		var u BegunUpload
		d.postJSON("/api/uploads", fmt.Sprintf(`{"name":%s,"size_bytes":2}`, jsonOf(name))).into(http.StatusCreated, &u)
		address, err := url.Parse(u.Address.URL)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(address.Path, "/devstoreaccount1/"+d.storage.Container+"/")
		if id, ok := receive.FileIDOf(path); !ok || id != u.ID || strings.Count(path, "/") != 3 || u.Name != name {
			t.Errorf("%q has the blob %q", name, path)
		}
	}
}

// P1, P8: a file whose bytes went to the store comes back after a restore, as its owner's, with its upload; a note in which somebody else is the
// owner is not believed.
func TestDirectFileIsRecovered(t *testing.T) {
	t.Parallel()
	d := openDoor(t, withEasyAuth())
	ann, operator := signedIn("ann"), signedIn("operator", operatorRole)
	u := d.stage("a.csv", "a\n1\n", ann, "Idempotency-Key: k")
	forged := d.stage("b.csv", "b\n1\n", ann)
	var before, after FileAndTask
	d.complete(u, ann).into(http.StatusAccepted, &before)
	d.complete(forged, ann).into(http.StatusAccepted, &FileAndTask{})
	blob, forgedBlob := d.lose(u.ID), d.lose(forged.ID)
	note := base64.StdEncoding.EncodeToString([]byte(`{"owner":"aad:tenant/bob","name":"b.csv","media_type":"text/csv","part_no":1,"task_id":"` + u.ID.String() + `","options":{}}`))
	if status := d.put(forged.Address.URL+"&comp=metadata", nil, "x-ms-meta-sheetdrop: "+note); status != http.StatusOK {
		t.Fatal(status)
	}
	if n := d.count("upload"); n != 0 {
		t.Fatalf("%d uploads are left of the lost files", n)
	}
	recovered := func(blob string) answer {
		return d.postJSON("/api/recovery/files", `{"blob":"`+blob+`"}`, operator)
	}
	recovered(blob).into(http.StatusOK, &after)
	before.File.CreatedAt = after.File.CreatedAt
	if before.File != after.File || before.Task.ID != after.Task.ID {
		t.Errorf("recovered is %+v, was %+v", after, before)
	}
	if again := d.begin("a.csv", 4, ann, "Idempotency-Key: k"); again.ID != u.ID || again.Status != "COMPLETED" {
		t.Errorf("begun again it is %+v", again)
	}
	if got := d.get("/api/files/"+u.ID.String()+"/content", ann); !bytes.Equal(got.body, []byte("a\n1\n")) {
		t.Errorf("its bytes are %q", got.body)
	}
	recovered(forgedBlob).problem(problem.NotRecoverable)
}

// P1: a restored database that knows an upload as open has its file recovered all the same, and whoever completes it again gets that.
func TestOpenUploadOfALostFile(t *testing.T) {
	t.Parallel()
	d := openDoor(t)
	u, other := d.stage("a.csv", "a\n1\n"), d.stage("b.csv", "b\n1\n")
	for _, up := range []BegunUpload{u, other} {
		d.complete(up).into(http.StatusAccepted, &FileAndTask{})
	}
	d.exec(`insert into sheetdrop.recovery (restored_to) values (now() - interval '1 min')`)
	d.exec(`with gone as (delete from sheetdrop.source_file)
update sheetdrop.upload set status = 'OPEN', completed_at = null, file_id = null`)
	var blob string
	d.query(&blob, `select blob_name from sheetdrop.upload where id = $1`, u.ID)
	if lost := d.lostBlobs(); len(lost) != 2 {
		t.Errorf("lost are %v", lost)
	}
	d.recover(blob, "").into(http.StatusOK, &FileAndTask{})
	var file FileAndTask
	for _, up := range []BegunUpload{u, other} {
		if d.complete(up).into(http.StatusAccepted, &file); file.File.ID != up.ID {
			t.Errorf("it is %s, want %s", file.File.ID, up.ID)
		}
	}
	if n := d.count("upload where status = 'COMPLETED'"); n != 2 {
		t.Errorf("%d are completed", n)
	}
}
