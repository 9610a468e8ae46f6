package upload

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/problem"
)

const (
	product = "https://app.example.com"
	other   = "https://other.example.com" // is allowed, too
)

// withOrigins lets pages of two origins upload, where the platform signs callers in.
func withOrigins() part {
	return func(p *parts) {
		withEasyAuth()(p)
		p.settings.Embed = embed.Settings{Origins: []string{product, other}}
	}
}

// token makes an upload token; query begins with ?.
func (d *testAPI) token(query, body string, headers ...string) (made uploadToken) {
	d.t.Helper()
	d.postJSON("/api/upload-tokens"+query, body, headers...).into(http.StatusCreated, &made)
	return made
}

// pageOf are the headers of a page's request with a token.
func pageOf(origin, token string) []string {
	return []string{"Origin: " + origin, "Sec-Fetch-Site: cross-site", "Authorization: Bearer " + token}
}

// A page whose token is for the corrections of a load says what to do once that load has been undone.
func TestUploadTokenForCorrectionsOfAnUndoneLoad(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	taken := d.upload("a.csv", "a\n1\n", ann)
	sheetOf(d, taken.Task.ID, "a")
	into := d.target(pricesTarget, ann)
	d.exec(`update sheetdrop.task set options = jsonb_build_object('target', jsonb_build_object('id', $1::uuid, 'name', 'prices')), target_id = $1`, into.ID)
	d.exec(`insert into sheetdrop.target_load (id, target_id, task_id, file_id, file_name, sheet_number, version, mode, columns, mapping, undone_at)
values (7, $1, $2, $3, 'a.csv', 1, 1, 'insert', '{a}', '{"columns":[]}', now())`, into.ID, taken.Task.ID, taken.File.ID)
	token := d.token("?corrects="+url.QueryEscape(taken.Task.ID.String()+"/1"), `{"origin":"`+product+`"}`, ann).Token
	p := d.post("/api/embed/files?name=b.csv", "a\n1\n", pageOf(product, token)...).problem(problem.CannotCorrect)
	if !strings.Contains(p.Detail, "has been undone") {
		t.Error(p.Detail)
	}
}

