package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// Who uploads the same bytes again, under whatever name, is told which file they are and what became of it.
func TestSameBytesAgain(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	first := d.upload("prices.csv", "a\n1\n")
	if first.SameAs != nil || d.upload("other.csv", "a\n2\n").SameAs != nil {
		t.Error("a file is the same as one that is different")
	}
	setStatus(d, first.Task.ID, task.Failed)
	second := d.upload("copy.csv", "a\n1\n")
	if same := second.SameAs; same == nil || same.ID != first.File.ID || same.Name != "prices.csv" || !same.CreatedAt.Equal(first.File.CreatedAt) ||
		same.TaskID != first.Task.ID || same.TaskStatus != task.Failed {
		t.Fatalf("same as %+v, want %+v", same, first)
	}
	var shown FileDetail
	d.get("/api/files/"+second.File.ID.String()).into(http.StatusOK, &shown)
	if shown.SameAs == nil || shown.SameAs.ID != first.File.ID {
		t.Errorf("the file is shown as the same as %+v", shown.SameAs)
	}
	if third := d.upload("third.csv", "a\n1\n"); third.SameAs == nil || third.SameAs.ID != second.File.ID {
		t.Errorf("the third is the same as %+v, want the newest earlier one", third.SameAs)
	}
	var original FileDetail
	d.get("/api/files/"+first.File.ID.String()).into(http.StatusOK, &original)
	if original.SameAs != nil {
		t.Errorf("the first one is the same as %+v", original.SameAs)
	}
}

// What was deleted does not count, nor what somebody else has.
func TestSameBytesOfDeletedAndOfOthers(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob")
	first := d.upload("a.csv", "a\n1\n", ann)
	if theirs := d.upload("a.csv", "a\n1\n", bob); theirs.SameAs != nil {
		t.Errorf("somebody else's file is shown: %+v", theirs.SameAs)
	}
	d.post("/api/files?name=a.csv&duplicates=refuse", "a\n1\n", ann).problem(problem.Duplicate)
	if a := d.send(http.MethodDelete, "/api/files/"+first.File.ID.String(), nil, ann); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	var again FileAndTask
	d.post("/api/files?name=a.csv&duplicates=refuse", "a\n1\n", ann).into(http.StatusAccepted, &again)
	if again.SameAs != nil {
		t.Errorf("the same as a deleted file: %+v", again.SameAs)
	}
}

// With duplicates=refuse nothing of the same bytes is stored, and the problem names the earlier file. Other values are refused themselves.
func TestDuplicatesAreRefused(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	first := d.upload("prices.csv", "a\n1\n")
	p := d.post("/api/files?name=copy.csv&duplicates=refuse", "a\n1\n").problem(problem.Duplicate)
	if p.SameAs == nil || p.SameAs.ID != first.File.ID || p.SameAs.TaskID != first.Task.ID {
		t.Errorf("the problem names %+v, want %+v", p.SameAs, first)
	}
	p = d.postForm(fieldPart("duplicates", "refuse") + filePart("new.csv", "a\n2\n") + filePart("copy.csv", "a\n1\n")).problem(problem.Duplicate)
	if p.Part != 2 || p.SameAs == nil || p.SameAs.ID != first.File.ID {
		t.Errorf("of a form, the problem is %+v", p)
	}
	if files, blobs := d.count("source_file"), d.blobNames(); files != 1 || len(blobs) != 1 {
		t.Errorf("%d files, blobs %v", files, blobs)
	}
	d.post("/api/files?name=new.csv&duplicates=refuse", "a\n3\n").into(http.StatusAccepted, &FileAndTask{})
	d.post("/api/files?name=new.csv&duplicates=accept", "a\n3\n").into(http.StatusAccepted, &FileAndTask{})
	d.post("/api/files?name=new.csv&duplicates=maybe", "a\n4\n").problem(problem.InvalidOption)
	d.post("/api/files?name=new.csv&duplicates=refuse&duplicates=accept", "a\n4\n").problem(problem.InvalidOption)
}

