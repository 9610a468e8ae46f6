package doctor

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/devtest"
)

// deployed is what `az functionapp config appsettings list` prints of an app as Bicep makes it.
const deployed = `[
{"name":"AUTH","value":"easyauth","slotSetting":false},{"name":"AZURE_CLIENT_ID","value":"11111111-2222-3333-4444-555555555555"},
{"name":"AzureWebJobsStorage__accountName","value":"a"},{"name":"DATA_STORAGE__blobServiceUri","value":"https://a.blob.core.windows.net/"},
{"name":"DATA_STORAGE__queueServiceUri","value":"https://a.queue.core.windows.net/"},{"name":"DATA_STORAGE__credential","value":"managedidentity"},
{"name":"DATA_STORAGE__clientId","value":"11111111-2222-3333-4444-555555555555"},{"name":"PARSE_QUEUE","value":"parse-tasks"},
{"name":"RELAY_SCHEDULE","value":"*/30 * * * * *"},{"name":"RELAY_PERIOD","value":"30s"},{"name":"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT","value":"8388608"},
{"name":"UPLOAD_MAX_BYTES","value":"8388608"},{"name":"AzureFunctionsJobHost__extensions__queues__newBatchThreshold","value":"1"},
{"name":"PARSE_CONCURRENCY","value":"2"},{"name":"PGHOST","value":"psql.postgres.database.azure.com"},{"name":"PGPORT","value":"5432"},
{"name":"PGDATABASE","value":"sheetdrop"},{"name":"PGUSER","value":"id-sheetdrop"},{"name":"PGSSLMODE","value":"verify-full"}]`

// The settings of a deployment are checked as they are listed: right ones are well, and one that contradicts another is named.
func TestSettingsOfADeployment(t *testing.T) {
	t.Parallel()
	handler, err := handlerProgram()
	if err != nil {
		t.Fatal(err)
	}
	for old, c := range map[string]struct{ replacement, id string }{
		"":                                {"", ""},
		`"AZURE_CLIENT_ID","value":"1`:    {`"AZURE_CLIENT_ID","value":"6`, "settings.handler"},
		`"PGSSLMODE","value":"verify-f`:   {`"PGSSLMODE","value":"require`, "settings.handler"},
		`"PARSE_CONCURRENCY","value":"2"`: {`"PARSE_CONCURRENCY","value":"4"`, "settings.agree"},
		`"UPLOAD_MAX_BYTES","value":"8`:   {`"UPLOAD_MAX_BYTES","value":"9`, "settings.agree"},
		`"RELAY_SCHEDULE"`:                {`"RELAY_SCHEDULES"`, "settings.host"},
	} {
		t.Run(c.id+" "+c.replacement, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "settings.json")
			if err := os.WriteFile(file, []byte(strings.Replace(deployed, old, c.replacement, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			settings, err := ReadSettings(file)
			if err != nil {
				t.Fatal(err)
			}
			settings.Handler = handler
			found, err := Examine(t.Context(), Subject{Settings: settings, Thresholds: Usual()})
			if err != nil {
				t.Fatal(err)
			}
			if wrong := wrong(found); (len(wrong) == 0) != (c.id == "") || len(wrong) > 0 && wrong[0].ID != c.id {
				t.Errorf("got %+v, want %q", wrong, c.id)
			}
		})
	}
}

// A report can be shown to anybody: no password and no key of what was examined is in it, however wrong its address is.
func TestReportsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	const secret = "aMarkedSecret"
	p := newFixture(t, devtest.Shared(t))
	p.withSettings(t, "DATABASE_URL", "postgres://u:"+secret+"@127.0.0.1:1/x?sslmode=wrong")
	p.Settings.Values["DATA_STORAGE"] = "AccountName=x;AccountKey=" + secret
	p.Storage.Connection = p.Settings.Values["DATA_STORAGE"]
	addresses := []string{"host=127.0.0.1 port=1 password=" + secret, "postgres://u:" + secret + "@127.0.0.1:1/x?sslmode=wrong", "postgres://u:" + secret + "%zz@127.0.0.1:1/x"}
	p.address(t, func(u *url.URL) { u.User, u.RawQuery = url.UserPassword("u", secret), "sslmode=disable" })
	for _, address := range append(addresses, p.Database) {
		p.Database = address
		text, err := json.Marshal(p.examine(t))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), secret) {
			t.Errorf("%s: %s", address, text)
		}
		if !strings.Contains(string(text), fmt.Sprintf("%q", Problem)) {
			t.Errorf("%s: no problem was found", address)
		}
	}
}