// A product's page uploads with the token that its server asked for, and sees what becomes of the file: the owner, the target and the options
// are those of the token.
func TestUploadTokenUploads(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	made := d.token("?delimiter=%3B&header=2", `{"origin":"`+product+`","max_files":3,"max_bytes":1000,"expires_in":60}`, ann)
	if !strings.HasPrefix(made.Token, "sdu_") || made.MaxFiles != 3 || made.MaxBytes != 1000 || made.Origin != product {
		t.Errorf("%+v", made)
	}
	page := pageOf(product, made.Token)
	posted := d.post("/api/embed/files?name=a.csv", "a\n1\n", append(page, "Idempotency-Key: k")...)
	var first FileAndTask
	posted.into(http.StatusAccepted, &first)
	if got := posted.header.Get("Access-Control-Allow-Origin"); got != product || posted.header.Get("Vary") != "Origin" {
		t.Errorf("Access-Control-Allow-Origin %q, Vary %q", got, posted.header.Values("Vary"))
	}
	if posted.header.Get("Access-Control-Allow-Credentials") != "" || posted.header.Get("Location") != "/api/embed/tasks/"+first.Task.ID.String() {
		t.Errorf("%v", posted.header)
	}
	if !equalJSON(first.Task.Options, made.Options) || !strings.Contains(string(made.Options), `";"`) {
		t.Errorf("options %s, want %s", first.Task.Options, made.Options)
	}
	var owner string
	if d.query(&owner, `select owner from sheetdrop.source_file where id = $1`, first.File.ID); owner != "aad:tenant/ann" {
		t.Errorf("the file is %s's", owner)
	}
	d.get("/api/embed/tasks/"+first.Task.ID.String(), page...).into(http.StatusOK, &Task{})
	again := d.post("/api/embed/files?name=a.csv", "a\n1\n", append(page, "Idempotency-Key: k")...)
	var replayed FileAndTask
	if again.into(http.StatusAccepted, &replayed); replayed.File.ID != first.File.ID {
		t.Error("the same request has made another file")
	}
	var form Uploaded
	d.send(http.MethodPost, "/api/embed/files", strings.NewReader(filePart("b.csv", "b\n2\n")+"--x--\r\n"), "Origin: "+other,
		"Content-Type: multipart/form-data; boundary=x", "Upload-Token: "+d.token("", `{"origin":"`+other+`"}`, ann).Token).into(http.StatusAccepted, &form)
	sheetOf(d, first.Task.ID, "a", "b")
	for _, path := range []string{"/sheets", "/sheets/1/rows", "/sheets/1/rejects?format=csv"} {
		if a := d.get("/api/embed/tasks/"+first.Task.ID.String()+path, page...); a.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	var used int
	if d.query(&used, `select files from sheetdrop.upload_token where id = $1`, made.ID); used != 1 {
		t.Errorf("%d files are counted, want 1", used)
	}
}

// A large file goes straight to the store with a token, as without one.
func TestUploadTokenUploadsToTheStore(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	made := d.token("", `{"origin":"`+product+`","max_bytes":10}`, signedIn("ann"))
	page := pageOf(product, made.Token)
	d.postJSON("/api/embed/uploads", `{"name":"big.csv","size_bytes":11}`, page...).problem(problem.UploadTokenUsedUp)
	begun := d.begunWith("/api/embed/uploads", "big.csv", 4, page...)
	if begun.Address == nil || d.put(blockURL(begun.Address.URL, 0), []byte("a\n1\n")) != http.StatusCreated {
		t.Fatal("the block was not stored")
	}
	at := "/api/embed/uploads/" + begun.ID.String()
	d.get(at, page...).into(http.StatusOK, &StoredUpload{})
	d.send(http.MethodPost, at+"/sas", nil, page...).into(http.StatusOK, &BlobAddress{})
	var taken FileAndTask
	d.send(http.MethodPost, at+"/complete", nil, page...).into(http.StatusAccepted, &taken)
	d.get("/api/embed/tasks/"+taken.Task.ID.String(), page...).into(http.StatusOK, &Task{})
	d.postJSON("/api/embed/uploads", `{"name":"second.csv","size_bytes":1}`, page...).problem(problem.UploadTokenUsedUp)
}

func (d *testAPI) begunWith(path, name string, size int, headers ...string) (begun BegunUpload) {
	d.t.Helper()
	d.postJSON(path, fmt.Sprintf(`{"name":%q,"size_bytes":%d}`, name, size), headers...).into(http.StatusCreated, &begun)
	return begun
}

// P8: a token is good for its own tasks and nothing else: not its owner's other files, not another token's, no other operation, and not
// where people sign in. So it does not matter who reads it out of a page.
func TestUploadTokenReachesItsOwnTasksAlone(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	mine := d.upload("secret.csv", "a\n1\n", ann)
	stored := d.stage("stored.csv", "b\n1\n", ann)
	neighbour := d.token("", `{"origin":"`+product+`"}`, ann)
	var others FileAndTask
	d.post("/api/embed/files?name=o.csv", "a\n1\n", pageOf(product, neighbour.Token)...).into(http.StatusAccepted, &others)
	made := d.token("", `{"origin":"`+product+`","max_files":9}`, ann)
	page := pageOf(product, made.Token)
	before := d.everything()
	for _, op := range embed.Operations {
		if !strings.Contains(op.Path, "{id}") {
			continue
		}
		for _, id := range []uuid.UUID{mine.Task.ID, mine.File.ID, others.Task.ID, others.File.ID, stored.ID, task.NewID()} {
			path := embed.Prefix + strings.NewReplacer("{id}", id.String(), "{number}", "1").Replace(op.Path)
			d.send(op.Method, path, nil, page...).problem(problem.NotFound)
		}
	}
	for _, r := range routesOf(d.Handler) {
		path := prefix + strings.NewReplacer("{id}", mine.File.ID.String(), "{number}", "1", "{load}", "1").Replace(r.path)
		if r.path == "/health" {
			continue
		}
		d.send(r.method, path, nil, page[2]).problem(problem.SignInNeeded) // the token where people sign in
		d.send(r.method, path, nil, "Upload-Token: "+made.Token).problem(problem.SignInNeeded)
	}
	for _, path := range []string{"/files", "/files/" + mine.File.ID.String(), "/files/" + mine.File.ID.String() + "/content", "/tasks", "/me",
		"/upload-tokens", "/openapi.json", "/ready", "/health", "/events?task=" + mine.Task.ID.String(), "", "/"} {
		d.get("/api/embed"+path, page...).problem(problem.NotFound)
	}
	d.send(http.MethodDelete, "/api/embed/tasks/"+mine.Task.ID.String(), nil, page...).problem(problem.NotFound)
	if after := d.everything(); after != before {
		t.Errorf("there was\n%s\nand is\n%s", before, after)
	}
	var same FileAndTask // the bytes of a file of the owner's tell nothing, and neither does its idempotency key
	d.post("/api/embed/files?name=secret.csv", "a\n1\n", append(page, "Idempotency-Key: theirs")...).into(http.StatusAccepted, &same)
	if same.SameAs != nil {
		t.Errorf("the page learns of %+v", same.SameAs)
	}
	d.post("/api/files?name=x.csv", "x\n1\n", ann, "Idempotency-Key: shared").into(http.StatusAccepted, &FileAndTask{})
	var fresh FileAndTask
	answer := d.post("/api/embed/files?name=x.csv", "x\n1\n", append(page, "Idempotency-Key: shared")...)
	if answer.into(http.StatusAccepted, &fresh); answer.header.Get("Idempotent-Replayed") != "" {
		t.Error("a page gets what its owner has uploaded with the same key")
	}
	for _, query := range []string{"&duplicates=refuse", "&delimiter=%3B", "&target=prices", "&preview=3", "&corrects=" + mine.Task.ID.String() + "/1"} {
		d.post("/api/embed/files?name=a.csv"+query, "a\n", page...).problem(problem.InvalidOption)
	}
	d.send(http.MethodPost, "/api/embed/files", strings.NewReader(fieldPart("target", "prices")+filePart("a.csv", "a\n1\n")+"--x--\r\n"),
		append(page, "Content-Type: multipart/form-data; boundary=x")...).problem(problem.InvalidOption)
}

// A token that is used up, has expired, was deleted or made up, or comes from another origin's page, is of no use; the database keeps none that
// could be read out of a backup.
func TestUploadTokensThatDoNotCount(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	post := func(headers ...string) answer { return d.post("/api/embed/files?name=a.csv", "a\n1\n", headers...) }
	made := d.token("", `{"origin":"`+product+`"}`, ann)
	post(pageOf(other, made.Token)...).problem(problem.InvalidUploadToken)
	post(pageOf(product, made.Token+"x")...).problem(problem.InvalidUploadToken)
	post(pageOf(product, "sdu_"+strings.Repeat("A", 43))...).problem(problem.InvalidUploadToken)
	post(pageOf(product, made.ID.String())...).problem(problem.InvalidUploadToken)
	post("Origin: " + product).problem(problem.InvalidUploadToken)
	post("Origin: "+product, ann).problem(problem.InvalidUploadToken) // where the platform lets everybody through its word is nobody's
	post(pageOf(product, made.Token)...).into(http.StatusAccepted, &FileAndTask{})
	post(pageOf(product, made.Token)...).problem(problem.UploadTokenUsedUp)
	small := d.token("", `{"origin":"`+product+`","max_bytes":3}`, ann)
	post(pageOf(product, small.Token)...).problem(problem.UploadTokenUsedUp)
	expired := d.token("", `{"origin":"`+product+`"}`, ann)
	d.exec(`update sheetdrop.upload_token set expires_at = now() where id = $1`, expired.ID)
	post(pageOf(product, expired.Token)...).problem(problem.InvalidUploadToken)
	deleted := d.token("", `{"origin":"`+product+`"}`, ann)
	d.send(http.MethodDelete, "/api/upload-tokens/"+deleted.ID.String(), nil, signedIn("bob")).problem(problem.NotFound)
	d.send(http.MethodDelete, "/api/upload-tokens/"+deleted.ID.String(), nil, ann).noContent()
	post(pageOf(product, deleted.Token)...).problem(problem.InvalidUploadToken)
	if n := d.count("source_file"); n != 1 {
		t.Errorf("%d files, want 1", n)
	}
	var stored string
	d.query(&stored, `select jsonb_agg(t)::text from sheetdrop.upload_token t`)
	if strings.Contains(stored, made.Token) || strings.Contains(d.log.String(), made.Token) {
		t.Error("a token is in the database, or in the log")
	}
	if n := d.count("upload_token"); n != 2 {
		t.Errorf("%d tokens are kept: those that have expired go when the next is made", n)
	}
}

// Many uploads at once cannot make more of a token than it allows.
func TestUploadTokenIsCountedOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	made := d.token("", `{"origin":"`+product+`","max_files":3}`, signedIn("ann"))
	answers := make(chan answer)
	for i := range 8 {
		go func() {
			answers <- d.post(fmt.Sprintf("/api/embed/files?name=%d.csv", i), "a\n1\n", pageOf(product, made.Token)...)
		}()
	}
	accepted := 0
	for range 8 {
		if a := <-answers; a.status == http.StatusAccepted {
			accepted++
		} else {
			a.problem(problem.UploadTokenUsedUp)
		}
	}
	if n := d.count("source_file"); accepted != 3 || n != 3 {
		t.Errorf("%d were accepted, and there are %d files; want 3", accepted, n)
	}
}

