package main

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"

	"sheetdrop/internal/sheet"
)

// Without settings the limits are the engine's own, and those that the example of local settings shows are the same.
func TestLimitsAreTheEngines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../local.settings.json.example")
	if err != nil {
		t.Fatal(err)
	}
	var example struct{ Values map[string]string }
	if err := json.Unmarshal(text, &example); err != nil {
		t.Fatal(err)
	}
	needed := map[string]string{
		"FUNCTIONS_CUSTOMHANDLER_PORT": "7071", "AUTH": "local", "DATA_STORAGE": "x", "BLOB_CONTAINER": "x", "PARSE_QUEUE": "x",
	}
	full := maps.Clone(needed)
	maps.Copy(full, example.Values)
	for name, values := range map[string]map[string]string{"none": needed, "the example's": full} {
		s, err := env.ParseAsWithOptions[settings](env.Options{Environment: values})
		if err != nil {
			t.Fatal(err)
		}
		if got := sheet.Limits(s.Worker.Limits); got != sheet.DefaultLimits() {
			t.Errorf("with %s: %+v, want %+v", name, got, sheet.DefaultLimits())
		}
	}
}

// deployed are the settings by which the app runs under an identity, without a key and without a password.
func deployed() map[string]string {
	return map[string]string{
		"FUNCTIONS_CUSTOMHANDLER_PORT": "7071", "AUTH": "easyauth", "AZURE_CLIENT_ID": "11111111-2222-3333-4444-555555555555",
		"DATA_STORAGE__blobServiceUri": "https://a.blob.core.windows.net/", "DATA_STORAGE__queueServiceUri": "https://a.queue.core.windows.net/",
		"DATA_STORAGE__credential": "managedidentity", "DATA_STORAGE__clientId": "11111111-2222-3333-4444-555555555555",
		"PGHOST": "psql.postgres.database.azure.com", "PGPORT": "5432", "PGDATABASE": "sheetdrop", "PGUSER": "id-sheetdrop", "PGSSLMODE": "verify-full",
		"CONTAINER_NAME": "a-container", "WEBSITE_SITE_NAME": "func-sheetdrop", "WEBSITE_POD_NAME": "a-pod", "WEBSITE_AUTH_ENABLED": "True",
	}
}

// onlyDeployedBy is one thing by which the platform can be known, and no other.
func onlyDeployedBy(name string) map[string]string {
	return map[string]string{
		"AUTH": "local", "WEBSITE_AUTH_ENABLED": "", "CONTAINER_NAME": "", "WEBSITE_SITE_NAME": "", "WEBSITE_POD_NAME": "", name: "x",
	}
}

// Deployed, the handler takes its settings as they are; those that speak against each other, or would let anybody in, it refuses by name.
func TestSettingsAreRefusedInWords(t *testing.T) {
	for name := range deployed() {
		t.Setenv(name, "") // whatever this machine has
	}
	for _, name := range []string{"WEBSITE_INSTANCE_ID", "DATABASE_URL", "DATA_STORAGE", "PGPASSWORD", "PGSSLROOTCERT", "PGSERVICE"} {
		t.Setenv(name, "")
	}
	for name, c := range map[string]struct {
		change map[string]string
		word   string
	}{
		"as deployed":                   {nil, ""},
		"a key besides":                 {map[string]string{"DATA_STORAGE": "UseDevelopmentStorage=true"}, "DATA_STORAGE"},
		"two identities":                {map[string]string{"AZURE_CLIENT_ID": "66666666-2222-3333-4444-555555555555"}, "DATA_STORAGE__clientId"},
		"an identity for storage alone": {map[string]string{"AZURE_CLIENT_ID": ""}, "AZURE_CLIENT_ID"},
		"half of storage":               {map[string]string{"DATA_STORAGE__queueServiceUri": ""}, "DATA_STORAGE__queueServiceUri"},
		"a password besides":            {map[string]string{"PGPASSWORD": "secret"}, "password"},
		"a database that is not known":  {map[string]string{"PGSSLMODE": "require"}, "PGSSLMODE"},
		"an address that cannot be":     {map[string]string{"PGPORT": "a port"}, "port"},
		"nobody signs in":               {map[string]string{"WEBSITE_AUTH_ENABLED": "False"}, "WEBSITE_AUTH_ENABLED"},
		"nobody says who signs in":      {map[string]string{"WEBSITE_AUTH_ENABLED": ""}, "WEBSITE_AUTH_ENABLED"},
		"local, with an instance id":    {onlyDeployedBy("WEBSITE_INSTANCE_ID"), "AUTH=local"},
		"local, with a site's name":     {onlyDeployedBy("WEBSITE_SITE_NAME"), "AUTH=local"},
		"local, with a container's":     {onlyDeployedBy("CONTAINER_NAME"), "AUTH=local"},
		"local, with a pod's name":      {onlyDeployedBy("WEBSITE_POD_NAME"), "AUTH=local"},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range deployed() {
				t.Setenv(name, value)
			}
			for name, value := range c.change {
				t.Setenv(name, value)
			}
			s, err := readSettings()
			if err == nil {
				var r *services
				if r, err = open(s, slog.New(slog.DiscardHandler)); err == nil {
					r.close()
				}
			}
			switch {
			case c.word == "" && err != nil:
				t.Error(err)
			case c.word != "" && (err == nil || !strings.Contains(err.Error(), c.word) || strings.Contains(err.Error(), "secret")):
				t.Errorf("%v, want a word about %s", err, c.word)
			}
		})
	}
}

// An operator learns which setting the handler would refuse, and which it reads, before it is started: from the handler itself.
func TestHandlerChecksItsSettings(t *testing.T) {
	for name, value := range map[string]string{
		"FUNCTIONS_CUSTOMHANDLER_PORT": "1", "AUTH": "local", "DATA_STORAGE": "UseDevelopmentStorage=true", "DATABASE_URL": "postgres://127.0.0.1/x?password=hidden",
		"AZURE_CLIENT_ID": "", "WEBSITE_SITE_NAME": "", "CONTAINER_NAME": "",
	} {
		t.Setenv(name, value)
	}
	check := func() (found checked, text string) {
		var out strings.Builder
		if err := checkSettings(&out); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out.String()), &found); err != nil {
			t.Fatalf("%s: %v", out.String(), err)
		}
		return found, out.String()
	}
	found, text := check()
	if found.Error != "" || found.NeededSchema == 0 || strings.Contains(text, "hidden") {
		t.Errorf("right settings: %s", text)
	}
	for _, name := range []string{"DATABASE_URL", "DATA_STORAGE__clientId", "LIMIT_ROWS", "PARSE_QUEUE", "WEBHOOK_HOSTS"} {
		if !slices.Contains(found.Settings, name) {
			t.Errorf("%s is not among %q", name, found.Settings)
		}
	}
	t.Setenv("OUTBOX_HISTORY_DAYS", "99")
	if found, _ := check(); !strings.Contains(found.Error, "OUTBOX_HISTORY_DAYS") {
		t.Errorf("a wrong setting: %q", found.Error)
	}
}
