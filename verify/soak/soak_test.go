//go:build linux

package soak

import (
	"flag"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/devstack/otlptest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

var (
	minutes = flag.Float64("minutes", 0, "how long faults go on; 0 is 20 s, and a minute in CI")
	seed    = flag.Uint64("seed", 0, "of files and faults; 0 is a new one")
	calm    = flag.Bool("calm", false, "no faults")
	logFile = flag.String("log", "", "where the hosts, the handlers and the faults are logged")
)

func TestMain(m *testing.M) { e2e.Main(m) }

// uploadsPerSecond is the steady rate of uploads.
const uploadsPerSecond = 3.5

// soak is one run.
type soak struct {
	*e2e.App
	seed      uint64
	began     time.Time
	length    time.Duration
	stack     *devstack.Stack
	direct    devtest.StorageParts // past the proxies
	blobs     *azure.Blobs
	queue     *azure.Queue
	proxied   string // the database's URL through its proxy
	witness   *witness
	links     map[string]*faultproxy.Proxy
	instances map[string]*instance
	resources map[string]*sync.Mutex // each is held while something is wrong with it
	sql       *pgxpool.Pool          // for looking on while the server may be away
	temporary string                 // the handlers' folder for temporary files
	log       *os.File
	journal   journal
	targets   []*soakTarget
	receivers []*receiver
	front     string             // an address that stays, before the instances
	program   string             // the command line
	collector *otlptest.Receiver // of all traces

	mu         sync.Mutex
	uploads    []*upload
	unsure     []*directUpload // whose command line was killed for good
	left       []string        // names of files whose direct uploads nobody goes on with
	fates      map[string]int  // of direct uploads
	killed     atomic.Int64    // times that a command line was
	dropped    []uuid.UUID     // tasks whose messages were dropped
	garbage    []string        // texts that were put into the queue
	unanswered atomic.Int64
	underWay   atomic.Int64
	complaints int
	counted    []found // tasks for which a crash was counted while nothing was killed or frozen
}

// TestSoak runs three instances, of which two take uploads and parse and one only relays, under random faults, and then holds all that was
// accepted against P1, P2, P3 and P5, what was loaded into targets against T1 to T4, and what came at the receivers of webhooks against what they are promised.
func TestSoak(t *testing.T) {
	t.Parallel()
	s := newSoak(t)
	t.Logf("seed %d, %s of faults", s.seed, s.length)
	t.Cleanup(func() { s.report(t) })
	s.startInstances(t)
	s.startFront(t)
	s.createTargets(t)
	s.createWebhooks(t)
	s.began = time.Now()

	var background sync.WaitGroup
	ended := make(chan struct{})
	background.Go(func() { s.letTimePass(t, ended) })
	s.run(t)
	s.calmReceivers()
	s.awaitQuiet(t)
	close(ended)
	background.Wait()

	s.checkHits(t)
	s.checkUploads(t)
	s.checkTraces(t)
	s.checkTargets(t)
	s.checkWebhooks(t)
	s.checkLeftovers(t)
	s.checkAlerts(t)
	s.checkProcesses(t)
	s.checkLog(t)
	s.checkSwept(t)
}

// run uploads and breaks things until the time is over and every fault is repaired. Callers go on until they are answered.
func (s *soak) run(t *testing.T) {
	var callers, breaking, editing sync.WaitGroup
	callers.Go(func() { s.uploadAll(t) })
	callers.Go(func() { s.widenTargets(t) })
	ended := make(chan struct{})
	for n := range editors {
		editing.Go(func() { s.edit(t, n, ended) })
	}
	if !*calm {
		breaking.Go(func() { s.breakThings(t, schedule(s.seed, s.length)) })
	}
	callers.Wait()
	breaking.Wait()
	close(ended)
	editing.Wait()
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	s := &soak{
		seed: *seed, length: time.Duration(*minutes * float64(time.Minute)), stack: devtest.Private(t), temporary: t.TempDir(),
		resources: map[string]*sync.Mutex{}, fates: map[string]int{}, collector: otlptest.Start(t),
	}
	if s.seed == 0 {
		s.seed = rand.Uint64N(1_000_000) + 1
	}
	if s.length == 0 {
		s.length = 20 * time.Second
		if os.Getenv("SHEETDROP_CI_RUN") != "" {
			s.length = time.Minute
		}
	}
	s.collector.Keep = ofATask
	s.openLog(t)
	s.direct = devtest.StorageOn(t, s.stack)
	watched := s.direct
	s.witness, watched.ConnectionString = watchQueue(t, s.direct.ConnectionString)
	through, blobs, queue := faultproxy.Storage(t, watched)
	database := pgtest.NewOn(t, s.stack)
	var link *faultproxy.Proxy
	s.proxied, link = throughProxy(t, database.URL)
	s.links = map[string]*faultproxy.Proxy{"database": link, "blobs": blobs, "queue": queue}
	s.App = e2e.Prepare(t, e2e.Options{Tags: "crashpoints", Database: database, Storage: &through, Settings: s.settings(s.proxied), Errors: []string{
		garbageReceived, `"alert":`,
	}})

	var err error
	if s.sql, err = pgxpool.New(t.Context(), database.URL); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.sql.Close)
	s.blobs, s.queue, err = azure.Open(azure.Settings{Connection: s.direct.ConnectionString, Container: s.direct.Container, Queue: s.direct.Queue})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// settings are the instances': leases and timers as short as they may be beside one another, so that much goes on in little time. A lease
// is longer than the timer's period, as in production, so that who survives an outage has the time to renew.
func (s *soak) settings(database string) map[string]string {
	settings := map[string]string{
		"DATABASE_URL": database, "RELAY_SCHEDULE": "*/3 * * * * *", "RELAY_PERIOD": "3s", "RELAY_LEASE": "5s", "TASK_LEASE": "5s",
		"FUNCTION_TIMEOUT": "90s", "LIMIT_COLUMNS": "50", "TMPDIR": s.temporary, "GOTRACEBACK": "all",
	}
	maps.Copy(settings, s.collector.Settings())
	return settings
}

// openLog opens what all that happens is written to; nothing, where nobody wants it.
func (s *soak) openLog(t *testing.T) {
	t.Helper()
	path := *logFile
	if path == "" {
		path = os.DevNull
	}
	var err error
	if s.log, err = os.Create(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.log.Close() })
	s.journal.log = slog.New(slog.NewTextHandler(s.log, nil))
}

// path is of a file of one instance's own, outside of the folder for temporary files.
func (s *soak) path(instance, name string) string {
	return filepath.Join(filepath.Dir(s.temporary), instance+"-"+name)
}