// Pages of other origins get nothing: no origin that is not named is told that it may, whatever it looks like, and nothing but what an upload needs
// is open to those that are named.
func TestOtherOriginsGetNothing(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	made := d.token("", `{"origin":"`+product+`"}`, signedIn("ann"))
	preflight := func(origin, method, path string) answer {
		return d.send(http.MethodOptions, path, nil, "Origin: "+origin, "Access-Control-Request-Method: "+method, "Access-Control-Request-Headers: upload-token,content-type")
	}
	for _, origin := range []string{"https://evil.example", "null", "*", "https://app.example.com.evil.example", "https://evil.app.example.com", "http://app.example.com",
		"https://app.example.com:444", "https://APP.example.com", "https://app.example.com/", product + ", " + other} {
		for _, a := range []answer{
			preflight(origin, http.MethodPost, "/api/embed/files"), d.post("/api/embed/files?name=a.csv", "a\n1\n", pageOf(origin, made.Token)...),
		} {
			a.problem(problem.OriginNotAllowed)
			if allowed := a.header.Get("Access-Control-Allow-Origin"); allowed != "" || a.header.Get("Vary") != "Origin" {
				t.Errorf("%s: Access-Control-Allow-Origin %q, Vary %q", origin, allowed, a.header.Values("Vary"))
			}
		}
	}
	d.post("/api/embed/files?name=a.csv", "a\n1\n", "Upload-Token: "+made.Token).problem(problem.OriginNotAllowed) // no page at all
	allowed := preflight(product, http.MethodPost, "/api/embed/files")
	allowed.noContent()
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": product, "Access-Control-Allow-Methods": "POST", "Access-Control-Max-Age": "7200", "Access-Control-Allow-Credentials": "",
		"Access-Control-Allow-Headers": "Authorization, Upload-Token, Content-Type, Idempotency-Key",
	} {
		if got := allowed.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for method, path := range map[string]string{
		http.MethodDelete: "/api/embed/files", http.MethodGet: "/api/embed/files", http.MethodPatch: "/api/embed/tasks/x", http.MethodPut: "/api/embed/uploads", "TRACE": "/api/embed/files",
	} {
		if a := preflight(product, method, path); a.status != http.StatusNotFound || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: %d %v", method, path, a.status, a.header)
		}
	}
	for _, path := range []string{"/api/files", "/api/tasks", "/api/upload-tokens", "/api/docs"} { // what people sign in for stays closed to all other pages
		a := preflight(product, http.MethodPost, path)
		if a.status < http.StatusBadRequest || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
	}
	d.post("/api/files?name=a.csv", "a\n", "Origin: "+product, "Sec-Fetch-Site: cross-site", signedIn("ann")).problem(problem.CrossSite)
	d.nothingLeft()
}

