package upload

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// A client that asks again and again does not receive again what it has, and learns of each change.
func TestUnchangedContentIsNotSentAgain(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("a.csv", "a\n1\n")
	target := d.target(pricesTarget)
	path := "/api/tasks/" + taken.Task.ID.String()
	for _, path := range []string{path, path + "/history", "/api/files/" + taken.File.ID.String(), "/api/files", "/api/tasks", "/api/targets", "/api/openapi.json",
		"/api/targets/" + target.ID.String(), "/api/targets/" + target.ID.String() + "/choices"} {
		first := d.get(path, "Accept-Encoding: identity")
		etag := first.header.Get("ETag")
		if first.status != http.StatusOK || !strings.HasPrefix(etag, `"`) {
			t.Errorf("%s: %d, ETag %q", path, first.status, etag)
		}
		for condition, want := range map[string]int{
			etag: http.StatusNotModified, `"x", W/` + etag: http.StatusNotModified, "*": http.StatusNotModified, `"x"`: http.StatusOK,
		} {
			again := d.get(path, "Accept-Encoding: identity", "If-None-Match: "+condition)
			if again.status != want || (len(again.body) == 0) != (want == http.StatusNotModified) || again.header.Get("ETag") != etag {
				t.Errorf("%s with If-None-Match %s: %d with %d bytes, ETag %s", path, condition, again.status, len(again.body), again.header.Get("ETag"))
			}
		}
	}
	before := d.get(path).header.Get("ETag")
	d.exec(`update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, taken.Task.ID)
	if after := d.get(path, "If-None-Match: "+before); after.status != http.StatusOK {
		t.Errorf("a task that has changed: %d", after.status)
	}
}

// No operation that promises it forgets to say that nothing has changed.
func TestEveryConditionalOperation(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann := signedIn("ann", operatorRole)
	pathOf := d.oneOfEach(ann)
	d.exec(`insert into sheetdrop.recovery (restored_to) values (now())`)
	for pattern, o := range d.operations {
		if _, promised := o.Responses["304"]; !promised {
			continue
		}
		path := prefix + pathOf(strings.TrimPrefix(pattern, http.MethodGet+" "+prefix))
		first := d.get(path, ann)
		again := d.get(path, ann, "If-None-Match: "+first.header.Get("ETag"))
		if first.status != http.StatusOK || again.status != http.StatusNotModified || len(again.body) > 0 {
			t.Errorf("%s: %d with ETag %q, then %d %s", pattern, first.status, first.header.Get("ETag"), again.status, again.body)
		}
	}
}

// Who changes a definition does not overwrite what somebody else has changed meanwhile.
func TestChangeOfWhatHasChangedMeanwhileIsRefused(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	target := d.target(pricesTarget)
	path := "/api/targets/" + target.ID.String()
	change := func(missing, etag string) answer {
		return d.send(http.MethodPatch, path, strings.NewReader(fmt.Sprintf(`{"missing":%q}`, missing)), "Content-Type: application/json", "If-Match: "+etag)
	}
	first := d.get(path).header.Get("ETag")
	mine := change("default", first)
	if mine.status != http.StatusOK || mine.header.Get("ETag") == first {
		t.Fatalf("%d, ETag %s", mine.status, mine.header.Get("ETag"))
	}
	change("keep", first).problem(problem.PreconditionFailed)
	var still Target
	d.get(path).into(http.StatusOK, &still)
	if still.Version != 2 || still.Definition.Missing != "default" {
		t.Errorf("version %d, missing %s", still.Version, still.Definition.Missing)
	}
	if compressed := strings.TrimSuffix(mine.header.Get("ETag"), `"`) + `-gzip"`; change("keep", compressed).status != http.StatusOK {
		t.Error("the tag of a compressed response is refused")
	}
}

// A client that knows nothing of cursors reads a whole list by its links.
func TestPagesAreFoundByTheirLinks(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const files = 7
	for i := range files {
		d.upload(fmt.Sprintf("%d.csv", i), fmt.Sprint(i))
	}
	taken := d.upload("rows.csv", "a\n")
	sheetOf(d, taken.Task.ID, "a")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) select s.id, n, n, array['x'] from sheetdrop.sheet s, generate_series(1, $1) n`, files)
	for path, want := range map[string]int{
		"/api/files?limit=3": files + 1, "/api/files?limit=3&name=.csv": files + 1, "/api/tasks?limit=3&status=PENDING": files,
		"/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows?limit=3": files,
	} {
		seen, next := 0, path
		for next != "" {
			var page struct {
				Items, Rows []any
			}
			a := d.get(next)
			if err := json.Unmarshal(a.body, &page); err != nil {
				t.Fatal(err)
			}
			seen += len(page.Items) + len(page.Rows)
			link, rest, _ := strings.Cut(a.header.Get("Link"), ">")
			if next = strings.TrimPrefix(link, "<"); next != "" && rest != `; rel="next"` {
				t.Fatalf("Link %s", a.header.Get("Link"))
			}
		}
		if seen != want {
			t.Errorf("%s has %d items by its links, want %d", path, seen, want)
		}
	}
}

// A person finds a task by what they know: the file's name, its bytes, when it was sent, and its status.
func TestTasksAndFilesAreFoundByNameBytesTimeAndStatus(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	old, other, wanted := d.upload("Preise.csv", "a\n1\n"), d.upload("orders.csv", "a\n2\n"), d.upload("neue-preise.csv", "a\n3\n")
	d.exec(`update sheetdrop.source_file set created_at = '2026-01-01' where id = $1`, old.File.ID)
	d.exec(`update sheetdrop.task set created_at = '2026-01-01' where id = $1`, old.Task.ID)
	d.exec(`update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, other.Task.ID)
	for query, want := range map[string][]FileAndTask{
		"name=preise": {wanted, old}, "name=preise&created_after=2026-02-01T00:00:00Z": {wanted}, "created_before=2026-02-01T00:00:00Z": {old},
		"sha256=" + other.File.SHA256: {other}, "status=CANCELLED": {other}, "status=CANCELLED&name=preise": {}, "name=%25": {},
	} {
		var tasks export.List[Task]
		d.get("/api/tasks?"+query).into(http.StatusOK, &tasks)
		var files export.List[FileDetail]
		d.get("/api/files?"+query).into(http.StatusOK, &files)
		if len(tasks.Items) != len(want) || len(files.Items) != len(want) {
			t.Errorf("%s: %d tasks and %d files, want %d", query, len(tasks.Items), len(files.Items), len(want))
			continue
		}
		for i, one := range want {
			if tasks.Items[i].ID != one.Task.ID || tasks.Items[i].FileName != one.File.Name || files.Items[i].ID != one.File.ID {
				t.Errorf("%s: item %d is %s of %s", query, i, tasks.Items[i].ID, tasks.Items[i].FileName)
			}
		}
	}
}
