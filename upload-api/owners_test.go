package upload

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operate"
	"sheetdrop/upload-api/internal/problem"
)

// route is an operation of the OpenAPI document.
type route struct {
	method, path string
	operators    bool // it says that nobody else may use it
}

func routesOf(h *Handler) (routes []route) {
	paths := h.api.OpenAPI().Paths
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path]
		for method, op := range map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		} {
			if op != nil && !slices.Contains(op.Tags, embedTag) { // TestUploadTokenReachesItsOwnTasksAlone
				refused := op.Responses["403"]
				routes = append(routes, route{method, path, refused != nil && strings.Contains(refused.Description, string(problem.NotOperator)) && path != "/tasks" && path != "/tasks/{id}/history"})
			}
		}
	}
	return routes
}

// forEverybody are the operations that name nothing: they show and change what is the caller's own. GET /tasks has a
// parameter for operators.
var forEverybody = []route{
	{http.MethodGet, "/health", false}, {http.MethodGet, "/ready", false}, {http.MethodGet, "/files", false}, {http.MethodPost, "/files", false},
	{http.MethodGet, "/tasks", false}, {http.MethodPost, "/bulk/tasks", false}, {http.MethodPost, "/uploads", false},
	{http.MethodGet, "/views", false}, {http.MethodGet, "/targets", false}, {http.MethodPost, "/targets", false}, {http.MethodPost, "/targets/propose", false},
	{http.MethodGet, "/webhooks", false}, {http.MethodPost, "/webhooks", false},
	{http.MethodPost, "/upload-tokens", false}, {http.MethodGet, "/me", false}, {http.MethodGet, "/events", false}, // TestEventsOfAnotherOwner
}

// neededBodies are bodies of operations that do not work without.
var neededBodies = map[string]string{
	"PATCH /targets/{id}": `{}`, "PUT /targets/{id}/choices": `{"choices":{}}`, "PUT /targets/{id}/shares": `{"shares":[]}`,
	"PATCH /webhooks/{id}": `{}`,
}

// P8: every operation that names something answers another owner, and an operator too, as if it were not there, and
// changes nothing; every other one is for operators, or is known here to be for everybody. So no operation that comes
// later can be forgotten.
func TestOtherOwner(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob", operatorRole)
	pathOf := d.oneOfEach(ann)
	before := d.everything()
	for _, r := range routesOf(d.Handler) {
		if r.operators {
			continue
		}
		if !strings.Contains(r.path, "{") {
			if !slices.Contains(forEverybody, r) {
				t.Errorf("%s %s: whose is it?", r.method, r.path)
			}
			continue
		}
		path := pathOf(r.path)
		if strings.Contains(path, "{") {
			t.Errorf("%s %s: an id of what?", r.method, r.path)
			continue
		}
		d.sendJSON(r.method, prefix+path, neededBodies[r.method+" "+r.path], bob).problem(problem.NotFound)
		if r.method != http.MethodGet {
			continue
		}
		if a := d.get(prefix+path, ann); a.status != http.StatusOK {
			t.Errorf("%s for its owner: %d %s", path, a.status, a.body)
		}
	}
	if after := d.everything(); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
	for _, path := range []string{"/api/files", "/api/tasks", "/api/views", "/api/targets", "/api/webhooks"} {
		if a := d.get(path, bob); !strings.HasPrefix(string(a.body), `{"items":[],`) {
			t.Errorf("bob sees %s", a.body)
		}
		if a := d.get(path, ann); strings.HasPrefix(string(a.body), `{"items":[],`) {
			t.Errorf("ann sees %s", a.body)
		}
	}
}

// oneOfEach makes something of each kind for an owner, and returns the function that fills it into the path of an operation.
func (d *testAPI) oneOfEach(owner string) (pathOf func(path string) string) {
	d.t.Helper()
	taken := d.upload("a.csv", "a\n1\n", owner)
	var bulk BulkDone
	d.postJSON("/api/bulk/tasks", `{"items":[{"file_id":"`+taken.File.ID.String()+`"}]}`, owner).into(http.StatusAccepted, &bulk)
	sheetOf(d, taken.Task.ID, "a", "b")
	upload := d.stage("b.csv", "b\n1\n", owner)
	hook := d.webhook(`{"url": "https://hooks.example.com/"}`, owner)
	event := d.testEvent(hook.ID, owner)
	ids := map[string]string{"/webhooks/": hook.ID.String(), "/uploads/": upload.ID.String(), "/files/": taken.File.ID.String(), "/tasks/": taken.Task.ID.String(), "/bulk/": bulk.ID.String(),
		"/views/": d.view(taken.Task.ID, "", owner).ID.String(), "/targets/": d.target(pricesTarget, owner).ID.String(),
		"/upload-tokens/": task.NewID().String()}
	return func(path string) string {
		for start, id := range ids {
			if rest, ok := strings.CutPrefix(path, start+"{id}"); ok {
				return start + id + strings.NewReplacer("{number}", "1", "{load}", "1", "{delivery}", event.ID.String()).Replace(rest)
			}
		}
		return path
	}
}

