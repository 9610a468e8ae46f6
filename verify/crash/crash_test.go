package crash

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

func TestMain(m *testing.M) { e2e.Main(m) }

// modes are the ways in which the handler breaks at an effect: it dies before, it dies after, or the answer is lost.
var modes = [...]string{"before", "after", "lost"}

// atOnce is how many cases run at the same time. They wait for leases and timers most of the time.
const atOnce = 8

// TestCrash breaks the handler at each effect, in each mode.
func TestCrash(t *testing.T) {
	t.Parallel()
	type crash struct {
		effect
		mode string
	}
	names, given := effectsOf(readSource(t))
	through := strings.Join(given, ",")
	crashes := make(chan crash)
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for c := range crashes {
				t.Run(strings.Join([]string{c.name, c.scenario, c.mode}, "/"), func(t *testing.T) { run(t, c.effect, c.mode, through) })
			}
		})
	}
	for _, e := range effects {
		function, method, _ := strings.Cut(e.name, " ")
		if strings.Contains(function, ".") && method != "" && !slices.Contains(names, e.name) { // and nothing would ever come there
			t.Errorf("the source has no effect %q", e.name)
			continue
		}
		for _, mode := range modes {
			crashes <- crash{e, mode}
		}
	}
	close(crashes)
	workers.Wait()
}

func run(t *testing.T, e effect, mode, through string) {
	scenario, ok := scenarios[e.scenario]
	if !ok {
		t.Fatal("there is no such scenario")
	}
	s := newScene(t)
	if scenario.prepare != nil {
		scenario.prepare(t, s)
	}
	s.witness(t)
	settings := map[string]string{
		"CRASHPOINT_DIR": s.folder, "CRASHPOINT": mode + " " + e.name, "CRASHPOINT_HOLD": scenario.hold, "CRASHPOINT_THROUGH": through,
		"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s", "RELAY_LEASE": "3s", "TASK_LEASE": "3s",
	}
	maps.Copy(settings, scenario.settings)
	s.App = e2e.Start(t, e2e.Options{Database: s.Database, Storage: &s.Storage, Tags: "crashpoints", TimeScale: 0.2, Settings: settings,
		Alerts: scenario.alerts, Errors: append(scenario.errors, `"msg":"request failed"`, `"msg":"invocation failed"`)})
	if scenario.act != nil {
		scenario.act(t, s)
	}
	s.awaitFired(t)
	s.awaitEnd(t)
	if scenario.after != nil {
		scenario.after(t, s)
	}
	s.checkPromises(t)
	died := s.Host.Stats().HandlerStarts > 1
	if stopped := e.scenario == "the handler is told to stop"; died != (mode != "lost" || stopped) {
		t.Errorf("the handler started %d times", s.Host.Stats().HandlerStarts)
	}
}

// newScene makes a database and a storage account's parts for one case. Nothing runs yet.
func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{App: &e2e.App{Database: pgtest.New(t), Storage: devtest.Storage(t)}, folder: t.TempDir()}
	s.blobs, s.queue = s.Stores(t)
	return s
}
