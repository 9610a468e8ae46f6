package upload

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
)

// exampleRequests returns a request for each operation but those for upload tokens, with the example of its body.
func exampleRequests(t *testing.T) []exampleRequest {
	t.Helper()
	return slices.DeleteFunc(allExampleRequests(t), exampleRequest.isEmbedded)
}

// embeddedRequests returns those for upload tokens.
func embeddedRequests(t *testing.T) []exampleRequest {
	t.Helper()
	return slices.DeleteFunc(allExampleRequests(t), func(r exampleRequest) bool { return !r.isEmbedded() })
}

func allExampleRequests(t *testing.T) (requests []exampleRequest) {
	t.Helper()
	document, _ := readServed(t)
	for path, methods := range document.Paths {
		for method, o := range methods {
			r := exampleRequest{pattern: strings.ToUpper(method) + " " + path, method: strings.ToUpper(method)}
			r.path = "/api" + strings.NewReplacer("{id}", task0, "{number}", "1", "{load}", "1", "{delivery}", task0).Replace(path)
			if path == "/events" || path == "/targets/propose" {
				r.query = "?task=" + task0
			}
			if (path == "/files" || path == "/embed/files") && method == "post" {
				r.body, r.mediaType, r.query = "a\n", "text/csv", "?name=a.csv"
			} else if path == "/webhooks" && method == "post" {
				r.body, r.mediaType = hookURL, "application/json" // whose host may be called
			} else if content, ok := o.RequestBody.Content["application/json"]; ok {
				r.body, r.mediaType = string(content.Example), "application/json"
			}
			requests = append(requests, r)
		}
	}
	return requests
}

// embedding allows the origin of the examples.
var embedding = withSettings(func(s *Settings) { s.Embed.Origins = []string{"https://app.example.com"} })

type exampleRequest struct{ pattern, method, path, query, body, mediaType string }

func (r exampleRequest) isHealth() bool { return r.path == healthPath }

func (r exampleRequest) isEmbedded() bool { return strings.HasPrefix(r.path, embed.Prefix+"/") }

func (r exampleRequest) send(d *testAPI, query string, headers ...string) answer {
	d.t.Helper()
	if r.mediaType != "" {
		headers = append(headers, "Content-Type: "+r.mediaType)
	}
	if r.query != "" && query != "" {
		query = "&" + query
	} else if query != "" {
		query = "?" + query
	}
	return d.send(r.method, r.path+r.query+query, strings.NewReader(r.body), headers...)
}

// No operation forgets whom it admits, whatever else is wrong with the request.
func TestEveryOperationAdmitsOnlyWhoMayCall(t *testing.T) {
	t.Parallel()
	local := newTestAPI(t, embedding)
	signedOut := newTestAPI(t, withSettings(func(s *Settings) { s.Auth, s.Platform.AuthEnabled = AuthEasyAuth, true }))
	for _, r := range exampleRequests(t) {
		if r.isHealth() {
			continue
		}
		r.send(local, "", "X-Forwarded-For: 192.0.2.1").problem(problem.NotLocal)
		r.send(signedOut, "").problem(problem.SignInNeeded)
		if r.method != http.MethodGet {
			r.send(local, "", "Sec-Fetch-Site: cross-site").problem(problem.CrossSite)
		}
	}
}

// A misspelt parameter is never ignored.
func TestEveryOperationRefusesUnknownParameters(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, embedding)
	for _, r := range exampleRequests(t) {
		if a := r.send(d, "lmit=5"); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", r.pattern, a.status, a.body)
		}
	}
}

// While the database is away or older than the program, each operation that needs it says so, and says when to ask again.
func TestEveryOperationSaysThatTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, embedding, withDatabase("postgres://nobody@127.0.0.1:1/nothing?connect_timeout=1"))
	for _, r := range exampleRequests(t) {
		if r.isHealth() {
			continue
		}
		a := r.send(d, "")
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q: %s", r.pattern, a.status, a.header.Get("Retry-After"), a.body)
		}
	}
}

