package house

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// root is the module's folder, seen from this one.
const root = "../.."

// hostOnly are the settings that the Functions host reads and the handler does not.
var hostOnly = []string{"AzureWebJobsStorage", "AzureWebJobsDisableHomepage", "FUNCTIONS_WORKER_RUNTIME", "RELAY_SCHEDULE"}

// Who copies local.settings.json.example gets an app that starts: it names every setting that the host or the handler cannot do
// without, and none that nobody reads.
func TestExampleOfLocalSettings(t *testing.T) {
	t.Parallel()
	var example struct{ Values map[string]string }
	readJSON(t, "local.settings.json.example", &example)
	handler := handlerSettings(t)

	needed := slices.Concat(hostOnly, settingsOfFunctions(t))
	for name, s := range handler {
		if s.required && name != "FUNCTIONS_CUSTOMHANDLER_PORT" { // which comes from the host
			needed = append(needed, name)
		}
	}
	for _, name := range needed {
		if example.Values[name] == "" {
			t.Errorf("the example lacks %s", name)
		}
	}
	for name := range example.Values {
		if _, read := handler[name]; !read && !slices.Contains(hostOnly, name) {
			t.Errorf("nobody reads %s of the example", name)
		}
	}
}

// What a function.json takes from the settings, the handler must take from the same one: the queue that it sends to is the queue that
// the host listens to.
func TestFunctionsAndHandlerShareSettings(t *testing.T) {
	t.Parallel()
	handler := handlerSettings(t)
	for _, name := range settingsOfFunctions(t) {
		if _, read := handler[name]; !read && !slices.Contains(hostOnly, name) {
			t.Errorf("the host reads %s, the handler does not", name)
		}
	}
}

// A worker that takes fewer messages at once than the host gives it would let them wait unseen; a run that believes in another
// functionTimeout than the host's would be killed with its neighbours.
func TestHostAndHandlerAgree(t *testing.T) {
	t.Parallel()
	var host struct {
		FunctionTimeout string
		Extensions      struct {
			Queues struct{ BatchSize, NewBatchThreshold int }
		}
	}
	readJSON(t, "host.json", &host)
	handler := handlerSettings(t)

	queues := host.Extensions.Queues
	if got, want := strconv.Itoa(queues.BatchSize+queues.NewBatchThreshold), handler["PARSE_CONCURRENCY"].byDefault; got != want {
		t.Errorf("host.json gives a worker %s messages at once, PARSE_CONCURRENCY is %s", got, want)
	}
	var hours, minutes, seconds time.Duration
	if _, err := fmt.Sscanf(host.FunctionTimeout, "%d:%d:%d", &hours, &minutes, &seconds); err != nil {
		t.Fatal(err)
	}
	want, err := time.ParseDuration(handler["FUNCTION_TIMEOUT"].byDefault)
	if got := hours*time.Hour + minutes*time.Minute + seconds*time.Second; err != nil || got != want { //nolint:durationcheck // counts of them
		t.Errorf("functionTimeout is %v, FUNCTION_TIMEOUT %v, %v", got, want, err)
	}
}

// Whoever meets a limit can look up its setting: the page about the HTTP interface has each one with its default.
func TestLimitsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "api.md"))
	if err != nil {
		t.Fatal(err)
	}
	limits := 0
	for name, s := range handlerSettings(t) {
		if !strings.HasPrefix(name, "LIMIT_") && !strings.HasPrefix(name, "QUOTA_") {
			continue
		}
		limits++
		if row := fmt.Sprintf("| %#q | %s |", name, s.byDefault); !strings.Contains(string(page), row) {
			t.Errorf("docs/api.md lacks %s", row)
		}
	}
	if limits == 0 {
		t.Error("the handler has no limits")
	}
}

// settingsOfFunctions are the settings that the function.json files name: between percent signs, and as connections.
func settingsOfFunctions(t *testing.T) (names []string) {
	files, err := filepath.Glob(filepath.Join(root, "*", "function.json"))
	if err != nil || len(files) != 4 {
		t.Fatalf("function.json: %q, %v; want four", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`%(\w+)%|"connection":\s*"(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, match[1]+match[2])
		}
	}
	return names
}

// setting is an environment variable that the handler reads.
type setting struct {
	required  bool
	byDefault string
}

// handlerSettings finds the settings in the tags of the fields that the environment fills.
func handlerSettings(t *testing.T) map[string]setting {
	found := map[string]setting{}
	for _, folder := range []string{
		"handler", "upload-api", "upload-api/internal/direct", "upload-api/internal/embed", "upload-api/internal/receive", "upload-api/internal/webhooks", "internal/webhook",
		"internal/webhook/dispatch", "outbox-relay", "parse-worker", "internal/maintenance", "internal/metrics",
		"internal/postgres", "internal/postgres/database", "internal/azure", "internal/tracing/export",
	} {
		for _, file := range goFiles(t, folder) {
			maps.Copy(found, settingsIn(t, file))
		}
	}
	return found
}

func goFiles(t *testing.T, folder string) []string {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Go files in %s, %v", folder, err)
	}
	return slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

func settingsIn(t *testing.T, file string) map[string]setting {
	found := map[string]setting{}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
		if name, options, _ := strings.Cut(tag.Get("env"), ","); name != "" {
			found[name] = setting{strings.Contains(options, "required"), tag.Get("envDefault")}
		}
		return true
	})
	return found
}

func readJSON(t *testing.T, file string, to any) {
	text, err := fs.ReadFile(os.DirFS(root), file)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// What the alerts rest on is never sampled away, and a call is recorded once: as a dependency it would be there a second time, with its address.
func TestTelemetryOfTheHost(t *testing.T) {
	t.Parallel()
	var host struct {
		Logging struct {
			ApplicationInsights struct {
				EnableDependencyTracking *bool
				SamplingSettings         struct{ ExcludedTypes string }
			}
		}
	}
	readJSON(t, "host.json", &host)
	insights := host.Logging.ApplicationInsights
	if tracked := insights.EnableDependencyTracking; tracked == nil || *tracked {
		t.Error("the host records its calls of the handler")
	}
	types := map[string]string{"AppTraces": "Trace", "AppRequests": "Request"}
	asked := append(submatches(`^(App\w+)$`, bicepFiles(t, ".bicep")["modules/log-alerts.bicep"]), "AppTraces") // who looked at what, operator_access
	for _, table := range asked {
		if kept := strings.Split(insights.SamplingSettings.ExcludedTypes, ";"); !slices.Contains(kept, types[table]) {
			t.Errorf("%s may be sampled, and an alert or an investigation asks for it", table)
		}
	}
}
