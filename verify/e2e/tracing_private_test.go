package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/otlptest"
	"sheetdrop/verify/e2e"
)

// Nothing that a customer has sent, and no secret, is in a trace: names, cells, headers, filters, owners, tokens, signatures, keys. Of
// these, only what an operator has set on purpose is in the log, and no secret, no cell and no file's name.
func TestNothingPrivateInTraces(t *testing.T) {
	t.Parallel()
	const (
		name, cell, header, filter, owner = "markedname", "markedcell", "markedheader", "markedfilter", "markedowner"
		key, agent, table                 = "markedkey", "markedagent", "markedtable"
	)
	collector, log := otlptest.Start(t), new(lines)
	settings := collector.Settings()
	settings["OTEL_EXPORTER_OTLP_HEADERS"] = "api-key=" + key
	settings["AUTH"], settings["WEBSITE_AUTH_ENABLED"] = "easyauth", "True"
	settings["CORS_ORIGINS"] = "https://app.example.com"
	app := e2e.Prepare(t, e2e.Options{Settings: settings})
	database, err := pgx.ParseConfig(app.URL)
	if err != nil || database.Password == "" {
		t.Fatalf("the database asks for no password: %v", err)
	}
	app.Principal = base64.StdEncoding.EncodeToString([]byte(`{"auth_typ":"aad","claims":[{"typ":"tid","val":"a-tenant"},{"typ":"oid","val":"` + owner + `"}]}`))
	app.Host = app.StartHost(t, e2e.Options{Output: log})

	asJSON := http.Header{"Content-Type": {"application/json"}, "User-Agent": {agent}}
	csv := http.Header{"Content-Type": {"text/csv"}, "User-Agent": {agent}, "Idempotency-Key": {key + "-of-an-upload"}}
	content := header + ",amount\n" + cell + ",1\n" + cell + ",2,too many cells\n"
	first := uploadWith(t, app, "/api/files?name="+name+".csv", csv, []byte(content))

	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, err := parts.CreateFormFile("file", name+"-form.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(content + "more,3\n"))
	_ = parts.Close()
	uploadWith(t, app, "/api/files", http.Header{"Content-Type": {parts.FormDataContentType()}}, form.Bytes())

	definition := `{"name":"` + table + `","mode":"upsert","key":["id"],"columns":[{"name":"id","type":"text","required":true},{"name":"` + header + `","type":"integer"}]}`
	if made := app.Do(t, http.MethodPost, "/api/targets", asJSON, strings.NewReader(definition)); made.StatusCode != http.StatusCreated {
		t.Fatalf("%s %s", made.Status, made.Text)
	}
	delete(csv, "Idempotency-Key")
	uploadWith(t, app, "/api/files?target="+table+"&name="+name+"-target.csv", csv, []byte("id,"+header+"\n"+cell+",7\n"+cell+"2,"+cell+"\n"))

	promise := `{"name":"` + name + `-direct.csv","size_bytes":5}`
	begun := app.Do(t, http.MethodPost, "/api/uploads", asJSON, strings.NewReader(promise))
	signature := regexp.MustCompile(`sig=([^"&\\]+)`).FindSubmatch(begun.Text)
	if begun.StatusCode != http.StatusCreated || signature == nil {
		t.Fatalf("%s %s", begun.Status, begun.Text)
	}
	asked := app.Do(t, http.MethodPost, "/api/upload-tokens", asJSON, strings.NewReader(`{"origin":"https://app.example.com"}`))
	var token struct{ Token string }
	if err := json.Unmarshal(asked.Text, &token); err != nil || token.Token == "" {
		t.Fatalf("%s %s", asked.Status, asked.Text)
	}
	app.Do(t, http.MethodGet, "/api/embed/files", http.Header{"Authorization": {"Bearer " + token.Token}, "Origin": {"https://app.example.com"}}, nil)
	for _, path := range []string{
		"/api/tasks/" + first.ID.String() + "/sheets/1/rows?q=" + filter, "/api/files?q=" + filter, "/api/no/such/" + filter,
		"/api/tasks/" + first.ID.String() + "/sheets/1/rejects", "/api/files?cursor=" + filter,
	} {
		app.Do(t, http.MethodGet, path, http.Header{"User-Agent": {agent}, "X-Forwarded-For": {"192.0.2.77"}}, nil)
	}
	app.Do(t, http.MethodPost, "/api/tasks/"+first.ID.String()+"/sheets/1/view", asJSON, strings.NewReader(`{"name":"`+name+`"}`))

	await.Until(t, "the spans of the last request", func() bool {
		return slices.ContainsFunc(collector.Spans(), func(s otlptest.Span) bool { return strings.HasSuffix(s.Name, "/sheets/{number}/view") })
	})
	account := regexp.MustCompile(`AccountKey=([^;]+)`).FindStringSubmatch(app.Storage.ConnectionString)[1]
	sign, err := url.QueryUnescape(string(signature[1]))
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{database.Password, key, token.Token, string(signature[1]), sign, account}
	for _, hidden := range append(secrets, name, cell, header, filter, owner, agent, table, "192.0.2.77", "a-tenant") {
		if collector.Has(hidden) {
			t.Errorf("%q is in a trace", hidden)
		}
	}
	for _, hidden := range append(secrets, name, cell) {
		if strings.Contains(log.String(), hidden) {
			t.Errorf("%q is in the log", hidden)
		}
	}
	if !collector.Has("COPY") || !strings.Contains(log.String(), "task completed") {
		t.Error("there are no traces, or no lines, in which something could be")
	}
}