// asksNothing are operations that read no table.
var asksNothing = []string{"GET /health", "GET /ready", "GET /me"}

// What goes wrong inside is answered without a word of it, and found in the log by the instance.
func TestEveryOperationHidesInternalErrors(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, embedding)
	if err := d.db.SchemaReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.exec(`alter schema sheetdrop rename to elsewhere`)
	for _, r := range exampleRequests(t) {
		if slices.Contains(asksNothing, r.pattern) {
			continue
		}
		a := r.send(d, "")
		var p problem.Problem
		if err := json.Unmarshal(a.body, &p); err != nil || p.Code != problem.Internal || a.status != http.StatusInternalServerError {
			t.Errorf("%s: %d %s", r.pattern, a.status, a.body)
			continue
		}
		if strings.Contains(p.Detail, "sheetdrop.") || !strings.Contains(d.log.String(), p.Instance) || !strings.HasPrefix(p.Instance, "urn:uuid:") {
			t.Errorf("%s: %+v", r.pattern, p)
		}
	}
}

// A body that no operation can take, because it is of another type, too large or does not arrive, changes nothing, and its sender is told which
// of these it is.
func TestEveryOperationChecksItsBody(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann", operatorRole)
	page := pageOf(product, d.token("", `{"origin":"`+product+`"}`, ann).Token)
	stalls := newTestAPI(t, withDatabase(d.sql.Config().ConnString()), withOrigins(), withHandler(func(h *Handler) { h.readIdle = 50 * time.Millisecond }))
	before := d.everything()
	for _, r := range allExampleRequests(t) {
		if r.mediaType == "" {
			continue
		}
		headers := []string{ann}
		if r.isEmbedded() {
			headers = page
		}
		wrong := "text/plain"
		if r.mediaType == "text/csv" {
			wrong = "multipart/form-data" // without a boundary
		}
		d.send(r.method, r.path+r.query, strings.NewReader(r.body), append([]string{"Content-Type: " + wrong}, headers...)...).problem(problem.UnsupportedMediaType)
		headers = append([]string{"Content-Type: " + r.mediaType}, headers...)
		d.send(r.method, r.path+r.query, strings.NewReader(strings.Repeat(" ", 2<<20)), headers...).problem(problem.TooLarge)
		silent, end := io.Pipe()
		stalls.send(r.method, r.path+r.query, silent, headers...).problem(problem.UploadStalled)
		end.Close()
	}
	if after := d.everything(); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
}

// A page that uploads with a token, and a product's server that looks into its responses, can tell by the status what is wrong: with the token,
// the origin, the request, the thing that it asks for, or the service.
func TestEveryOperationOfATokenSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	away := newTestAPI(t, withOrigins(), withDatabase("postgres://nobody@127.0.0.1:1/nothing?connect_timeout=1"))
	token := d.token("", `{"origin":"`+product+`","max_files":3}`, signedIn("ann")).Token
	page := pageOf(product, token)
	var own FileAndTask
	d.post("/api/embed/files?name=own.csv", "a\n1\n", page...).into(http.StatusAccepted, &own)
	requests := embeddedRequests(t)
	for _, r := range requests {
		r.send(d, "", "Origin: "+product).problem(problem.InvalidUploadToken)
		r.send(d, "", pageOf("https://elsewhere.example.com", token)...).problem(problem.OriginNotAllowed)
		r.send(away, "", page...).problem(problem.DatabaseUnavailable)
		if strings.Contains(r.path, task0) {
			r.send(d, "", page...).problem(problem.NotFound)
		}
		r.path = strings.Replace(r.path, "/tasks/"+task0, "/tasks/"+own.Task.ID.String(), 1)
		if a := r.send(d, "lmit=5", page...); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", r.pattern, a.status, a.body)
		}
	}
	d.exec(`alter schema sheetdrop rename to elsewhere`)
	for _, r := range requests {
		r.send(d, "", page...).problem(problem.Internal)
	}
}
