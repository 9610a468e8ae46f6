package upload

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// delivery is a request as the host passes it on, made for what exists in the testAPI.
type delivery struct {
	method, path, body string
	status             int // of its answer
}

// deliveries are the operations that change something, each with what it needs. A body is sent only where the operation does not work
// without: the host sends those requests again that have none.
var deliveries = map[string]func(d *testAPI) delivery{
	"POST /files": func(*testAPI) delivery { // without a body it takes no file
		return delivery{http.MethodPost, "/api/files?name=a.csv", "", http.StatusBadRequest}
	},
	"POST /uploads": func(*testAPI) delivery { // without a body it begins none
		return delivery{http.MethodPost, "/api/uploads", "", http.StatusBadRequest}
	},
	"POST /uploads/{id}/sas": func(d *testAPI) delivery {
		return delivery{http.MethodPost, "/api/uploads/" + d.stage("a.csv", "a\n").ID.String() + "/sas", "", http.StatusOK}
	},
	"POST /uploads/{id}/complete": func(d *testAPI) delivery {
		return delivery{http.MethodPost, "/api/uploads/" + d.stage("a.csv", "a\n").ID.String() + "/complete", "", http.StatusAccepted}
	},
	"DELETE /uploads/{id}": func(d *testAPI) delivery {
		return delivery{http.MethodDelete, "/api/uploads/" + d.stage("a.csv", "a\n").ID.String(), "", http.StatusNoContent}
	},
	"DELETE /files/{id}": func(d *testAPI) delivery {
		return delivery{http.MethodDelete, "/api/files/" + d.upload("a.csv", "a\n").File.ID.String(), "", http.StatusNoContent}
	},
	"POST /files/{id}/tasks": func(d *testAPI) delivery {
		taken := d.upload("a.csv", "a\n")
		endTasks(d)
		return delivery{http.MethodPost, "/api/files/" + taken.File.ID.String() + "/tasks?delimiter=tab", "", http.StatusAccepted}
	},
	"POST /tasks/{id}/cancel": func(d *testAPI) delivery {
		return delivery{http.MethodPost, "/api/tasks/" + d.upload("a.csv", "a\n").Task.ID.String() + "/cancel", "", http.StatusOK}
	},
	"POST /tasks/{id}/retry": func(d *testAPI) delivery {
		return delivery{http.MethodPost, "/api/tasks/" + failed(d).String() + "/retry", "", http.StatusOK}
	},
	"DELETE /tasks/{id}": func(d *testAPI) delivery {
		return delivery{http.MethodDelete, "/api/tasks/" + failed(d).String(), "", http.StatusNoContent}
	},
	"POST /tasks/{id}/sheets/{number}/view": func(d *testAPI) delivery {
		taken := d.upload("a.csv", "a\n")
		sheetOf(d, taken.Task.ID, "a")
		return delivery{http.MethodPost, "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/view", "", http.StatusCreated}
	},
	"DELETE /views/{id}": func(d *testAPI) delivery {
		taken := d.upload("a.csv", "a\n")
		sheetOf(d, taken.Task.ID, "a")
		return delivery{http.MethodDelete, "/api/views/" + d.view(taken.Task.ID, "").ID.String(), "", http.StatusNoContent}
	},
	"POST /targets": func(*testAPI) delivery { // without a body it creates none
		return delivery{http.MethodPost, "/api/targets", "", http.StatusBadRequest}
	},
	"POST /targets/propose": func(d *testAPI) delivery {
		taken := d.upload("a.csv", "a\n")
		sheetOf(d, taken.Task.ID, "a")
		return delivery{http.MethodPost, "/api/targets/propose?task=" + taken.Task.ID.String(), "", http.StatusOK}
	},
	"POST /targets/{id}/match": func(d *testAPI) delivery {
		taken := d.upload("a.csv", "a\n")
		sheetOf(d, taken.Task.ID, "a")
		return delivery{http.MethodPost, "/api/targets/" + d.target(pricesTarget).ID.String() + "/match?task=" + taken.Task.ID.String(), "", http.StatusOK}
	},
	"PATCH /targets/{id}": func(d *testAPI) delivery { // without a body it changes nothing
		return delivery{http.MethodPatch, "/api/targets/" + d.target(pricesTarget).ID.String(), "", http.StatusBadRequest}
	},
	"DELETE /targets/{id}": func(d *testAPI) delivery {
		return delivery{http.MethodDelete, "/api/targets/" + d.target(pricesTarget).ID.String(), "", http.StatusNoContent}
	},
	"POST /targets/{id}/loads/{load}/undo": func(d *testAPI) delivery {
		made, _ := loaded(d)
		return delivery{http.MethodPost, pathOf(made) + "/loads/7/undo", "", http.StatusAccepted}
	},
	"PUT /targets/{id}/choices": func(d *testAPI) delivery {
		return delivery{http.MethodPut, "/api/targets/" + d.target(pricesTarget).ID.String() + "/choices", `{"choices":{"a":"net"}}`, http.StatusOK}
	},
	"DELETE /targets/{id}/choices": func(d *testAPI) delivery {
		return delivery{http.MethodDelete, "/api/targets/" + d.target(pricesTarget).ID.String() + "/choices", "", http.StatusNoContent}
	},
	"PUT /targets/{id}/shares": func(d *testAPI) delivery {
		return delivery{http.MethodPut, "/api/targets/" + d.target(pricesTarget).ID.String() + "/shares", `{"shares":[{"grantee":"bob","may":"load"}]}`, http.StatusOK}
	},
	"POST /upload-tokens": func(*testAPI) delivery { // without a body it creates none
		return delivery{http.MethodPost, "/api/upload-tokens", "", http.StatusBadRequest}
	},
	"DELETE /upload-tokens/{id}": func(d *testAPI) delivery {
		var id uuid.UUID
		d.query(&id, `insert into sheetdrop.upload_token (id, owner, secret_sha256, origin, options, max_files, max_bytes, expires_at)
values (gen_random_uuid(), 'local', sha256('a'), 'https://shop.example', '{}', 1, 1, now() + interval '1 minute') returning id`)
		return delivery{http.MethodDelete, "/api/upload-tokens/" + id.String(), "", http.StatusNoContent}
	},
	"POST /webhooks": func(*testAPI) delivery { // without a body it creates none
		return delivery{http.MethodPost, "/api/webhooks", "", http.StatusBadRequest}
	},
	"PATCH /webhooks/{id}": func(d *testAPI) delivery {
		return delivery{http.MethodPatch, d.webhook(hookURL).path(), `{"enabled":false}`, http.StatusOK}
	},
	"DELETE /webhooks/{id}": func(d *testAPI) delivery {
		return delivery{http.MethodDelete, d.webhook(hookURL).path(), "", http.StatusNoContent}
	},
	"POST /webhooks/{id}/rotate-secret": func(d *testAPI) delivery {
		return delivery{http.MethodPost, d.webhook(hookURL).path() + "/rotate-secret", "", http.StatusOK}
	},
	"POST /webhooks/{id}/test": func(d *testAPI) delivery {
		return delivery{http.MethodPost, d.webhook(hookURL).path() + "/test", "", http.StatusAccepted}
	},
	"POST /webhooks/{id}/deliveries/{delivery}/redeliver": func(d *testAPI) delivery {
		hook := d.webhook(hookURL)
		return delivery{http.MethodPost, hook.path() + "/deliveries/" + d.testEvent(hook.ID).ID.String() + "/redeliver", "", http.StatusAccepted}
	},
	"POST /bulk/tasks": func(d *testAPI) delivery {
		failed(d)
		return delivery{http.MethodPost, "/api/bulk/tasks", `{"filter":{}}`, http.StatusAccepted}
	},
	"POST /outbox/{id}/redrive": func(d *testAPI) delivery {
		message := failMessage(d, d.upload("a.csv", "a\n").Task.ID)
		return delivery{http.MethodPost, "/api/outbox/" + message.String() + "/redrive", "", http.StatusOK}
	},
	"POST /outbox/redrive": func(d *testAPI) delivery {
		failMessage(d, d.upload("a.csv", "a\n").Task.ID)
		return delivery{http.MethodPost, "/api/outbox/redrive", `{}`, http.StatusOK}
	},
	"POST /tasks/retry": func(d *testAPI) delivery {
		failed(d)
		return delivery{http.MethodPost, "/api/tasks/retry", `{}`, http.StatusOK}
	},
	"POST /recovery": func(*testAPI) delivery {
		return delivery{http.MethodPost, "/api/recovery", `{"restored_to":"2026-01-01T00:00:00Z"}`, http.StatusOK}
	},
	"POST /recovery/files": func(d *testAPI) delivery {
		return delivery{http.MethodPost, "/api/recovery/files", `{"blob":"` + d.lose(d.upload("a.csv", "a\n").File.ID) + `"}`, http.StatusOK}
	},
	"POST /recovery/end": func(d *testAPI) delivery {
		d.exec(`insert into sheetdrop.recovery (restored_to) values (now())`)
		return delivery{http.MethodPost, "/api/recovery/end", "", http.StatusOK}
	},
}