// Two files of one form with the same bytes are found out, too.
func TestSameBytesInOneForm(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	form := filePart("a.csv", "a\n1\n") + filePart("b.csv", "b\n1\n") + filePart("c.csv", "a\n1\n")
	if p := d.postForm(fieldPart("duplicates", "refuse") + form).problem(problem.Duplicate); p.Part != 3 {
		t.Errorf("part %d, want 3", p.Part)
	}
	d.nothingLeft()
	d.noBlobs()
	var taken Uploaded
	d.postForm(form).into(http.StatusAccepted, &taken)
	if a, b, c := taken.Items[0], taken.Items[1], taken.Items[2]; a.SameAs != nil || b.SameAs != nil || c.SameAs == nil || c.SameAs.ID != a.File.ID {
		t.Errorf("the form's files are the same as %+v, %+v, %+v", a.SameAs, b.SameAs, c.SameAs)
	}
}

// Of identical uploads at the same moment that refuse duplicates exactly one is accepted, in whatever order forms have their files, and in
// whatever process.
func TestOneOfManyDuplicatesIsAccepted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	other := newTestAPI(t, withDatabase(d.sql.Config().ConnString()), withStorage(d.storage))
	refuse := fieldPart("duplicates", "refuse")
	x, y := filePart("x.csv", "a\n1\n"), filePart("y.csv", "b\n1\n")
	answers := make([]answer, 16)
	var wait sync.WaitGroup
	for i := range answers {
		at := []*testAPI{d, other}[i%2]
		form := refuse + []string{x + y, y + x}[i/2%2]
		wait.Go(func() { answers[i] = at.postForm(form) })
	}
	wait.Wait()
	accepted := 0
	for _, a := range answers {
		if a.status == http.StatusAccepted {
			accepted++
		} else {
			a.problem(problem.Duplicate)
		}
	}
	if files := d.count("source_file"); accepted != 1 || files != 2 {
		t.Errorf("%d accepted, %d files; want 1, 2", accepted, files)
	}
}

// An upload that is repeated under its idempotency key is no duplicate of itself.
func TestRepeatedUploadIsNoDuplicate(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	var first, again FileAndTask
	d.post("/api/files?name=a.csv&duplicates=refuse", "a\n1\n", key).into(http.StatusAccepted, &first)
	d.post("/api/files?name=a.csv&duplicates=refuse", "a\n1\n", key).into(http.StatusAccepted, &again)
	if again.File != first.File || again.SameAs != nil {
		t.Errorf("first %+v, again %+v", first, again)
	}
}

