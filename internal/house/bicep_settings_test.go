package house

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// readByOthers are settings that neither the handler nor a function.json names: those of the host and, where DATABASE_URL is not set, of
// the PostgreSQL driver.
var readByOthers = []string{
	"AzureWebJobsStorage__accountName", "AzureWebJobsStorage__credential", "AzureWebJobsStorage__clientId",
	"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT", "APPLICATIONINSIGHTS_CONNECTION_STRING", "APPLICATIONINSIGHTS_AUTHENTICATION_STRING",
	"PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGSSLMODE",
}

// refusedOnFlex are settings of other plans, with which a deployment to this one fails.
var refusedOnFlex = []string{"FUNCTIONS_WORKER_RUNTIME", "FUNCTIONS_EXTENSION_VERSION", "WEBSITE_RUN_FROM_PACKAGE", "WEBSITE_TIME_ZONE", "TZ"}

// The deployed app gets every setting that host.json, a function.json or the handler asks for; who copies the example for a laptop, too.
func TestDeployedSettingsAreComplete(t *testing.T) {
	t.Parallel()
	deployed, handler := deployedSettings(t), handlerSettings(t)
	var example struct{ Values map[string]string }
	readJSON(t, "local.settings.json.example", &example)

	for _, name := range append(settingsOfFunctions(t), settingsOfHost(t)...) {
		if !has(deployed, name) {
			t.Errorf("the deployed app lacks %s", name)
		}
		if example.Values[name] == "" {
			t.Errorf("the example lacks %s", name)
		}
		if _, read := handler[name]; !read && !slices.Contains(hostOnly, name) {
			t.Errorf("the handler does not know %s", name)
		}
	}
	for name, s := range handler {
		if s.required && name != "FUNCTIONS_CUSTOMHANDLER_PORT" && !has(deployed, name) {
			t.Errorf("the handler cannot do without %s, which the deployed app lacks", name)
		}
	}
	if deployed["DATABASE_URL"] == "" && deployed["PGHOST"] == "" {
		t.Error("nothing says where the database is")
	}
	if deployed["DATA_STORAGE"] != "" {
		t.Error("with a plain DATA_STORAGE besides the identity the handler does not start")
	}
}

// A setting that nobody reads is one that somebody believes in.
func TestNoDeployedSettingIsAnOrphan(t *testing.T) {
	t.Parallel()
	handler := handlerSettings(t)
	for name := range deployedSettings(t) {
		_, ofHandler := handler[name]
		connection, suffix, isPart := strings.Cut(name, "__")
		switch {
		case slices.Contains(refusedOnFlex, name) || strings.HasPrefix(name, "WEBSITE_"):
			t.Errorf("%s is refused on this plan", name)
		case ofHandler, slices.Contains(hostOnly, name), slices.Contains(readByOthers, name):
		case isPart && connection == "AzureFunctionsJobHost":
			hostJSONHas(t, strings.Split(suffix, "__"))
		default:
			t.Errorf("nobody reads %s", name)
		}
	}
	texts := append(slices.Collect(maps.Values(bicepFiles(t, ".bicepparam"))), read(t, "docs/deploy.md"))
	for _, further := range submatches(`param handlerSettings = \{([^}]*)\}`, strings.Join(texts, "\n")) {
		for _, name := range submatches(`(\w+): '`, further) {
			if _, ofHandler := handler[name]; !ofHandler {
				t.Errorf("the handler does not read %s", name)
			}
		}
	}
}

// Where two settings, or a setting and a name elsewhere, must say the same, they come from one value.
func TestDeployedValuesAgree(t *testing.T) {
	t.Parallel()
	templates, deployed, handler := bicepFiles(t, ".bicep"), deployedSettings(t), handlerSettings(t)
	var example struct{ Values map[string]string }
	readJSON(t, "local.settings.json.example", &example)
	for name, param := range map[string]string{"BLOB_CONTAINER": "blobContainer", "PARSE_QUEUE": "parseQueue"} {
		byDefault := submatches(`^param `+param+` string = '([^']+)'`, templates["main.bicep"])
		if want := []string{handler[name].byDefault}; !slices.Equal(byDefault, want) || example.Values[name] != want[0] {
			t.Errorf("%s is %q in the handler, %q in Bicep, %q in the example", name, want, byDefault, example.Values[name])
		}
		if deployed[name] != param {
			t.Errorf("%s is %s, want the parameter %s", name, deployed[name], param)
		}
		if !regexp.MustCompile(`(containerName|queueName): ` + param + `\n`).MatchString(templates["main.bicep"]) {
			t.Errorf("%s is not what is made", param)
		}
	}
	for name, want := range map[string]string{
		"RELAY_SCHEDULE":    `'*/${relayPeriod} * * * * *'`,
		"RELAY_PERIOD":      `'${relayPeriod}s'`,
		"PARSE_CONCURRENCY": `string(parseConcurrency)`,
		"AzureFunctionsJobHost__extensions__queues__newBatchThreshold": `string(parseConcurrency - 1)`,
		"DB_MAX_CONNS":     `string(databasePool)`,
		"UPLOAD_MAX_BYTES": `string(bodyLimit)`, "FUNCTIONS_REQUEST_BODY_SIZE_LIMIT": `string(bodyLimit)`,
		"AUTH":       `'easyauth'`,
		"PGDATABASE": `'` + matches(t, `Database +string +.default:"(\w+)"`, "cmd/sheetdrop/migrate.go")[0] + `'`,
	} {
		if deployed[name] != want {
			t.Errorf("%s is %s, want %s", name, deployed[name], want)
		}
	}
	if !strings.Contains(templates["modules/settings.bicep"], "\n  properties: {\n    ...handlerSettings\n") {
		t.Error("further settings do not stand first, where those that must agree win over them")
	}
	var host struct {
		Extensions struct {
			Queues struct{ BatchSize, NewBatchThreshold int }
		}
	}
	readJSON(t, "host.json", &host)
	queues := host.Extensions.Queues
	if queues.BatchSize != 1 {
		t.Errorf("batchSize is %d; the threshold counts on 1", queues.BatchSize)
	}
	for name, text := range bicepFiles(t, ".bicepparam") { // the scale controller reads host.json and not the setting
		if deployed := parameter(t, text, templates["main.bicep"], "parseConcurrency"); deployed > queues.BatchSize+queues.NewBatchThreshold {
			t.Errorf("%s: an instance works on %d messages, and one is started for each %d", name, deployed, queues.BatchSize+queues.NewBatchThreshold)
		}
	}
	if !strings.Contains(templates["modules/data-storage.bicep"], `'${queueName}-poison'`) || len(matches(t, `(s\.Queue\+"-poison")`, "internal/azure/azure.go")) != 1 {
		t.Error("the poison queue has another name in Bicep than in the handler")
	}
	for _, group := range submatches(`'function:([\w-]+)'`, templates["main.bicep"]) {
		if _, err := os.Stat(filepath.Join(root, group, "function.json")); err != nil {
			t.Errorf("instances that always wait for %s: %v", group, err)
		}
	}
}

