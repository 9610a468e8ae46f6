//go:build unix

package e2e_test

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/migrate"
)

const (
	clientID      = "11111111-2222-3333-4444-555555555555"
	appLogin      = "id-sheetdrop-dev"
	databaseToken = "a-token-for-the-database"
)

// cloud is what stands around a deployed app, and the settings that lead there.
type cloud struct {
	settings map[string]string
	owner    string // address of the database for its owner
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	stack := devtest.Secure(t)
	stack.RequireTLS(t)
	server, err := pgx.ParseConfig(stack.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	// The small host knows no identity: it goes to the same storage by a key, and without TLS.
	forHost := strings.NewReplacer(stack.BlobURL, withoutTLS(t, stack, stack.BlobURL), stack.QueueURL, withoutTLS(t, stack, stack.QueueURL),
		"Protocol=https", "Protocol=http").Replace(stack.ConnectionString)
	if err := azure.Provision(t.Context(), azure.Settings{Connection: forHost, Container: "files", Queue: "parse-tasks"}); err != nil {
		t.Fatal(err)
	}
	return &cloud{owner: newOwnDatabase(t, stack), settings: map[string]string{
		"AzureWebJobsStorage": forHost, "AzureWebJobsDATA_STORAGE": forHost,
		"DATA_STORAGE__blobServiceUri": stack.BlobURL + "/", "DATA_STORAGE__queueServiceUri": stack.QueueURL + "/",
		"DATA_STORAGE__credential": "managedidentity", "DATA_STORAGE__clientId": clientID, "DATA_STORAGE": "",
		"BLOB_CONTAINER": "files", "PARSE_QUEUE": "parse-tasks", "RELAY_SCHEDULE": "*/2 * * * * *", "RELAY_PERIOD": "2s",
		"PGHOST": server.Host, "PGPORT": strconv.Itoa(int(server.Port)), "PGDATABASE": "sheetdrop", "PGUSER": appLogin, "PGSSLMODE": "verify-full",
		"DATABASE_URL": "", "AZURE_CLIENT_ID": clientID, "AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True",
		"IDENTITY_ENDPOINT": tokenEndpoint(t), "IDENTITY_HEADER": "a-secret", "SSL_CERT_FILE": stack.Certificate,
	}}
}

// newOwnDatabase makes the database with the rights that a deployed one has, and gives its owner's address.
func newOwnDatabase(t *testing.T, stack *devtest.SecureStack) string {
	t.Helper()
	rights, err := os.ReadFile(filepath.Join("..", "..", "infra", "sql", "application-role.sql"))
	if err != nil {
		t.Fatal(err)
	}
	owner := strings.Replace(stack.DatabaseURL, "/postgres?", "/sheetdrop?", 1)
	run := func(address, sql string) {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if _, err := conn.PgConn().Exec(t.Context(), sql).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	run(stack.DatabaseURL, `create database sheetdrop`)
	run(stack.DatabaseURL, `create role "`+appLogin+`" login password '`+databaseToken+`'`)
	if _, err := migrate.Up(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	run(owner, `set sheetdrop.login = '`+appLogin+`';`+string(rights))
	return owner
}

// tokenEndpoint gives tokens to who knows the secret, as the platform does to the app's processes (Microsoft Learn, "How to use managed
// identities for App Service and Azure Functions", REST endpoint reference).
func tokenEndpoint(t *testing.T) string {
	t.Helper()
	tokens := map[string]string{
		"https://storage.azure.com":                 devtest.StorageToken(t, time.Hour),
		"https://ossrdbms-aad.database.windows.net": databaseToken,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resource := r.URL.Query().Get("resource")
		token, known := tokens[strings.TrimSuffix(resource, "/")]
		if !known || r.Header.Get("X-Identity-Header") != "a-secret" || r.URL.Query().Get("client_id") != clientID {
			http.Error(w, "no token for "+r.URL.String(), http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{
			"access_token": token, "resource": resource, "token_type": "Bearer", "client_id": clientID,
			"expires_on": strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10),
		})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/msi/token"
}

// withoutTLS leads to a service of the stack for who does not trust its certificate.
func withoutTLS(t *testing.T, stack *devtest.SecureStack, service string) string {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: stack.Roots, MinVersion: tls.VersionTLS12}}
	server := httptest.NewServer(&httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
	}})
	t.Cleanup(func() {
		server.Close()
		transport.CloseIdleConnections()
	})
	return server.URL + target.Path
}
