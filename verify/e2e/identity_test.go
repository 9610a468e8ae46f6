//go:build unix

package e2e_test

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/verify/e2e"
)

// tokenEndpoint gives tokens to who knows the secret, as the platform does to the app's processes (Microsoft Learn, "How to use managed
// identities for App Service and Azure Functions", REST endpoint reference).
type tokenEndpoint struct {
	lifetime time.Duration                       // of a token for storage
	token    func(lifetime time.Duration) string // for storage
	away     atomic.Bool                         // breaks every connection
	given    atomic.Int32                        // tokens for storage
}

func (e *tokenEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e.away.Load() {
		panic(http.ErrAbortHandler)
	}
	query := r.URL.Query()
	if r.Header.Get("X-Identity-Header") != "a-secret" || query.Get("client_id") != clientID {
		http.Error(w, "no token for "+r.URL.String(), http.StatusBadRequest)
		return
	}
	answer := map[string]string{"resource": query.Get("resource"), "token_type": "Bearer", "client_id": clientID}
	lifetime := time.Hour
	switch strings.TrimSuffix(query.Get("resource"), "/") {
	case "https://storage.azure.com":
		lifetime = e.lifetime
		answer["access_token"] = e.token(lifetime)
		e.given.Add(1)
	case "https://ossrdbms-aad.database.windows.net":
		answer["access_token"] = databaseToken
	default:
		http.Error(w, "no token for "+r.URL.String(), http.StatusBadRequest)
		return
	}
	answer["expires_on"] = strconv.FormatInt(time.Now().Add(lifetime).Unix(), 10)
	_ = json.NewEncoder(w).Encode(answer)
}

// P2: tokens expire while the app runs, and the endpoint that gives new ones goes away for a while: nothing is accepted that could be lost, what was
// accepted waits, no attempt is counted, and all goes on by itself.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	cloud := newCloud(t)
	cloud.tokens.lifetime = 3 * time.Second
	app := &e2e.App{Host: cloud.startHost(t, "../..", e2e.HandlerProgram(t, "")), Principal: somebody}
	task := app.Upload(t, "a.csv", csv(10, 20))
	if done := app.Await(t, task.ID); done.Status != "COMPLETED" {
		t.Fatalf("task: %+v", done)
	}

	cloud.tokens.away.Store(true)
	await.Value(t, "both parts of the storage have an expired token",
		func() string { return string(app.Do(t, http.MethodGet, "/api/ready", nil, nil).Text) },
		func(away string) bool { return strings.Contains(away, `"blobs"`) && strings.Contains(away, `"queue"`) })
	header := http.Header{"Content-Type": {"application/octet-stream"}}
	if answer := app.Do(t, http.MethodPost, "/api/files?name=b.csv", header, bytes.NewReader(csv(10, 20))); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("upload without a token: %s %s, want 503", answer.Status, answer.Text)
	}
	again := app.Do(t, http.MethodPost, "/api/files/"+task.FileID.String()+"/tasks", nil, nil)
	if again.StatusCode != http.StatusAccepted {
		t.Fatalf("parse again: %s %s", again.Status, again.Text)
	}
	cloud.await(t, `select count(*) = 1 from sheetdrop.outbox_message where last_error is not null and status = 'PENDING'`)

	given := cloud.tokens.given.Load()
	cloud.tokens.away.Store(false)
	cloud.await(t, `select count(*) = 2 from sheetdrop.task where status = 'COMPLETED' and attempt = 1 and crashes = 0`)
	if done := app.Await(t, app.Upload(t, "b.csv", csv(10, 20)).ID); done.Status != "COMPLETED" {
		t.Errorf("task: %+v", done)
	}
	if cloud.tokens.given.Load() == given {
		t.Error("the app has asked for no other token")
	}
	cloud.await(t, `select count(*) = 2 from sheetdrop.source_file`)
}

// P8: tokens go to nobody but the services that they are for: who answers at their addresses without their names gets none. To the machine itself leads
// an address, too, that its certificate does not have.
func TestTokensAreNotGivenAway(t *testing.T) {
	t.Parallel()
	cloud := newCloud(t)
	connection, err := net.Dial("tcp", net.JoinHostPort(net.IPv4zero.String(), cloud.settings["PGPORT"]))
	if err != nil {
		t.Fatal(err)
	}
	connection.Close()
	for _, name := range []string{"PGHOST", "DATA_STORAGE__blobServiceUri", "DATA_STORAGE__queueServiceUri"} {
		cloud.settings[name] = strings.Replace(cloud.settings[name], "127.0.0.1", net.IPv4zero.String(), 1)
	}
	app := &e2e.App{Host: cloud.startHost(t, "../..", e2e.HandlerProgram(t, ""), "upload-api"), Principal: somebody}
	answer := app.Do(t, http.MethodGet, "/api/ready", nil, nil)
	for _, part := range []string{"schema", "blobs", "queue"} {
		if !strings.Contains(string(answer.Text), `"`+part+`"`) {
			t.Errorf("%s: %s %s, want it to be missing", part, answer.Status, answer.Text)
		}
	}
	if asked := cloud.roles.done(); len(asked) > 0 {
		t.Errorf("storage under another name was asked for %q", asked)
	}
}