// Who opens the app's address sees its page: the host serves functions at the root, and shows no page of its own there. The page's function
// takes no method by which the host itself calls timer and queue.
func TestNothingStandsInFrontOfThePage(t *testing.T) {
	t.Parallel()
	var host struct {
		Extensions struct{ HTTP struct{ RoutePrefix *string } }
	}
	readJSON(t, "host.json", &host)
	if prefix := host.Extensions.HTTP.RoutePrefix; prefix == nil || *prefix != "" {
		t.Error("the host serves functions below a prefix only")
	}
	var example struct{ Values map[string]string }
	readJSON(t, "local.settings.json.example", &example)
	const setting = "AzureWebJobsDisableHomepage"
	if deployed := deployedSettings(t)[setting]; deployed != "'true'" || example.Values[setting] != "true" {
		t.Errorf("%s is %s deployed and %q in the example", setting, deployed, example.Values[setting])
	}
	var function struct {
		Bindings []struct {
			Route   string
			Methods []string
		}
	}
	readJSON(t, "web-page/function.json", &function)
	if trigger := function.Bindings[0]; trigger.Route != "{*path}" || !slices.Equal(trigger.Methods, []string{"get", "head"}) {
		t.Errorf("the page's function takes %q at %s", trigger.Methods, trigger.Route)
	}
}

// P8: what the platform lets through without sign-in is what the handler answers without a caller, and the role that makes operators has
// the name that the handler looks for.
func TestSignInAgrees(t *testing.T) {
	t.Parallel()
	if open := matches(t, `healthPath\s*= prefix \+ "(/[^"]+)"`, "upload-api/routes.go"); !slices.Equal(open, []string{"/health"}) {
		t.Errorf("without sign-in the handler answers %q, the platform lets /api/health through", open)
	}
	var roles []struct{ Value string }
	readJSON(t, "infra/app-roles.json", &roles)
	if role := matches(t, `operatorRole = "(\w+)"`, "upload-api/identify.go"); len(roles) != 1 || !slices.Equal(role, []string{roles[0].Value}) {
		t.Errorf("the handler looks for %q, the app registration has %v", role, roles)
	}
}

// deployedSettings are the app settings that Bicep gives, by name, with the expression of each.
func deployedSettings(t *testing.T) map[string]string {
	t.Helper()
	_, body, found := strings.Cut(bicepFiles(t, ".bicep")["modules/settings.bicep"], "  properties: {\n")
	if !found {
		t.Fatal("no app settings")
	}
	settings := map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^    (\w+): (.+)$`).FindAllStringSubmatch(body, -1) {
		settings[match[1]] = match[2]
	}
	return settings
}

// has says whether a setting is given, by itself or as the parts of a connection without a key.
func has(settings map[string]string, name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(settings)), func(given string) bool {
		return given == name || strings.HasPrefix(given, name+"__")
	})
}

// settingsOfHost are the settings that host.json names between percent signs.
func settingsOfHost(t *testing.T) []string {
	text, err := os.ReadFile(filepath.Join(root, "host.json"))
	if err != nil {
		t.Fatal(err)
	}
	return submatches(`%(\w+)%`, string(text))
}

// hostJSONHas holds that a setting which overrides a value of host.json overrides one that is there.
func hostJSONHas(t *testing.T, path []string) {
	t.Helper()
	var value any
	readJSON(t, "host.json", &value)
	for _, key := range path {
		object, _ := value.(map[string]any)
		if value = object[key]; value == nil {
			text, _ := json.Marshal(path)
			t.Errorf("host.json has no %s", text)
			return
		}
	}
}