// failed makes a task that has FAILED.
func failed(d *testAPI) uuid.UUID {
	d.t.Helper()
	id := d.upload("a.csv", "a\n").Task.ID
	setStatus(d, id, task.Failed)
	return id
}

// The host sends a request without a body again, under the same invocation id, when its handler dies before it has answered. Whatever the
// operation is, one after the other or all at once, it is done once, and each delivery gets the same answer.
func TestInvocationIsDoneOnce(t *testing.T) {
	t.Parallel()
	for _, r := range routesOf(newTestAPI(t).Handler) {
		if r.method == http.MethodGet {
			continue
		}
		operation := r.method + " " + r.path
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			prepare := deliveries[operation]
			if prepare == nil {
				t.Fatal("no delivery of this operation is tested")
			}
			d := newTestAPI(t)
			request, invocation := prepare(d), uuid.NewString()
			first := d.deliver(request, invocation)
			after := d.contents()
			if again := d.deliver(request, invocation); !sameAnswer(first, again) {
				t.Errorf("again: %d %s, was %d %s", again.status, again.body, first.status, first.body)
			}
			if now := d.contents(); !maps.Equal(now, after) {
				t.Errorf("the second delivery changed something:\n%v\nwas\n%v", now, after)
			}

			d = newTestAPI(t)
			request = prepare(d)
			var together sync.WaitGroup
			answers := make([]answer, 6)
			for i := range answers {
				together.Go(func() { answers[i] = d.deliver(request, invocation) })
			}
			together.Wait()
			for _, a := range answers {
				if !sameAnswer(a, answers[0]) {
					t.Errorf("at once: %d %s and %d %s", a.status, a.body, answers[0].status, answers[0].body)
				}
			}
			if want, got := rows(after), rows(d.contents()); !maps.Equal(got, want) {
				t.Errorf("deliveries at once left rows %v, one left %v", got, want)
			}
		})
	}
}

