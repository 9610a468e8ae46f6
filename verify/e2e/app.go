// Package e2e runs the whole program as it is deployed, for tests: the real handler as a process under a Functions host, a database and
// a storage account of the test's own, and an HTTP client in front.
package e2e

import (
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
	"sheetdrop/internal/postgres/pgtest"
)

// App is a running sheetdrop.
type App struct {
	*pgtest.Database
	Host      *funchost.Host
	Storage   devtest.StorageParts
	Principal string // whom the platform has signed in, as it says so in X-MS-CLIENT-PRINCIPAL; "" for nobody
	settings  map[string]string
	tags      string
	output    io.Writer
	reported  *reported
}

// Options change how the app runs.
type Options struct {
	Settings  map[string]string     // over the usual ones
	Functions []string              // a subset
	Faults    *funchost.Faults      // of the queue trigger
	TimeScale float64               // of the host's times; 0 is 1
	Storage   *devtest.StorageParts // through a proxy, for the handler and the host alike
	Database  *pgtest.Database      // that is there already
	Tags      string                // that the handler is built with
	Logger    *slog.Logger          // of the host; nil is HostLog
	Output    io.Writer             // gets the handlers' lines, in place of the host's log
	Alerts    []string              // that the test brings about: they must come, and no others may
	Errors    []string              // parts of the error lines that the test brings about; any other one, and every panic, fails it
}

// Start runs the app until the test ends.
func Start(t testing.TB, o Options) *App {
	t.Helper()
	app := Prepare(t, o)
	app.Host = app.StartHost(t, o)
	return app
}

// Prepare makes all that the app needs, and starts no host.
func Prepare(t testing.TB, o Options) *App {
	t.Helper()
	app := &App{Database: o.Database, tags: o.Tags, reported: new(reported), output: o.Output}
	t.Cleanup(func() { app.reported.check(t, o.Alerts, o.Errors) }) // when its hosts have stopped
	if app.Database == nil {
		app.Database = pgtest.New(t)
	}
	if o.Storage == nil {
		parts := devtest.Storage(t)
		o.Storage = &parts
	}
	app.Storage = *o.Storage
	app.settings = map[string]string{
		"DATABASE_URL": app.URL, "DATA_STORAGE": app.Storage.ConnectionString, "AzureWebJobsStorage": app.Storage.ConnectionString,
		"BLOB_CONTAINER": app.Storage.Container, "PARSE_QUEUE": app.Storage.Queue,
		"RELAY_SCHEDULE": "*/10 * * * * *", "AzureWebJobsDisableHomepage": "true", "AUTH": "local",
		"AZURE_CLIENT_ID": "", "CONTAINER_NAME": "", "FUNCTIONS_WORKER_RUNTIME": "custom",
		"AzureFunctionsWebHost__hostid": app.Storage.Queue, // the hosts of one test share the timer, and not with other tests
	}
	maps.Copy(app.settings, o.Settings)
	return app
}

// StartHost runs one more host over the same database and storage, as a second instance or a function group would.
func (a *App) StartHost(t testing.TB, o Options) *funchost.Host {
	t.Helper()
	return RunHost(t, a.HostConfig(t, o))
}

// RunHost runs a host until the test ends.
func RunHost(t testing.TB, config funchost.Config) *funchost.Host {
	t.Helper()
	host, err := funchost.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Stop(t.Context()); err != nil && t.Context().Err() == nil {
			t.Errorf("stop the host: %v", err)
		}
	})
	return host
}

// HostConfig is how a host over the app's database and storage is started, for a test that starts and stops some itself.
func (a *App) HostConfig(t testing.TB, o Options) funchost.Config {
	t.Helper()
	settings := maps.Clone(a.settings)
	maps.Copy(settings, o.Settings)
	logger := o.Logger
	if logger == nil {
		logger = HostLog(t)
	}
	output := o.Output
	if output != nil {
		output = a.reported.writer(output)
	}
	return funchost.Config{
		Root: root(), Executable: HandlerProgram(t, o.Tags), Settings: settings, Functions: o.Functions, Faults: o.Faults, TimeScale: o.TimeScale,
		HandlerOutput: output, Logger: a.reported.logger(logger),
	}
}

// HostLog is the test's output, where somebody looks at it.
func HostLog(t testing.TB) *slog.Logger {
	log := io.Discard
	if testing.Verbose() {
		log = t.Output()
	}
	return slog.New(slog.NewTextHandler(log, nil))
}

// Stores returns the app's blobs and its queue, past any proxy that only its handlers go through.
func (a *App) Stores(t testing.TB) (*azure.Blobs, *azure.Queue) {
	t.Helper()
	blobs, queue, err := azure.Open(azure.Settings{
		Connection: a.Storage.ConnectionString, Container: a.Storage.Container, Queue: a.Storage.Queue,
	})
	if err != nil {
		t.Fatal(err)
	}
	return blobs, queue
}

// BlobNames are the names of all blobs that there are.
func (a *App) BlobNames(t testing.TB) (names []string) {
	t.Helper()
	for pages := a.Storage.Blobs(t).NewListBlobsFlatPager(nil); pages.More(); {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range page.Segment.BlobItems {
			names = append(names, *b.Name)
		}
	}
	return names
}

// root is the app root: the checkout.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// Main removes the programs that were built for the tests of a package: call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// HandlerProgram builds the handler once for each set of build tags in the whole test process, and returns its path.
func HandlerProgram(t testing.TB, tags string) string {
	t.Helper()
	if tags == "" {
		return program(t, "handler", "./handler")
	}
	// Tests need functions that stand in the call stack by their own names.
	return program(t, "handler-"+tags, "-tags="+tags, "-gcflags=sheetdrop/...=-l", "./handler")
}

// CommandProgram builds the command line once in the whole test process, and returns its path.
func CommandProgram(t testing.TB) string {
	t.Helper()
	return program(t, "sheetdrop", "./cmd/sheetdrop")
}

var built struct {
	mu       sync.Mutex
	dir      string
	programs map[string]bool // by name
}

// program builds a program under that name with these arguments, unless that has been done, and returns its path.
func program(t testing.TB, name string, arguments ...string) string {
	t.Helper()
	built.mu.Lock()
	defer built.mu.Unlock()
	if built.dir == "" {
		dir, err := os.MkdirTemp("", "sheetdrop-programs-") //nolint:usetesting // it outlives the test
		if err != nil {
			t.Fatal(err)
		}
		built.dir, built.programs = dir, map[string]bool{}
	}
	path := filepath.Join(built.dir, name)
	if built.programs[name] {
		return path
	}
	build := exec.Command("go", append([]string{"build", "-buildvcs=false", "-o", path}, arguments...)...)
	build.Dir = root()
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", name, err, output)
	}
	built.programs[name] = true
	return path
}
