//go:build unix

package e2e_test

import (
	"crypto/tls"
	"encoding/base64"
	"maps"
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
	"sheetdrop/internal/funchost"
	"sheetdrop/internal/postgres/migrate"
	"sheetdrop/verify/e2e"
)

// somebody is whom the platform has signed in.
var somebody = base64.StdEncoding.EncodeToString([]byte(`{"auth_typ":"aad","claims":[{"typ":"tid","val":"a-tenant"},{"typ":"oid","val":"a-person"}]}`))

const (
	clientID      = "11111111-2222-3333-4444-555555555555"
	appLogin      = "id-sheetdrop-dev"
	databaseToken = "a-token-for-the-database"
)

// cloud is what stands around a deployed app, and the settings that lead there.
type cloud struct {
	settings map[string]string
	owner    string // address of the database for its owner
	tokens   *tokenEndpoint
	roles    *guard
}

func newCloud(t *testing.T) *cloud {
	t.Helper()
	stack := devtest.Secure(t)
	stack.RequireTLS(t)
	server, err := pgx.ParseConfig(stack.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	// The small host knows no identity: it goes to the same storage by a key, and without TLS. To the queue it goes with the app's roles, too.
	roles := newGuard(t)
	without := func(blobs, queues string) string {
		return strings.NewReplacer(stack.BlobURL, blobs, stack.QueueURL, queues, "Protocol=https", "Protocol=http").Replace(stack.ConnectionString)
	}
	blobProxy, blobPath := proxyTo(t, stack, stack.BlobURL)
	queueProxy, queuePath := proxyTo(t, stack, stack.QueueURL)
	blobsOfHost := serve(t, blobProxy) + blobPath
	forHost := without(blobsOfHost, serve(t, queueProxy)+queuePath)
	forTrigger := without(blobsOfHost, serve(t, roles.before(queueProxy, onQueues))+queuePath)
	if err := azure.Provision(t.Context(), azure.Settings{Connection: forHost, Container: "files", Queue: "parse-tasks"}); err != nil {
		t.Fatal(err)
	}
	tokens := &tokenEndpoint{lifetime: time.Hour, token: func(lifetime time.Duration) string { return devtest.StorageToken(t, lifetime) }}
	blobs, queues := roles.serve(t, stack, stack.BlobURL, onBlobs), roles.serve(t, stack, stack.QueueURL, onQueues)
	return &cloud{owner: newOwnDatabase(t, stack), tokens: tokens, roles: roles, settings: map[string]string{
		"AzureWebJobsStorage": forHost, "AzureWebJobsDATA_STORAGE": forTrigger,
		"DATA_STORAGE__blobServiceUri": blobs + "/", "DATA_STORAGE__queueServiceUri": queues + "/",
		"DATA_STORAGE__credential": "managedidentity", "DATA_STORAGE__clientId": clientID, "DATA_STORAGE": "",
		"BLOB_CONTAINER": "files", "PARSE_QUEUE": "parse-tasks", "RELAY_SCHEDULE": "*/2 * * * * *", "RELAY_PERIOD": "2s",
		"PGHOST": server.Host, "PGPORT": strconv.Itoa(int(server.Port)), "PGDATABASE": "sheetdrop", "PGUSER": appLogin, "PGSSLMODE": "verify-full",
		"DATABASE_URL": "", "AZURE_CLIENT_ID": clientID, "AUTH": "easyauth", "WEBSITE_AUTH_ENABLED": "True",
		"IDENTITY_ENDPOINT": serve(t, tokens) + "/msi/token", "IDENTITY_HEADER": "a-secret", "SSL_CERT_FILE": stack.Certificate,
	}}
}

// startHost runs a host over an app root that serves these functions, or all of them. Its program is the root's own, unless another is named.
func (c *cloud) startHost(t *testing.T, root, program string, functions ...string) *funchost.Host {
	t.Helper()
	settings := maps.Clone(c.settings)
	instance := "instance-" + strings.Join(functions, "-")
	maps.Copy(settings, map[string]string{ // as Flex Consumption does; there is no WEBSITE_INSTANCE_ID
		"CONTAINER_NAME": instance, "WEBSITE_POD_NAME": instance, "WEBSITE_SITE_NAME": "func-sheetdrop-dev", "WEBSITE_SKU": "FlexConsumption",
	})
	return e2e.RunHost(t, funchost.Config{Root: root, Executable: program, Settings: settings, Functions: functions, Logger: e2e.HostLog(t)})
}

// await waits until a query of the database's owner gives true.
func (c *cloud) await(t *testing.T, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), c.owner)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for came := false; !came; {
		if err := conn.QueryRow(t.Context(), `select coalesce((`+sql+`), false) from (select pg_sleep(0.05)) pause`).Scan(&came); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// newOwnDatabase makes the database with the rights that a deployed one has, and gives its owner's address.
func newOwnDatabase(t *testing.T, stack *devtest.SecureStack) string {
	t.Helper()
	rights, err := os.ReadFile(filepath.Join("..", "..", "internal", "postgres", "provision", "application-role.sql"))
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

// serve serves without TLS until the test ends, and returns the address.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// proxyTo hands requests on to a service of the stack; path is where that begins.
func proxyTo(t *testing.T, stack *devtest.SecureStack, service string) (proxy http.Handler, path string) {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: stack.Roots, MinVersion: tls.VersionTLS12}}
	t.Cleanup(transport.CloseIdleConnections)
	return &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
	}}, target.Path
}