// Two requests are two, also where no host gives them an id, or something else than a host does.
func TestRequestsWithoutAnInvocation(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	request := deliveries["POST /files/{id}/tasks"](d)
	for _, invocation := range []string{"", "", "no-uuid", "no-uuid", uuid.NewString(), uuid.NewString()} {
		endTasks(d)
		d.deliver(request, invocation)
	}
	if n := d.count("task"); n != 7 {
		t.Errorf("%d tasks, want that of the upload and 6", n)
	}
}

// An id that was another request's already is refused, and nobody gets to see that request's answer.
func TestInvocationOfAnotherRequest(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	file := d.upload("a.csv", "a\n", signedIn("ann")).File.ID.String()
	endTasks(d)
	invocation := "Invocation: " + uuid.NewString()
	d.send(http.MethodPost, "/api/files/"+file+"/tasks", nil, signedIn("ann"), invocation).into(http.StatusAccepted, &Task{})
	d.send(http.MethodPost, "/api/files/"+file+"/tasks", nil, signedIn("bob"), invocation).problem(problem.Internal)
	d.send(http.MethodDelete, "/api/files/"+file, nil, signedIn("ann"), invocation).problem(problem.Internal)
	if n := d.count("operator_action"); n != 1 {
		t.Errorf("%d actions", n)
	}
}

func (d *testAPI) deliver(r delivery, invocation string) answer {
	d.t.Helper()
	headers := []string{"Invocation: " + invocation}
	if r.body != "" {
		headers = append(headers, "Content-Type: application/json")
	}
	a := d.send(r.method, r.path, bytes.NewReader([]byte(r.body)), headers...)
	if a.status != r.status {
		d.t.Errorf("%s %s: %d %s, want %d", r.method, r.path, a.status, a.body, r.status)
	}
	return a
}

func sameAnswer(a, b answer) bool {
	return a.status == b.status && bytes.Equal(a.body, b.body) && a.header.Get("Location") == b.header.Get("Location")
}

// contents are the rows of every table of the schema, as text.
func (d *testAPI) contents() map[string]string {
	d.t.Helper()
	var tables []string
	d.query(&tables, `select array_agg(relname::text) from pg_class where relnamespace = 'sheetdrop'::regnamespace and relkind = 'r'`)
	all := map[string]string{}
	for _, table := range tables {
		var text string
		d.query(&text, fmt.Sprintf(`select coalesce(string_agg(replace(t::text, E'\n', ' '), E'\n' order by t::text), '') from sheetdrop.%s t`, table))
		all[table] = text
	}
	return all
}

// rows counts the rows of contents.
func rows(contents map[string]string) map[string]int {
	counts := map[string]int{}
	for table, text := range contents {
		counts[table] = len(strings.Split(text, "\n"))
	}
	return counts
}

type invocationKey struct{}

// underInvocation puts the id of a request's header into its context, where New's invocationID finds it.
func underInvocation(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), invocationKey{}, r.Header.Get("Invocation"))))
	})
}

func invocationOf(ctx context.Context) string {
	id, _ := ctx.Value(invocationKey{}).(string)
	return id
}