// The files with the same bytes can be asked for before anything is sent.
func TestFilesByContent(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob")
	first, second := d.upload("a.csv", "a\n1\n", ann), d.upload("b.csv", "a\n1\n", ann)
	d.upload("c.csv", "a\n2\n", ann)
	d.upload("d.csv", "a\n1\n", bob)
	sum := sha256.Sum256([]byte("a\n1\n"))
	var list export.List[FileDetail]
	d.get("/api/files?sha256="+hex.EncodeToString(sum[:]), ann).into(http.StatusOK, &list)
	if len(list.Items) != 2 || list.Items[0].ID != second.File.ID || list.Items[1].ID != first.File.ID {
		t.Errorf("found %+v", list.Items)
	}
	d.get("/api/files?sha256=abc", ann).problem(problem.InvalidParameter)
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func (d *testAPI) promise(content, query string) answer {
	d.t.Helper()
	return d.postJSON("/api/uploads?"+query, fmt.Sprintf(`{"name":"a.csv","size_bytes":%d,"sha256":%q}`, len(content), hashOf(content)))
}

// A direct upload that promises its hash is told at its beginning which file has the same bytes, or is refused then. Without a promise
// nothing can be refused.
func TestPromisedDuplicates(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const content = "a\n1\n"
	first := d.upload("prices.csv", content)
	var begun BegunUpload
	d.promise(content, "").into(http.StatusCreated, &begun)
	if begun.SameAs == nil || begun.SameAs.ID != first.File.ID {
		t.Errorf("same as %+v", begun.SameAs)
	}
	if p := d.promise(content, "duplicates=refuse").problem(problem.Duplicate); p.SameAs == nil || p.SameAs.ID != first.File.ID {
		t.Errorf("the problem names %+v", p.SameAs)
	}
	d.postJSON("/api/uploads?duplicates=refuse", `{"name":"a.csv","size_bytes":4}`).problem(problem.InvalidOption)
	if n := d.count("upload"); n != 1 {
		t.Errorf("%d uploads, want 1", n)
	}
}

// Of identical direct uploads that promise their hash and refuse duplicates exactly one is completed, though none is a file when they
// begin, and though no worker has read the first one's bytes. Once that is deleted another one can be completed.
func TestOneOfManyPromisedDuplicatesIsCompleted(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const content = "a\n1\n"
	begun := make([]BegunUpload, 4)
	for i := range begun {
		d.promise(content, "duplicates=refuse").into(http.StatusCreated, &begun[i])
		d.putBlock(begun[i], []byte(content), 0)
	}
	answers := make([]answer, len(begun))
	var wait sync.WaitGroup
	for i := range begun {
		wait.Go(func() { answers[i] = d.complete(begun[i]) })
	}
	wait.Wait()
	accepted, refused := -1, -1
	for i, a := range answers {
		if a.status != http.StatusAccepted {
			a.problem(problem.Duplicate)
			refused = i
			continue
		}
		if accepted >= 0 {
			t.Error("two were completed")
		}
		accepted = i
	}
	if accepted < 0 || refused < 0 {
		t.Fatalf("accepted %d, refused %d", accepted, refused)
	}
	d.post("/api/files?name=a.csv&duplicates=refuse", content).problem(problem.Duplicate)
	d.complete(begun[accepted]).into(http.StatusAccepted, &FileAndTask{})
	if a := d.send(http.MethodDelete, "/api/files/"+begun[accepted].ID.String(), nil); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	d.complete(begun[refused]).into(http.StatusAccepted, &FileAndTask{})
}

// A direct upload that promised nothing is known to be the same once a worker has read it.
func TestSameBytesAfterReading(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const content = "a\n1\n"
	first := d.upload("prices.csv", content)
	var taken FileAndTask
	d.complete(d.stage("copy.csv", content)).into(http.StatusAccepted, &taken)
	path := "/api/files/" + taken.File.ID.String()
	var shown FileDetail
	if d.get(path).into(http.StatusOK, &shown); shown.SameAs != nil {
		t.Errorf("before it was read it is the same as %+v", shown.SameAs)
	}
	d.exec(`update sheetdrop.source_file set sha256 = sha256($2) where id = $1`, taken.File.ID, []byte(content)) // as a worker does
	if d.get(path).into(http.StatusOK, &shown); shown.SameAs == nil || shown.SameAs.ID != first.File.ID {
		t.Errorf("once it was read it is the same as %+v", shown.SameAs)
	}
}

// Lists show the newest reading of a file, and the older ones to who asks for them.
func TestListsShowTheNewestReading(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	setStatus(d, taken.Task.ID, task.Failed)
	var again Task
	d.change(http.MethodPost, "/api/files/"+taken.File.ID.String()+"/tasks").into(http.StatusAccepted, &again)
	other := d.upload("b.csv", "a\n1\n")
	for path, want := range map[string][]uuid.UUID{
		"/api/tasks":                                                      {other.Task.ID, again.ID},
		"/api/tasks?readings=newest":                                      {other.Task.ID, again.ID},
		"/api/tasks?readings=all":                                         {other.Task.ID, again.ID, taken.Task.ID},
		"/api/tasks?all=true":                                             {other.Task.ID, again.ID},
		"/api/tasks?status=FAILED":                                        {},
		"/api/tasks?status=FAILED&readings=all":                           {taken.Task.ID},
		"/api/files/" + taken.File.ID.String() + "/tasks":                 {again.ID, taken.Task.ID},
		"/api/files/" + taken.File.ID.String() + "/tasks?readings=newest": {again.ID},
	} {
		var list export.List[Task]
		d.get(path).into(http.StatusOK, &list)
		got := []uuid.UUID{}
		for _, item := range list.Items {
			got = append(got, item.ID)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	var files export.List[FileDetail]
	if d.get("/api/files").into(http.StatusOK, &files); len(files.Items) != 2 || files.Items[1].Task.ID != again.ID {
		t.Errorf("files %+v", files.Items)
	}
	if files.Items[0].SameAs == nil || files.Items[0].SameAs.TaskID != again.ID {
		t.Errorf("the same as %+v, want its newest reading", files.Items[0].SameAs)
	}
	d.get("/api/tasks?readings=some").problem(problem.InvalidParameter)
}
