package runbooks

import (
	"context"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
	"sheetdrop/verify/e2e"
)

// rehearseHosts rehearses the pages about the hosts, their handlers and their storage.
func rehearseHosts(t *testing.T) {
	s := &scene{}
	storage, blobs, queue := faultproxy.Storage(t, s.through(t, devtest.Storage(t)))
	options := e2e.Options{
		Settings: settings, Storage: &storage, Functions: []string{"upload-api", "parse-worker"},
		Errors: []string{`"msg":"handler ended"`}, TimeScale: 0.05,
	}
	s.App = e2e.Start(t, options)
	relay := &platform{config: s.HostConfig(t, e2e.Options{Functions: []string{"outbox-relay"}, TimeScale: 0.05})}
	relay.start(t)
	t.Cleanup(relay.stop)
	s.sit(t)

	s.rehearse(t, rehearsal{
		page: "relay-silent", shown: "state.timer",
		breaks: func(t *testing.T) {
			relay.stop()
			s.Database.Await(t, `select locked_by is null or locked_until < now() from sheetdrop.reconciler`)
			s.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '16 min'`)
		},
		mends: relay.start,
	})
	s.rehearseStorage(t, blobs, queue)

	u := s.AddFile(t, []byte("a\n1\n"))
	s.rehearse(t, rehearsal{
		page: "handler-restarts", shown: "Its worker died.", told: true, over: "COMPLETED. Since", words: map[string]string{"TASK": u.TaskID.String()},
		breaks: func(t *testing.T) {
			s.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), claimed_at = now(), locked_by = gen_random_uuid(),
  locked_until = now() - interval '1 h' where id = $1`, u.TaskID)
			pid := s.Host.HandlerPID()
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			await.Until(t, "the host has started another handler", func() bool { now := s.Host.HandlerPID(); return now != 0 && now != pid })
		},
	})
	s.rehearseRollBack(t, t, options)
}

// rehearseStorage rehearses the pages about the account of files and messages.
func (s *scene) rehearseStorage(t *testing.T, blobs, queue *faultproxy.Proxy) {
	t.Helper()
	s.rehearse(t, rehearsal{
		page: "storage-availability", shown: "storage.reach",
		breaks: func(*testing.T) { blobs.Cut() },
		mends:  func(t *testing.T) { blobs.Restore(t) },
	})
	s.rehearse(t, rehearsal{
		page: "host-restarts", shown: "storage.reach",
		breaks: func(t *testing.T) {
			restarts := s.Host.Stats().Restarts
			queue.Cut()
			await.Until(t, "the host has started again", func() bool { return s.Host.Stats().Restarts > restarts })
		},
		mends: func(t *testing.T) { queue.Restore(t) },
	})
	s.rehearse(t, rehearsal{
		page: "storage-throttling", shown: "ServerBusy",
		breaks: func(*testing.T) {
			s.judge(func(r *http.Request) storageproxy.Fault {
				if isFor(r, s.Storage.Container) {
					return http.StatusServiceUnavailable
				}
				return storageproxy.None
			})
		},
		mends: func(*testing.T) { s.judge(nil) },
	})
	s.rehearse(t, rehearsal{
		page: "function-failures", shown: "storage.container",
		breaks: func(t *testing.T) {
			if _, err := s.Storage.Blobs(t).Delete(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			answer := s.Do(t, http.MethodPost, "/api/files?name=refused.csv", nil, http.NoBody)
			if answer.StatusCode < http.StatusBadRequest {
				t.Errorf("without a container an upload is answered %s", answer.Status)
			}
		},
	})
}

// rehearseRollBack has a version that does not start take the place of the one that runs, and puts that back. of is the test of the scene.
func (s *scene) rehearseRollBack(t, of *testing.T, options e2e.Options) {
	t.Helper()
	s.rehearse(t, rehearsal{
		page: "roll-back", shown: "api.reach",
		breaks: func(t *testing.T) {
			if err := s.Host.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			bad := options
			bad.Settings = maps.Clone(options.Settings)
			bad.Settings["TASK_LEASE"] = "nonsense"
			if host, err := funchost.Start(t.Context(), s.HostConfig(of, bad)); err == nil {
				_ = host.Stop(t.Context())
				t.Fatal("the bad version has started")
			}
			s.atCheckout(of)
		},
		mends: func(*testing.T) {
			s.Host = s.StartHost(of, options)
			s.env["SHEETDROP_URL"] = s.Host.URL() + "/api"
		},
	})
}

// atCheckout has the operator sit in the checkout, where a package can be made, which does not stay.
func (s *scene) atCheckout(t *testing.T) {
	t.Helper()
	s.folder = filepath.Join("..", "..")
	made := filepath.Join(s.folder, "dist", "app.zip")
	if _, err := os.Stat(made); err != nil {
		t.Cleanup(func() {
			_ = os.Remove(made)
			_ = os.Remove(filepath.Dir(made)) // if nothing else is there
		})
	}
}

// platform runs a host that is stopped and started again.
type platform struct {
	config funchost.Config
	host   *funchost.Host
}

func (p *platform) start(t *testing.T) {
	t.Helper()
	host, err := funchost.Start(t.Context(), p.config)
	if err != nil {
		t.Fatal(err)
	}
	p.host = host
}

func (p *platform) stop() {
	if p.host != nil {
		_ = p.host.Stop(context.Background()) // a run that was cut off is what its lease is for
	}
	p.host = nil
}