// Nobody gets a token for pages that the settings do not name, or for longer or more than there is; without the setting nothing is open.
func TestUploadTokensAreLimited(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	for body, want := range map[string]problem.Code{
		`{"origin":"https://evil.example"}`: problem.OriginNotAllowed, `{"origin":"null"}`: problem.OriginNotAllowed, `{}`: problem.InvalidBody,
		`{"origin":"` + product + `","expires_in":3601}`: problem.InvalidBody, `{"origin":"` + product + `","max_files":0}`: problem.InvalidBody,
		`{"origin":"` + product + `","max_files":1001}`: problem.InvalidBody, `{"origin":"` + product + `","owner":"bob"}`: problem.InvalidBody,
	} {
		d.postJSON("/api/upload-tokens", body, ann).problem(want)
	}
	const good = `{"origin":"` + product + `"}`
	d.postJSON("/api/upload-tokens?target=none", good, ann).problem(problem.NoSuchTarget)
	d.postJSON("/api/upload-tokens?duplicates=refuse", good, ann).problem(problem.InvalidOption)
	d.postJSON("/api/upload-tokens", good, ann, "Sec-Fetch-Site: cross-site").problem(problem.CrossSite)
	d.postJSON("/api/upload-tokens", good).problem(problem.SignInNeeded)
	d.exec(`insert into sheetdrop.upload_token (id, owner, secret_sha256, origin, options, max_files, max_bytes, expires_at)
select gen_random_uuid(), 'aad:tenant/ann', sha256(n::text::bytea), 'https://a.example', '{}', 1, 1, now() + interval '1 hour' from generate_series(1, 10000) n`)
	d.postJSON("/api/upload-tokens", good, ann).problem(problem.TooManyUploadTokens)
	d.token("", good, signedIn("bob"))

	closed := newTestAPI(t)
	closed.postJSON("/api/upload-tokens", good).problem(problem.OriginNotAllowed)
	closed.post("/api/embed/files?name=a.csv", "a\n", "Origin: "+product).problem(problem.OriginNotAllowed)
	for _, origin := range []string{"*", "null", "https://*.example.com", "https://a.example/", "https://A.example", "a.example", "https://u@a.example", "https://a.example?x", ""} {
		if (embed.Settings{Origins: []string{origin}}).Check() == nil {
			t.Errorf("%q is taken for an origin", origin)
		}
	}
	if err := (embed.Settings{Origins: []string{"https://a.example", "http://127.0.0.1:8080"}}).Check(); err != nil {
		t.Error(err)
	}
}

