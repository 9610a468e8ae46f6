package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"sheetdrop/cmd/sheetdrop/internal/doctor"
	"sheetdrop/internal/postgres"
)

// examined runs doctor, and returns its exit status, the first finding that is wrong, and all by their ids.
func examined(t *testing.T, env []string, args ...string) (status int, first doctor.Finding, all map[string]doctor.Finding) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"doctor", "--json"}, args...)...)
	cmd.Env = env
	p := startCommand(t, cmd, "")
	status, all = p.end(), map[string]doctor.Finding{}
	var warning doctor.Finding
	for line := range strings.Lines(p.out.String()) {
		var f doctor.Finding
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all[f.ID] = f
		switch {
		case f.State == doctor.Problem && first.ID == "":
			first = f
		case f.State == doctor.Warning && warning.ID == "":
			warning = f
		}
	}
	if first.ID == "" {
		first = warning
	}
	return status, first, all
}

// A sheetdrop of this machine that is well gets three words. Broken or killed, its user learns what is broken and what to do, with the
// database at hand or the API alone.
func TestDoctorOfThisMachine(t *testing.T) {
	t.Parallel()
	data := newData(t)
	local := start(t, "local", "--no-samples", "--data", data)
	running := awaitAddresses(t, data, 0)

	status, p := run(t, "doctor", "--data", data)
	if status != 0 || p.out.String() != "All is well.\n" || p.progress.String() != "" {
		t.Errorf("exit status %d: %s%s", status, p.out, p.progress)
	}
	status, first, all := examined(t, nil, "--data", data)
	if status != 0 || first.ID != "" || len(all) != len(doctor.Checks) || all["database.login"].State != doctor.OK {
		t.Errorf("exit status %d, %+v, %d checks", status, first, len(all))
	}
	status, p = run(t, "doctor", "--data", data, "--verbose")
	if lines := strings.Count(p.out.String(), "\n"); status != 0 || lines != len(doctor.Checks)+2 {
		t.Errorf("exit status %d, %d lines", status, lines)
	}
	status, first, all = examined(t, nil, "--url", running.APIURL)
	if status != 0 || first.ID != "" || all["state.timer"].State != doctor.OK || all["database.reach"].State != doctor.Skipped {
		t.Errorf("the API alone: exit status %d, %+v, %+v", status, first, all)
	}
	status, p = run(t, "doctor", "--url", running.APIURL)
	if status != 0 || !strings.HasPrefix(p.out.String(), "All is well, as far as it could be checked: ") {
		t.Errorf("the API alone: exit status %d: %s", status, p.out)
	}

	t.Run("a container that was deleted", func(t *testing.T) {
		blobs, err := container.NewClientFromConnectionString(running.ConnectionString, "files", nil)
		if err == nil {
			_, err = blobs.Delete(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if status, first, _ := examined(t, nil, "--data", data); status != 1 || first.ID != "storage.container" {
			t.Errorf("exit status %d, %+v", status, first)
		}
		if status, first, _ := examined(t, nil, "--url", running.APIURL); status != 1 || first.ID != "api.ready" || !strings.Contains(first.Next, "--storage") {
			t.Errorf("the API alone: exit status %d, %+v", status, first)
		}
		status, p := run(t, "doctor", "--data", data)
		if status != 1 {
			t.Errorf("exit status %d", status)
		}
		want(t, p.out.String(), "problem  storage.container\n", "The container files is not there.", "Next: ")
		want(t, p.progress.String(), "the first problem is storage.container")
		if _, err := blobs.Create(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("services that a killed one has left", func(t *testing.T) {
		pids := partsOf(t, data)
		kill(t, local.Process.Pid, syscall.SIGSTOP) // so that it starts nothing anew
		kill(t, pids[0], syscall.SIGKILL)           // the keeper
		kill(t, local.Process.Pid, syscall.SIGKILL)
		local.end()
		awaitGone(t, pids[:1])
		if status, first, _ := examined(t, nil, "--data", data); status != 1 || first.ID != "local.leftovers" || !strings.Contains(first.Next, "sheetdrop local") {
			t.Errorf("exit status %d, %+v", status, first)
		}
		if status, _ := run(t, "local", "--no-samples", "--once", "--data", data); status != 0 {
			t.Errorf("start it again: exit status %d", status)
		}
		awaitGone(t, pids)
	})
	stranger, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	_, port, _ := net.SplitHostPort(stranger.Addr().String())
	write(t, filepath.Join(data, "api.port"), port)
	status, first, all = examined(t, nil, "--data", data)
	if status != 1 || first.ID != "local.running" || all["local.ports"].State != doctor.Warning || !strings.Contains(all["local.ports"].Found, port) {
		t.Errorf("ended: exit status %d, %+v, %+v", status, first, all["local.ports"])
	}
	claimed, err := os.Open(filepath.Join(data, "local.lock"))
	if err == nil {
		err = syscall.Flock(int(claimed.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer claimed.Close()
	status, first, all = examined(t, nil, "--data", data)
	if status != 1 || first.ID != "local.running" || !strings.Contains(first.Found, "is starting") || all["local.ports"].State != doctor.OK {
		t.Errorf("starting: exit status %d, %+v, %+v", status, first, all["local.ports"])
	}
	_, p = run(t, "status", "--data", data)
	want(t, p.progress.String(), "a sheetdrop is starting")
}

// Who has only an address learns whether it is the network, the certificate, another program, the platform, the handler or the sign-in.
func TestDoctorOfAnAddress(t *testing.T) {
	t.Parallel()
	well := answering("", nil)
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	sign := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/api/health" {
				w.WriteHeader(code)
				return
			}
			well(w, r)
		}
	}
	secure := httptest.NewTLSServer(well)
	t.Cleanup(secure.Close)
	token := []string{"SHEETDROP_TOKEN=a-token"}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		url     string
		env     []string
		id      string
		next    string
	}{
		"all is well":                     {handler: well, env: token},
		"nobody is signed in":             {handler: sign(http.StatusUnauthorized)},
		"nobody listens":                  {url: "http://127.0.0.1:1", id: "api.reach", next: "handler ended"},
		"no name leads there":             {url: "https://nowhere.invalid", id: "api.reach", next: "hostName"},
		"a certificate of nobody":         {url: secure.URL, id: "api.reach", next: "certificate"},
		"another program":                 {handler: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }, id: "api.reach", next: "publish"},
		"another page":                    {handler: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, id: "api.reach", next: "publish"},
		"a platform that lets nobody in":  {handler: status(http.StatusForbidden), id: "api.reach", next: "callerAddresses"},
		"a host without its handler":      {handler: status(http.StatusBadGateway), id: "api.reach", next: "handler ended"},
		"a handler that hangs":            {handler: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, id: "api.reach", next: "handler ended"},
		"a sign-in that is refused":       {handler: sign(http.StatusUnauthorized), env: token, id: "api.signin", next: "az login"},
		"a server whose clock is behind":  {handler: later(well, -10*time.Minute), env: token, id: "clocks", next: "Set the clock of the server"},
		"a server whose clock runs ahead": {handler: later(well, time.Minute), env: token, id: "clocks", next: "Set the clock of the server"},
		"a server that is not ready":      {handler: notReady(well), env: token, id: "api.ready", next: "--database"},
		"a server of another version":     {handler: answering("needed_schema", 1), env: token, id: "server.version", next: "one version"},
		"a server before its migration":   {handler: answering("schema_version", 1), env: token, id: "server.version", next: "sheetdrop migrate"},
		"a timer that stands still":       {handler: answering("maintained_at", time.Now().Add(-time.Hour)), env: token, id: "state.timer", next: "RELAY_SCHEDULE"},
		"leases that nobody reclaims":     {handler: answering("expired_leases", 3), env: token, id: "state.leases", next: "expired leases"},
		"a database that was restored":    {handler: answering("recovering_since", time.Now()), env: token, id: "state.recovery", next: "sheetdrop recover"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.handler != nil {
				service := httptest.NewServer(c.handler)
				t.Cleanup(service.Close)
				c.url = service.URL
			}
			status, first, _ := examined(t, append([]string{"XDG_CONFIG_HOME=" + t.TempDir()}, c.env...), "--url", c.url)
			if first.ID != c.id || !strings.Contains(first.Next, c.next) || (status != 0) != (first.State == doctor.Problem) {
				t.Errorf("exit status %d, got %+v, want %s with %q in what to do", status, first, c.id, c.next)
			}
		})
	}
}

// later has answers show another time, as behind a host whose clock is wrong.
func later(next http.HandlerFunc, by time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(by).UTC().Format(http.TimeFormat))
		next(w, r)
	}
}

// notReady has the server lack its database.
func notReady(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/ready" {
			next(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"title":"x","status":503,"code":"not_ready","detail":"A service is not ready.","errors":[{"location":"schema","message":"The database does not answer."}]}`))
	}
}

// answering answers as a server does that is well, but for one of the things that it tells of its upkeep.
func answering(name string, value any) http.HandlerFunc {
	upkeep := map[string]any{"now": time.Now(), "maintained_at": time.Now(), "schema_version": postgres.NeededSchema, "needed_schema": postgres.NeededSchema}
	upkeep[name] = value
	return func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"/api/health": map[string]any{"status": "ok"}, "/api/ready": map[string]any{"status": "ready"}, "/api/me": map[string]any{"operator": true},
			"/api/overview": map[string]any{"tasks": map[string]any{}, "outbox": map[string]any{}, "hours": []any{}, "upkeep": upkeep},
		}[r.URL.Path])
	}
}