// everything is what callers could have changed.
func (d *testAPI) everything() (all string) {
	d.t.Helper()
	d.query(&all, `select jsonb_build_array((select jsonb_agg(f order by id) from sheetdrop.source_file f), (select jsonb_agg(t order by id) from sheetdrop.task t),
(select jsonb_agg(m order by id) from sheetdrop.outbox_message m), (select jsonb_agg(s order by id) from sheetdrop.sheet s),
(select jsonb_agg(u order by id) from sheetdrop.upload u), (select jsonb_agg(v order by id) from sheetdrop.sheet_view v),
(select jsonb_agg(g order by id) from sheetdrop.target g), (select jsonb_agg(c order by header) from sheetdrop.header_choice c),
(select jsonb_agg(r order by grantee) from sheetdrop.target_share r),
(select jsonb_agg(w order by id) from sheetdrop.webhook w), (select jsonb_agg(e order by seq) from sheetdrop.webhook_delivery e))::text`)
	return all
}

// P8: what operators do, nobody else does.
func TestOperatorsOnly(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob", operatorRole)
	taken := d.upload("a.csv", "a\n", ann)
	message := failMessage(d, taken.Task.ID)
	setStatus(d, taken.Task.ID, task.Failed)
	d.exec(`insert into sheetdrop.recovery (restored_to) values (now())`)
	before, seen := d.everything(), 0
	for _, r := range routesOf(d.Handler) {
		if !r.operators {
			continue
		}
		seen++
		path := prefix + strings.Replace(r.path, "{id}", message.String(), 1)
		d.send(r.method, path, strings.NewReader(`{}`), "Content-Type: application/json", ann).problem(problem.NotOperator)
		if a := d.get(path, bob); r.method == http.MethodGet && a.status != http.StatusOK {
			t.Errorf("%s for an operator: %d %s", path, a.status, a.body)
		}
	}
	if after := d.everything(); after != before || seen < 6 {
		t.Errorf("%d operations; there was\n%s\nand is\n%s", seen, before, after)
	}
	d.get("/api/tasks?all=true", ann).problem(problem.NotOperator)
	d.get("/api/tasks?all=true", bob).into(http.StatusOK, &export.List[Task]{})
	var changed operate.Changed
	if d.postJSON("/api/tasks/retry", `{}`, bob).into(http.StatusOK, &changed); changed.Count != 1 {
		t.Errorf("an operator retries %d tasks of others, want 1", changed.Count)
	}
	if n := d.count("operator_action"); n != 1 {
		t.Errorf("%d actions are recorded, want the operator's", n)
	}
}

// P8: whenever an operator sees what is somebody else's, or uses the right to, a line of the log says who asked for
// what, and none of it. Every operation is tried with every switch that it has, so that none that comes later can be
// forgotten.
func TestOperatorAccessIsLogged(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob", operatorRole)
	taken := d.upload("confidential.csv", "a\nsecret\n", ann)
	failMessage(d, taken.Task.ID)
	setStatus(d, taken.Task.ID, task.Failed)
	d.exec(`insert into sheetdrop.dead_letter (id, queue_message_id, task_id, text, dequeue_count) values ($1, 'm', $1, 'secret', 5)`, taken.Task.ID)
	d.exec(`insert into sheetdrop.recovery (restored_to) values (now())`)
	anns := []string{taken.File.ID.String(), taken.Task.ID.String(), "aad:tenant/ann", "confidential.csv", "secret"}
	seen := 0
	for _, r := range routesOf(d.Handler) {
		for _, query := range append([]string{""}, switchesOf(d.Handler, r)...) {
			path := prefix + strings.NewReplacer("{id}", taken.File.ID.String(), "{number}", "1", "{load}", "1", "{delivery}", taken.File.ID.String()).Replace(r.path) + query
			if r.method == http.MethodGet {
				d.get(path, ann)
			}
			if strings.Contains(d.log.String(), `"caller":"aad:tenant/ann"`) {
				t.Fatalf("%s %s: ann is no operator: %s", r.method, path, d.log.String())
			}
			before := len(d.log.String())
			a := d.send(r.method, path, nil, bob)
			said := d.log.String()[before:]
			of := slices.ContainsFunc(anns, func(text string) bool { return strings.Contains(string(a.body), text) && !strings.Contains(path, text) })
			if !of && !r.operators {
				continue
			}
			seen++
			line := fmt.Sprintf(`"msg":"operator_access","caller":"aad:tenant/bob","method":%q,"path":%q,"query":%q`, r.method, strings.TrimSuffix(path, query), strings.TrimPrefix(query, "?"))
			if strings.Count(said, line) != 1 {
				t.Errorf("%s %s shows what is ann's, and the log says %q, want %s", r.method, path, said, line)
			}
		}
	}
	if log := d.log.String(); seen < 11 || strings.Contains(log, "confidential") || strings.Contains(log, "secret") {
		t.Errorf("%d uses; the log:\n%s", seen, log)
	}
}

// switchesOf are queries that turn on each parameter of an operation that is true or false.
func switchesOf(h *Handler, r route) (queries []string) {
	item := h.api.OpenAPI().Paths[r.path]
	for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
		if op == nil || op.Method != r.method {
			continue
		}
		for _, p := range op.Parameters {
			if p.In == "query" && p.Schema.Type == huma.TypeBoolean {
				queries = append(queries, "?"+p.Name+"=true")
			}
		}
	}
	return queries
}
