package upload

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/direct"
	"sheetdrop/upload-api/internal/problem"
)

// begin begins a direct upload that has to be taken.
func (d *testAPI) begin(name string, size int, headers ...string) (begun BegunUpload) {
	d.t.Helper()
	d.postJSON("/api/uploads", fmt.Sprintf(`{"name":%q,"size_bytes":%d}`, name, size), headers...).into(http.StatusCreated, &begun)
	return begun
}

// put sends a request under an address and returns the store's status.
func (d *testAPI) put(url string, body []byte, headers ...string) int {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPut, url, bytes.NewReader(body))
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
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		d.t.Fatal(err)
	}
	return response.StatusCode
}

func blockURL(address string, number int64) string {
	return address + "&comp=block&blockid=" + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%012d", number))
}

// putBlock stores one block as a client does, with its MD5.
func (d *testAPI) putBlock(u BegunUpload, content []byte, number int64) {
	d.t.Helper()
	block := content[number*u.BlockBytes : min(int64(len(content)), (number+1)*u.BlockBytes)]
	sum := md5.Sum(block)
	if status := d.put(blockURL(u.Address.URL, number), block, "Content-MD5: "+base64.StdEncoding.EncodeToString(sum[:])); status != http.StatusCreated {
		d.t.Fatalf("block %d: %d", number, status)
	}
}

// stage begins an upload and stores all of its blocks.
func (d *testAPI) stage(name, content string, headers ...string) BegunUpload {
	d.t.Helper()
	u := d.begin(name, len(content), headers...)
	for number := range u.Blocks {
		d.putBlock(u, []byte(content), number)
	}
	return u
}

func (d *testAPI) complete(u BegunUpload, headers ...string) answer {
	d.t.Helper()
	return d.send(http.MethodPost, "/api/uploads/"+u.ID.String()+"/complete", nil, headers...)
}

func bytesOf(n int) []byte {
	content := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(content)
	return content
}

// A file's blocks are put into the store in any order and at once; completed, it is a file like any other, with its options, its task and its
// message, and its bytes come back.
func TestDirectUpload(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	content := bytesOf(19<<20 + 7)
	var u BegunUpload
	a := d.postJSON("/api/uploads?delimiter=tab&sheet=2", fmt.Sprintf(`{"name":"注文.csv","size_bytes":%d,"media_type":"text/csv"}`, len(content)))
	a.into(http.StatusCreated, &u)
	if u.Status != "OPEN" || u.Name != "注文.csv" || u.BlockBytes != 8<<20 || u.Blocks != 3 || u.Address == nil || u.FileID != nil ||
		a.header.Get("Location") != "/api/uploads/"+u.ID.String() {
		t.Fatalf("begun is %+v at %s", u, a.header.Get("Location"))
	}
	var put sync.WaitGroup
	for _, number := range []int64{2, 0, 1} {
		put.Go(func() { d.putBlock(u, content, number) })
	}
	put.Wait()
	var file FileAndTask
	a = d.complete(u)
	a.into(http.StatusAccepted, &file)
	if a.header.Get("Location") != "/api/tasks/"+file.Task.ID.String() || file.File.Name != "注文.csv" || file.File.MediaType != "text/csv" ||
		file.File.SizeBytes != int64(len(content)) || file.File.SHA256 != "" || !equalJSON(file.Task.Options, []byte(`{"delimiter":"\t","sheet":"2"}`)) {
		t.Errorf("the file is %+v", file)
	}
	if got := d.get("/api/files/" + file.File.ID.String() + "/content"); !bytes.Equal(got.body, content) {
		t.Errorf("%d, %d bytes come back", got.status, len(got.body))
	}
	if n := d.count(`outbox_message where event_type = 'PARSE_TASK' and task_id = '` + file.Task.ID.String() + `'`); n != 1 || len(d.nudges()) != 1 {
		t.Errorf("%d messages, %d nudges", n, len(d.nudges()))
	}
	var shown StoredUpload
	d.get("/api/uploads/"+u.ID.String()).into(http.StatusOK, &shown)
	if shown.Status != "COMPLETED" || shown.FileID == nil || *shown.FileID != file.File.ID || *shown.TaskID != file.Task.ID {
		t.Errorf("shown as %+v", shown)
	}
}

