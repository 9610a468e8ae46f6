package crash

import (
	"maps"
	"net/http"
	"os"
	"syscall"
	"testing"
)

// scenario is something that happens to sheetdrop. It goes on through the crash as a patient caller would, and says what is to come of it.
type scenario struct {
	settings map[string]string
	alerts   []string                     // that operators must get
	errors   []string                     // texts of errors that the handler may report besides
	hold     string                       // the effect that waits until the scenario releases it
	prepare  func(t *testing.T, s *scene) // before the program starts
	act      func(t *testing.T, s *scene) // while it runs
	after    func(t *testing.T, s *scene) // when nothing is on its way any more, besides the usual
}

// Where a task, or a message, can be held.
const (
	sending = "outbox-relay.parseQueue Send"
	loading = "parse-worker.run.sheets NewSheetID"
)

// scenarios are all there are, by their names.
var scenarios = merge(byFiles, byUploads, byCorrections, byTargets, byDefinitions, byOperators, byViews, byWebhooks, byOthers, byReconciler)

func merge(parts ...map[string]scenario) map[string]scenario {
	all := map[string]scenario{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// byFiles is what happens to files on their way.
var byFiles = map[string]scenario{
	"a file is uploaded":                 {act: func(t *testing.T, s *scene) { s.upload(t, sheet(5, 10), "COMPLETED") }},
	"a large file is uploaded":           {act: func(t *testing.T, s *scene) { s.upload(t, sheet(24_000, 1000), "COMPLETED") }},
	"options come behind a file":         {act: func(t *testing.T, s *scene) { s.uploadForm(t, sheet(5, 10), "footer", "none") }},
	"a file is uploaded as no duplicate": {act: func(t *testing.T, s *scene) { s.uploadForm(t, sheet(5, 10), "duplicates", "refuse") }},
	"a file is no sheet":                 {act: func(t *testing.T, s *scene) { s.upload(t, picture, "FAILED") }},
	"a file is uploaded twice": {act: func(t *testing.T, s *scene) {
		first := s.upload(t, sheet(5, 10), "COMPLETED")
		if again := s.send(t, first.key, first.content); again.TaskID != first.task {
			t.Errorf("the second upload under one key made task %s, want %s", again.TaskID, first.task)
		}
	}},
	"a file is deleted": {act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
		s.delete(t, f)
	}},
	"a file is read again": {act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "COMPLETED")
		s.insist(t, http.MethodGet, "/api/files/"+f.id.String()+"/content", nil, nil)
	}},
	"a stored file is previewed": {act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "COMPLETED")
		s.insist(t, http.MethodGet, "/api/files/"+f.id.String()+"/preview?delimiter=pipe", nil, nil)
	}},
	"readiness is asked for": {act: func(t *testing.T, s *scene) {
		s.upload(t, sheet(5, 10), "COMPLETED")
		s.insist(t, http.MethodGet, "/api/ready", nil, nil)
	}},
	"a waiting task is cancelled": {hold: sending, act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "CANCELLED")
		s.cancel(t, f)
		s.release(t)
	}},
	"a running task is cancelled": {hold: openBlob, act: func(t *testing.T, s *scene) {
		f := s.upload(t, sheet(5, 10), "CANCELLED")
		s.Database.Await(t, `select status = 'PROCESSING' from sheetdrop.task`)
		s.cancel(t, f)
		s.Database.Await(t, `select status = 'CANCELLED' from sheetdrop.task`)
		s.release(t)
	}},
	"the handler is told to stop": {hold: openBlob, act: func(t *testing.T, s *scene) {
		s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select status = 'PROCESSING' from sheetdrop.task`)
		handler, err := os.FindProcess(s.Host.HandlerPID())
		if err != nil {
			t.Fatal(err)
		}
		if err := handler.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		s.awaitFired(t)
		s.release(t)
	}},
	"a load's connection breaks": {hold: loading, act: func(t *testing.T, s *scene) {
		s.upload(t, sheet(5, 10), "COMPLETED")
		s.Database.Await(t, `select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and state = 'idle in transaction' and query = 'begin isolation level read committed' limit 1`)
		s.release(t)
	}},
	"loading takes long": {hold: openBlob, act: whileHeld},
	"sending takes long": {hold: sending, act: whileHeld},
	"a message waits": {prepare: func(t *testing.T, s *scene) {
		s.enqueue(t, s.store(t, sheet(5, 10)))
	}},
	"another owner's file waits": {
		prepare: func(t *testing.T, s *scene) {
			s.enqueue(t, s.store(t, sheet(5, 10)))
			s.Exec(t, `update sheetdrop.source_file set owner = 'another'`)
			s.Exec(t, `update sheetdrop.task set owner = 'another'`)
			s.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() + interval '1 hour'`) // as behind many others
		},
		act: func(t *testing.T, s *scene) {
			s.upload(t, sheet(7, 10), "COMPLETED")
			s.awaitFired(t)
			s.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() where status = 'PENDING'`)
		},
	},
	"a message was lost": {prepare: func(t *testing.T, s *scene) {
		s.store(t, sheet(5, 10))
		s.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 hour'`)
	}},
	"a worker has died": {prepare: func(t *testing.T, s *scene) { s.deadWorker(t, 0, "COMPLETED") }},
	"a worker has died for the fifth time": {
		alerts:  []string{"task_failed"},
		prepare: func(t *testing.T, s *scene) { s.deadWorker(t, 4, "FAILED") },
	},
}

// deadWorker leaves a task as a worker does that was killed at it, after so many others.
func (s *scene) deadWorker(t *testing.T, crashes int, want string) {
	t.Helper()
	s.store(t, sheet(5, 10))
	s.files[0].want = want
	s.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '1 minute'`)
	s.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, alone_attempt = 1, crashes = $1, started_at = now(), locked_by = gen_random_uuid(),
  locked_until = now() - interval '1 hour'`, crashes)
}

// whileHeld keeps a file on its way until the crash, which happens meanwhile.
func whileHeld(t *testing.T, s *scene) {
	s.upload(t, sheet(5, 10), "COMPLETED")
	s.awaitFired(t)
	s.release(t)
}
