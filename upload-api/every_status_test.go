package upload

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// Whoever holds as many places as one owner may is refused wherever a place is needed, with a token as well, and is told to try again.
func TestEveryOperationThatTakesAPlaceIsLimited(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins(), withHandler(func(h *Handler) { h.placeWait = time.Millisecond }))
	ann := signedIn("ann", operatorRole)
	pathOf := d.oneOfEach(ann)
	open := d.upload("open.csv", "open\n", ann)
	page := pageOf(product, d.token("", `{"origin":"`+product+`"}`, ann).Token)
	var own FileAndTask
	d.post("/api/embed/files?name=own.csv", "own\n", page...).into(http.StatusAccepted, &own)
	for _, p := range []*places{d.uploading, d.previewing, d.streaming, d.waiting} {
		p.size = 2
		release, err := p.take(t.Context(), "aad:tenant/ann", 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(release)
	}
	limited := 0
	for pattern, o := range d.operations {
		if !strings.Contains(o.Responses["429"].Description, string(problem.TooManyAtOnce)) {
			continue
		}
		limited++
		method, template, _ := strings.Cut(strings.Replace(pattern, " "+prefix, " ", 1), " ")
		path, headers := pathOf(template), []string{ann}
		switch {
		case strings.HasPrefix(template, "/embed/"):
			path, headers = strings.NewReplacer("{id}", own.Task.ID.String(), "{number}", "1").Replace(template), page
		case template == "/tasks/{id}":
			path = "/tasks/" + open.Task.ID.String()
		}
		switch {
		case strings.HasSuffix(template, "/tasks/{id}"):
			path += "?wait=1m"
		case template == "/events":
			path += "?task=" + open.Task.ID.String()
		case strings.HasSuffix(template, "/files"):
			path, headers = path+"?name=a.csv", append([]string{"Content-Type: text/csv"}, headers...)
		}
		d.send(method, prefix+path, strings.NewReader(""), headers...).triesAgain(problem.TooManyAtOnce)
	}
	if limited < 12 {
		t.Errorf("only %d operations take a place", limited)
	}
}

// Whatever opens a task, or an upload, is refused beyond the quota of its owner, with a token as well, and leaves nothing.
func TestEveryNewTaskIsLimited(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	made, taken := loaded(d, ann)
	failed := d.upload("failed.csv", "failed\n", ann)
	setStatus(d, failed.Task.ID, task.Failed)
	page := pageOf(product, d.token("", `{"origin":"`+product+`","max_files":9}`, ann).Token)
	staged := d.stage("staged.csv", "staged\n", ann)
	own := d.begunWith("/api/embed/uploads", "own.csv", 4, page...)
	if status := d.put(blockURL(own.Address.URL, 0), []byte("own\n")); status != http.StatusCreated {
		t.Fatal(status)
	}
	q := newTestAPI(t, withOrigins(), withDatabase(d.sql.Config().ConnString()), withStorage(d.storage), withQuota(postgres.Quota{OpenTasks: 1}),
		withSettings(func(s *Settings) { s.Direct.MaxOpen = 1 }))
	q.upload("last.csv", "last\n", ann)
	before := d.everything()
	for _, c := range []struct {
		method, path, body string
		headers            []string
		code               problem.Code
	}{
		{http.MethodPost, "/files?name=a.csv", "a\n", []string{ann, "Content-Type: text/csv"}, problem.TooManyOpen},
		{http.MethodPost, "/files/" + failed.File.ID.String() + "/tasks", "", []string{ann}, problem.TooManyOpen},
		{http.MethodPost, "/tasks/" + failed.Task.ID.String() + "/retry", "", []string{ann}, problem.TooManyOpen},
		{http.MethodPost, "/bulk/tasks", `{"items":[{"file_id":"` + failed.File.ID.String() + `"}]}`, []string{ann, "Content-Type: application/json"}, problem.TooManyOpen},
		{http.MethodPost, "/uploads/" + staged.ID.String() + "/complete", "", []string{ann}, problem.TooManyOpen},
		{http.MethodPost, "/uploads", `{"name":"a.csv","size_bytes":4}`, []string{ann, "Content-Type: application/json"}, problem.TooManyUploads},
		{http.MethodDelete, "/files/" + taken.File.ID.String() + "?loads=undo", "", []string{ann}, problem.TooManyOpen},
		{http.MethodPost, "/targets/" + made.ID.String() + "/loads/7/undo", "", []string{ann}, problem.TooManyOpen},
		{http.MethodPost, "/embed/files?name=a.csv", "a\n", append(page, "Content-Type: text/csv"), problem.TooManyOpen},
		{http.MethodPost, "/embed/uploads", `{"name":"a.csv","size_bytes":4}`, append(page, "Content-Type: application/json"), problem.TooManyUploads},
		{http.MethodPost, "/embed/uploads/" + own.ID.String() + "/complete", "", page, problem.TooManyOpen},
	} {
		t.Log(c.method, c.path)
		q.send(c.method, prefix+c.path, strings.NewReader(c.body), c.headers...).triesAgain(c.code)
	}
	if after := d.everything(); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
}

// Wherever options can be given, a target that is not there and a mapping that it cannot have are refused before anything is done.
func TestEveryOperationWithOptionsChecksTheTarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	d.target(pricesTarget, ann)
	taken := d.upload("a.csv", "a\n", ann)
	setStatus(d, taken.Task.ID, task.Failed)
	before := d.everything()
	for path, body := range map[string]string{
		"/bulk/tasks": `{"items":[{"file_id":"` + taken.File.ID.String() + `"}]}`, "/uploads": `{"name":"a.csv","size_bytes":4}`,
		"/upload-tokens": `{"origin":"` + product + `"}`, "/files/" + taken.File.ID.String() + "/tasks": "",
	} {
		d.sendJSON(http.MethodPost, prefix+path+"?target=none", body, ann).problem(problem.NoSuchTarget)
		d.sendJSON(http.MethodPost, prefix+path+"?target=prices&mapping="+url.QueryEscape(`{"a":"nett"}`), body, ann).problem(problem.InvalidMapping)
	}
	if after := d.everything(); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
}