// P1, P3: however often and by how many an upload is completed, it is one file with one task, also after its answer or the whole of its
// transaction was lost.
func TestUploadIsCompletedOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	other := newTestAPI(t, withDatabase(d.sql.Config().ConnString()), withStorage(d.storage))
	u := d.stage("a.csv", "a\n1\n")
	var first FileAndTask
	var done sync.WaitGroup
	answers := make([]FileAndTask, 8)
	for i := range answers {
		done.Go(func() { []*testAPI{d, other}[i%2].complete(u).into(http.StatusAccepted, &answers[i]) })
	}
	done.Wait()
	d.complete(u).into(http.StatusAccepted, &first)
	for _, file := range answers {
		if file.File != first.File || file.Task.ID != first.Task.ID {
			t.Errorf("%+v and %+v", file, first)
		}
	}
	if files, tasks, messages := d.count("source_file"), d.count("task"), d.count("outbox_message"); files != 1 || tasks != 1 || messages != 1 {
		t.Errorf("%d files, %d tasks, %d messages", files, tasks, messages)
	}

	lost := d.stage("b.csv", "b\n1\n") // a process died between the store's commit and the database's
	var found FileAndTask
	d.complete(lost).into(http.StatusAccepted, &found)
	d.exec(`with open as (update sheetdrop.upload set status = 'OPEN', completed_at = null, file_id = null where id = $1)
delete from sheetdrop.source_file where id = $1`, lost.ID)
	var shown StoredUpload
	d.get("/api/uploads/"+lost.ID.String()).into(http.StatusOK, &shown)
	if !slices.Equal(shown.Stored, []direct.Range{{First: 0, Last: 0}}) || shown.StoredBytes != 4 {
		t.Errorf("a client would send again what is stored: %v, %d bytes", shown.Stored, shown.StoredBytes)
	}
	var again FileAndTask
	d.complete(lost).into(http.StatusAccepted, &again)
	if again.File.ID != found.File.ID || again.Task.ID != found.Task.ID {
		t.Errorf("completed again it is %+v, was %+v", again, found)
	}
}

// A client that was broken off learns what is stored, sends the rest under a new address, and nothing twice.
func TestUploadIsResumed(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	content := bytesOf(34 << 20) // five blocks
	u := d.begin("a.csv", len(content), "Idempotency-Key: k")
	for _, number := range []int64{0, 1, 3} {
		d.putBlock(u, content, number)
	}
	if status := d.put(blockURL(u.Address.URL, 4), content[:5]); status != http.StatusCreated { // half of a block, as a broken client may send
		t.Fatal(status)
	}
	if p := d.complete(u).problem(problem.BlocksMissing); len(p.Errors) != 1 || p.Errors[0].Location != "blocks.2-2" {
		t.Errorf("missing are %+v", p.Errors)
	}
	var shown StoredUpload
	d.get("/api/uploads/"+u.ID.String()).into(http.StatusOK, &shown)
	if want := []direct.Range{{First: 0, Last: 1}, {First: 3, Last: 3}}; !slices.Equal(shown.Stored, want) || shown.StoredBytes != 24<<20 {
		t.Errorf("stored are %v, %d bytes", shown.Stored, shown.StoredBytes)
	}
	again := d.begin("a.csv", len(content), "Idempotency-Key: k")
	if again.ID != u.ID || again.Address == nil {
		t.Fatalf("begun again it is %s, was %s", again.ID, u.ID)
	}
	d.putBlock(again, content, 2)
	if p := d.complete(u).problem(problem.BlockSizeWrong); len(p.Errors) != 1 || p.Errors[0].Location != "blocks.4-4" {
		t.Errorf("wrong are %+v", p.Errors)
	}
	d.exec(`update sheetdrop.upload set writable_until = now() + interval '9 min'`)
	var address BlobAddress
	d.send(http.MethodPost, "/api/uploads/"+u.ID.String()+"/sas", nil).into(http.StatusOK, &address)
	if !address.ExpiresAt.After(u.Address.ExpiresAt.Add(-1)) { // its text has whole seconds, and may be the same
		t.Errorf("renewed it ends at %s, before at %s", address.ExpiresAt, u.Address.ExpiresAt)
	}
	u.Address = &address
	d.putBlock(u, content, 4)
	var file FileAndTask
	d.complete(u).into(http.StatusAccepted, &file)
	if got := d.blob(file.File.ID); !bytes.Equal(got, content) {
		t.Errorf("%d bytes are stored", len(got))
	}
}

// One idempotency key is one upload; another one under it is refused, and so is one of a file that is gone.
func TestKeyOfAnUpload(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, key := signedIn("ann"), "Idempotency-Key: k"
	u := d.stage("a.csv", "a\n1\n", ann, key)
	for name, body := range map[string]string{
		"another name": `{"name":"b.csv","size_bytes":4}`, "another size": `{"name":"a.csv","size_bytes":5}`,
		"another type": `{"name":"a.csv","size_bytes":4,"media_type":"text/csv"}`, "a hash": `{"name":"a.csv","size_bytes":4,"sha256":"` + strings.Repeat("0", 63) + `1"}`,
	} {
		t.Log(name)
		d.postJSON("/api/uploads", body, ann, key).problem(problem.KeyReused)
	}
	d.postJSON("/api/uploads?delimiter=tab", `{"name":"a.csv","size_bytes":4}`, ann, key).problem(problem.KeyReused)
	if bobs := d.begin("a.csv", 4, signedIn("bob"), key); bobs.ID == u.ID {
		t.Error("bob has ann's upload")
	}
	var file FileAndTask
	d.complete(u, ann).into(http.StatusAccepted, &file)
	if done := d.begin("a.csv", 4, ann, key); done.ID != u.ID || done.Status != "COMPLETED" || done.Address != nil {
		t.Errorf("once completed it is %+v", done)
	}
	d.send(http.MethodDelete, "/api/files/"+file.File.ID.String(), nil, ann)
	d.postJSON("/api/uploads", `{"name":"a.csv","size_bytes":4}`, ann, key).problem(problem.Gone)
	d.complete(u, ann).problem(problem.Gone)
	if n := d.count("upload"); n != 2 {
		t.Errorf("%d uploads", n)
	}
}