// With AUTH=local a token is for this machine, as all is: a page whose name was made to lead here gets nothing.
func TestUploadTokenOnThisMachine(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.Embed = embed.Settings{Origins: []string{product}} }))
	made := d.token("", `{"origin":"`+product+`"}`)
	page := pageOf(product, made.Token)
	d.post("/api/embed/files?name=a.csv", "a\n1\n", append(page, "X-Forwarded-Host: evil.example")...).problem(problem.NotLocal)
	d.post("/api/embed/files?name=a.csv", "a\n1\n", append(page, "X-Forwarded-For: 192.0.2.7")...).problem(problem.NotLocal)
	d.post("/api/embed/files?name=a.csv", "a\n1\n", page...).into(http.StatusAccepted, &FileAndTask{})
}

// What a token says of a target holds for each upload, and the caller must be one who may load into it.
func TestUploadTokenForATarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withOrigins())
	ann := signedIn("ann")
	target := d.target(pricesTarget, ann)
	made := d.token("?target="+target.Name+"&mode=upsert", `{"origin":"`+product+`"}`, ann)
	var taken FileAndTask
	d.post("/api/embed/files?name=a.csv", "a\n1\n", pageOf(product, made.Token)...).into(http.StatusAccepted, &taken)
	var options struct {
		Target struct{ ID, Mode string }
	}
	if err := json.Unmarshal(taken.Task.Options, &options); err != nil || options.Target.ID != target.ID.String() || options.Target.Mode != "upsert" {
		t.Errorf("%s, %v", taken.Task.Options, err)
	}
	d.postJSON("/api/upload-tokens?target="+target.Name, `{"origin":"`+product+`"}`, signedIn("bob")).problem(problem.NoSuchTarget)
}
