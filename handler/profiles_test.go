package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"
)

// Profiles tell what is in the handler's memory: only who is on its machine gets them.
func TestProfilesAreForThisMachineAlone(t *testing.T) {
	t.Parallel()
	address, stop, err := serveProfiles(0)
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("profiles are served at %s, %v", address, err)
	}
	answer, err := http.Get("http://" + address + "/debug/pprof/heap?debug=1")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.HasPrefix(string(text), "heap profile:") {
		t.Errorf("the profile is %s %.80q, %v", answer.Status, text, err)
	}
	for _, other := range otherAddresses(t) {
		if connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", net.JoinHostPort(other, port)); err == nil {
			connection.Close()
			t.Errorf("profiles are served at %s too", other)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get("http://" + address + "/debug/pprof/"); err == nil {
		t.Error("profiles are served after the end")
	}
}

// otherAddresses are this machine's besides 127.0.0.1 that can be dialled without a zone.
func otherAddresses(t *testing.T) (list []string) {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok && !network.IP.IsLinkLocalUnicast() && network.IP.String() != "127.0.0.1" {
			list = append(list, network.IP.String())
		}
	}
	return list
}

// Nobody gets profiles who has not asked for them, and nobody through the host.
func TestProfilesAreOff(t *testing.T) {
	t.Parallel()
	s, err := env.ParseAsWithOptions[settings](env.Options{Environment: deployed()})
	if err != nil {
		t.Fatal(err)
	}
	if s.PprofPort != 0 {
		t.Errorf("PPROF_PORT is %d by default, want 0, which is off", s.PprofPort)
	}
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline"} {
		if status := askRoutes(t, path); status != http.StatusNotFound {
			t.Errorf("GET %s of the host's port is answered %d, want 404", path, status)
		}
	}
}

func askRoutes(t *testing.T, path string) int {
	t.Helper()
	s, err := env.ParseAsWithOptions[settings](env.Options{Environment: map[string]string{
		"FUNCTIONS_CUSTOMHANDLER_PORT": "7071", "AUTH": "local", "DATA_STORAGE": "UseDevelopmentStorage=true", "DATABASE_URL": "postgres://127.0.0.1:1/none",
	}})
	if err != nil {
		t.Fatal(err)
	}
	services, err := open(s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer services.close()
	answer := httptest.NewRecorder()
	routes(t.Context(), services, slog.New(slog.DiscardHandler)).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	return answer.Code
}
