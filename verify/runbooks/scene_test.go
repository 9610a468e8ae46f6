package runbooks

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/verify/e2e"
)

// rehearsed are the pages whose rehearsal has ended.
var rehearsed sync.Map

func TestMain(m *testing.M) { e2e.Main(m) }

// TestEveryPageIsRehearsed runs all rehearsals, those of one scene one after the other, and wants one for each page.
func TestEveryPageIsRehearsed(t *testing.T) {
	t.Parallel()
	t.Run("scenes", func(t *testing.T) {
		for name, play := range map[string]func(*testing.T){
			"messages": rehearseMessages, "hosts": rehearseHosts, "database": rehearseDatabase, "restores": rehearseRestores,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				play(t)
			})
		}
	})
	t.Run("pages", func(t *testing.T) {
		for _, name := range pageNames(t) {
			if _, done := rehearsed.Load(name); !done {
				t.Errorf("nobody has rehearsed %s", name)
			}
		}
	})
}

// rehearsal is how a page is tried.
type rehearsal struct {
	page   string
	breaks func(t *testing.T) // brings the fault about
	shown  string             // by the page's way to confirm, while the fault lasts
	mends  func(t *testing.T) // what Azure or other people do, before the page's commands; nil: nothing
	words  map[string]string  // what the page leaves to its reader to fill in
	over   string             // shown in the end; "": All is well
	told   bool               // what was shown is still told in the end, as what has happened
	after  func(t *testing.T) // looks at what the page promises, and cleans up; nil: nothing
}

// scene is a running sheetdrop, and an operator in front of it.
type scene struct {
	*e2e.App
	folder string // the operator's
	env    map[string]string
	faults atomic.Pointer[func(*http.Request) storageproxy.Fault]
}

// settings have a timer that runs each second, and leases as short as they may be beside it.
var settings = map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s", "RELAY_LEASE": "3s", "TASK_LEASE": "5s"}

// judge lets faults into the storage: nil ends them.
func (s *scene) judge(fault func(*http.Request) storageproxy.Fault) {
	if fault == nil {
		fault = func(*http.Request) storageproxy.Fault { return storageproxy.None }
	}
	s.faults.Store(&fault)
}

// through are the parts of a storage behind the scene's faults.
func (s *scene) through(t *testing.T, parts devtest.StorageParts) devtest.StorageParts {
	t.Helper()
	s.judge(nil)
	parts.ConnectionString = storageproxy.Through(t, parts.ConnectionString, func(r *http.Request) storageproxy.Fault { return (*s.faults.Load())(r) })
	return parts
}

// sit sets up the operator's shell: sheetdrop on the path, and in the environment the server, the database and the storage.
func (s *scene) sit(t *testing.T) {
	t.Helper()
	bin, home := t.TempDir(), t.TempDir()
	if err := os.Symlink(e2e.CommandProgram(t), filepath.Join(bin, "sheetdrop")); err != nil {
		t.Fatal(err)
	}
	s.folder = t.TempDir()
	s.env = map[string]string{
		"PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "LC_ALL": "C", "XDG_CONFIG_HOME": home, "PSQLRC": os.DevNull,
		"SHEETDROP_URL": s.Host.URL() + "/api", "DATA_STORAGE": s.Storage.ConnectionString, "BLOB_CONTAINER": s.Storage.Container, "PARSE_QUEUE": s.Storage.Queue,
	}
	config, err := pgx.ParseConfig(s.Database.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.env["PGHOST"], s.env["PGPORT"], s.env["PGSSLMODE"] = config.Host, fmt.Sprint(config.Port), "disable"
	s.env["PGUSER"], s.env["PGPASSWORD"], s.env["PGDATABASE"] = config.User, config.Password, config.Database
	if output, ok := s.shell(t, "sheetdrop migrate", nil); !ok { // with the storage, which makes the poison queue, too
		t.Fatal(output)
	}
}

// shell runs commands as they stand in a page, and returns what they print, and whether all succeeded.
func (s *scene) shell(t *testing.T, commands string, words map[string]string) (output string, ok bool) {
	t.Helper()
	for word, meant := range words {
		commands = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllLiteralString(commands, meant)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	bash := exec.CommandContext(ctx, "bash", "-e", "-o", "pipefail", "-c", commands)
	bash.Dir = s.folder
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !strings.HasPrefix(name, "PG") && !strings.HasPrefix(name, "SHEETDROP_") {
			bash.Env = append(bash.Env, variable)
		}
	}
	for name, value := range s.env {
		bash.Env = append(bash.Env, name+"="+value)
	}
	text, err := bash.CombinedOutput()
	return string(text), err == nil
}

// rehearse brings a fault about, follows the page, and sees the fault end. Then files are loaded again.
func (s *scene) rehearse(t *testing.T, r rehearsal) {
	t.Helper()
	if !t.Run(r.page, func(t *testing.T) { s.follow(t, r) }) {
		t.FailNow() // whatever comes then would meet what is left of this fault
	}
}

func (s *scene) follow(t *testing.T, r rehearsal) {
	t.Helper()
	began := time.Now()
	p := readPage(t, r.page)
	r.breaks(t)
	confirm := p.below("Confirm", "sh")[0]
	await.Value(t, r.page+" is confirmed by "+confirm+", which shows "+r.shown, func() string {
		output, _ := s.shell(t, confirm, r.words)
		return output
	}, func(output string) bool { return strings.Contains(output, r.shown) })
	if r.mends != nil {
		r.mends(t)
	}
	for _, commands := range p.below("Do", "sh") {
		if output, ok := s.shell(t, commands, r.words); !ok {
			t.Errorf("%s: %s%s", r.page, commands, output)
		}
	}
	over := p.below("Over when", "sh")[0]
	expected := r.over
	if expected == "" {
		expected = "All is well"
	}
	await.Value(t, r.page+" is over, as "+over+" says by "+expected, func() string {
		output, ok := s.shell(t, over, r.words)
		if !ok {
			output = "it failed, and printed: " + output
		}
		return output
	}, func(output string) bool {
		return strings.Contains(output, expected) && (r.told || !strings.Contains(output, r.shown)) && !strings.HasPrefix(output, "it failed")
	})
	if r.after != nil {
		r.after(t)
	}
	if done := s.Await(t, s.Upload(t, r.page+".csv", []byte("a,b\n1,2\n")).ID); done.Status != "COMPLETED" {
		t.Errorf("%s: afterwards a file is %+v", r.page, done)
	}
	if !t.Failed() {
		rehearsed.Store(r.page, true)
	}
	t.Logf("%s took %s", r.page, time.Since(began).Round(100*time.Millisecond))
}

// isFor reports whether a request is one of these methods to a path that contains a part.
func isFor(r *http.Request, part string, methods ...string) bool {
	return strings.Contains(r.URL.Path, part) && (methods == nil || slices.Contains(methods, r.Method))
}