// What is given up, or has expired, can be neither written on nor completed, and says so; what is completed cannot be given up.
func TestUploadThatIsOver(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	givenUp, expired, completed := d.stage("a.csv", "a\n"), d.stage("b.csv", "b\n"), d.stage("c.csv", "c\n")
	for range 2 {
		if a := d.send(http.MethodDelete, "/api/uploads/"+givenUp.ID.String(), nil); a.status != http.StatusNoContent {
			t.Errorf("given up: %d %s", a.status, a.body)
		}
	}
	d.exec(`update sheetdrop.upload set expires_at = now() where id = $1`, expired.ID)
	for _, u := range []BegunUpload{givenUp, expired} {
		path := "/api/uploads/" + u.ID.String()
		d.get(path).problem(problem.Gone)
		d.send(http.MethodPost, path+"/sas", nil).problem(problem.Gone)
		d.complete(u).problem(problem.Gone)
	}
	d.nothingLeft()
	d.complete(completed).into(http.StatusAccepted, &FileAndTask{})
	d.send(http.MethodDelete, "/api/uploads/"+completed.ID.String(), nil).problem(problem.UploadCompleted)
	d.send(http.MethodPost, "/api/uploads/"+completed.ID.String()+"/sas", nil).problem(problem.UploadCompleted)
}

// What no upload can be is refused with words, and leaves nothing.
func TestUploadsThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.Direct.MaxBytes = 1000 }))
	for body, code := range map[string]problem.Code{
		`{"name":"a.csv","size_bytes":0}`:                           problem.EmptyFile,
		`{"name":"a.csv","size_bytes":-1}`:                          problem.EmptyFile,
		`{"name":"a.csv","size_bytes":1001}`:                        problem.TooLarge,
		`{"name":"a.csv","size_bytes":9223372036854775807}`:         problem.TooLarge,
		`{"name":"a.csv","size_bytes":9223372036854775808}`:         problem.InvalidBody,
		`{"name":"a.csv","size_bytes":"4"}`:                         problem.InvalidBody,
		`{"name":"","size_bytes":4}`:                                problem.NameMissing,
		`{"name":"a\u0000.csv","size_bytes":4}`:                     problem.InvalidName,
		`{"size_bytes":4}`:                                          problem.InvalidBody,
		`{"name":"a.csv","size_bytes":4,"sha256":"00"}`:             problem.InvalidBody,
		`{"name":"a.csv","size_bytes":4,"media_type":"text\u0000"}`: problem.InvalidBody,
		`{"name":"a.csv","size_bytes":4,"owner":"bob"}`:             problem.InvalidBody,
	} {
		t.Log(body)
		d.postJSON("/api/uploads", body).problem(code)
	}
	d.postJSON("/api/uploads?colour=red", `{"name":"a.csv","size_bytes":4}`).problem(problem.UnknownOption)
	d.postJSON("/api/uploads?header=x", `{"name":"a.csv","size_bytes":4}`).problem(problem.InvalidOption)
	d.postJSON("/api/uploads", `{"name":"a.csv","size_bytes":4}`, "Idempotency-Key: a b").problem(problem.InvalidKey)
	if p := d.post("/api/files?name=a.csv", strings.Repeat("a", 1<<20+1)).problem(problem.TooLarge); !strings.Contains(p.Detail, "POST /api/uploads") {
		t.Errorf("nobody says where a larger file can go: %s", p.Detail)
	}
	if n := d.count("upload"); n != 0 {
		t.Errorf("%d uploads", n)
	}
}

// A hash that is promised is kept for the worker; the file has none before its bytes are read.
func TestPromisedHashIsNoHash(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	sum := sha256.Sum256([]byte("other bytes"))
	var u BegunUpload
	d.postJSON("/api/uploads", `{"name":"a.csv","size_bytes":4,"sha256":"`+hex.EncodeToString(sum[:])+`"}`).into(http.StatusCreated, &u)
	d.putBlock(u, []byte("a\n1\n"), 0)
	var file FileAndTask
	d.complete(u).into(http.StatusAccepted, &file)
	if file.File.SHA256 != "" {
		t.Errorf("the file is said to have the hash %s", file.File.SHA256)
	}
	claimed, err := claimOf(d, file.Task.ID)
	if err != nil || !bytes.Equal(claimed.SHA256, sum[:]) || claimed.ETag == "" {
		t.Errorf("a worker is told %+v, %v", claimed, err)
	}
}

func claimOf(d *testAPI, taskID uuid.UUID) (claimed *postgres.ClaimedTask, err error) {
	err = d.db.InTx(d.t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		claimed, _, err = tx.ClaimTask(ctx, taskID, task.NewID(), time.Minute, true)
		return err
	})
	return claimed, err
}