// A page that repeats a request, comes too late or goes on with what is over is told which of these it is, as whoever has signed in is.
func TestUploadTokenMeetsConflicts(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	page := pageOf(product, d.token("", `{"origin":"`+product+`","max_files":9}`, ann).Token)
	begin := func(key, body string) answer {
		return d.postJSON("/api/embed/uploads", body, append(page, "Idempotency-Key: "+key)...)
	}
	stage := func(key string, blocks ...string) (path string) {
		t.Helper()
		var begun BegunUpload
		begin(key, `{"name":"a.csv","size_bytes":4}`).into(http.StatusCreated, &begun)
		for i, block := range blocks {
			if status := d.put(blockURL(begun.Address.URL, int64(i)), []byte(block)); status != http.StatusCreated {
				t.Fatal(status)
			}
		}
		return "/api/embed/uploads/" + begun.ID.String()
	}

	missing := stage("missing")
	d.send(http.MethodPost, missing+"/complete", nil, page...).problem(problem.BlocksMissing)
	long := stage("long", "a\n1\n", "a\n1\n")
	d.send(http.MethodPost, long+"/sas", nil, page...).problem(problem.TooManyBytes)
	begin("long", `{"name":"a.csv","size_bytes":4}`).problem(problem.TooManyBytes)
	begin("long", `{"name":"a.csv","size_bytes":5}`).problem(problem.KeyReused)

	path := stage("whole", "a\n1\n")
	var done FileAndTask
	d.send(http.MethodPost, path+"/complete", nil, page...).into(http.StatusAccepted, &done)
	d.send(http.MethodDelete, path, nil, page...).problem(problem.UploadCompleted)
	d.send(http.MethodDelete, "/api/files/"+done.File.ID.String(), nil, ann).noContent()
	d.get(path, page...).problem(problem.Gone)
	d.send(http.MethodPost, path+"/sas", nil, page...).problem(problem.Gone)
	d.send(http.MethodPost, path+"/complete", nil, page...).problem(problem.Gone)
	begin("whole", `{"name":"a.csv","size_bytes":4}`).problem(problem.Gone)
	d.send(http.MethodDelete, missing, nil, page...).noContent()

	key := append(slices.Clone(page), "Idempotency-Key: k")
	var first FileAndTask
	d.post("/api/embed/files?name=a.csv", "a\n1\n", key...).into(http.StatusAccepted, &first)
	d.post("/api/embed/files?name=a.csv", "a\n2\n", key...).problem(problem.KeyReused)
	corrects := pageOf(product, d.token("?corrects="+url.QueryEscape(first.Task.ID.String()+"/1"), `{"origin":"`+product+`"}`, ann).Token)
	d.post("/api/embed/files?name=b.csv", "b\n", corrects...).problem(problem.NotFound) // it is not COMPLETED yet
	d.postJSON("/api/embed/uploads", `{"name":"b.csv","size_bytes":4}`, corrects...).problem(problem.NotFound)

	d.rowsOfATask("/api/embed", first.Task.ID, page)
	d.send(http.MethodDelete, "/api/files/"+first.File.ID.String(), nil, ann).noContent()
	d.post("/api/embed/files?name=a.csv", "a\n1\n", key...).problem(problem.Gone)
}

// rowsOfATask asks for what a task has found before it has found anything, in a form that cannot have it, and after it was deleted.
func (d *testAPI) rowsOfATask(api string, id uuid.UUID, headers []string) {
	d.t.Helper()
	at := fmt.Sprintf("%s/tasks/%s/sheets", api, id)
	for _, path := range []string{"", "/1/rows", "/1/rejects"} {
		d.get(at+path, headers...).problem(problem.NotCompleted)
	}
	sheetID := sheetOf(d, id, "😀")
	d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, line, code, message, raw) values ($1, 2, 1, 2, 'missing_cell', 'x', 'a')`, sheetID)
	for _, path := range []string{"/1/rows?format=csv&encoding=cp932", "/1/rejects?format=csv&layout=records&encoding=cp932"} {
		d.get(at+path, headers...).problem(problem.NotEncodable)
	}
	d.exec(`update sheetdrop.task set rows_deleted_at = now() where id = $1`, id)
	d.exec(`delete from sheetdrop.sheet where id = $1`, sheetID)
	for _, path := range []string{"", "/1/rows", "/1/rejects"} {
		d.get(at+path, headers...).problem(problem.RowsDeleted)
	}
}

// What a task has found is there once it is COMPLETED, in the forms that can hold it, and until it is deleted.
func TestRowsOfATaskThatAreNotThere(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.rowsOfATask("/api", d.upload("a.csv", "a\n1\n").Task.ID, nil)
}

// Who looks at an upload that was written in another way than block by block, or goes on with it, learns that it is spoilt.
func TestAlteredUploadIsShownAsSuch(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	page := pageOf(product, d.token("", `{"origin":"`+product+`"}`, ann).Token)
	for path, headers := range map[string][]string{"/api/uploads": {ann}, "/api/embed/uploads": page} {
		u := d.begunWith(path, "a.csv", 4, headers...)
		if status := d.put(u.Address.URL, []byte("x\n1\n"), "x-ms-blob-type: BlockBlob"); status != http.StatusCreated {
			t.Fatal(status)
		}
		d.get(path+"/"+u.ID.String(), headers...).problem(problem.UploadAltered)
	}
}
