package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/caarlos0/env/v11"
)

// Metrics are for who is on the machine: at no other address, and to no page that has another name lead here.
func TestMetricsAreForThisMachineAlone(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "sheetdrop_tasks 1\n") })
	address, stop, err := serveMetrics(t.Context(), 0, page, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || !net.ParseIP(host).IsLoopback() {
		t.Errorf("metrics are served at %s, %v", address, err)
	}
	for name, want := range map[string]int{
		"127.0.0.1": http.StatusOK, "localhost:" + port: http.StatusOK, "[::1]:1": http.StatusOK, "127.0.0.2": http.StatusOK,
		"sheetdrop.example": http.StatusForbidden, "192.0.2.1:" + port: http.StatusForbidden, "localhost.example": http.StatusForbidden, "[2001:db8::1]": http.StatusForbidden,
	} {
		if status, text := getMetrics(t, address, name, "/metrics"); status != want || (want == http.StatusOK) != strings.Contains(text, "sheetdrop_tasks 1") {
			t.Errorf("Host %s: %d %q, want %d", name, status, text, want)
		}
	}
	if status, _ := getMetrics(t, address, "localhost", "/debug/pprof/"); status != http.StatusNotFound {
		t.Errorf("something else is answered %d", status)
	}
	for _, other := range otherAddresses(t) {
		if connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", net.JoinHostPort(other, port)); err == nil {
			connection.Close()
			t.Errorf("metrics are served at %s too", other)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get("http://" + address + "/metrics"); err == nil {
		t.Error("metrics are served after the end")
	}
}

func getMetrics(t *testing.T, address, host, path string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// Nobody gets metrics who has not asked for them, and nobody through the host.
func TestMetricsAreOff(t *testing.T) {
	t.Parallel()
	s, err := env.ParseAsWithOptions[settings](env.Options{Environment: deployed()})
	if err != nil {
		t.Fatal(err)
	}
	if s.Metrics.Port != 0 || s.Metrics.Exporter != "none" {
		t.Errorf("by default METRICS_PORT is %d, want 0, and OTEL_METRICS_EXPORTER %s, want none", s.Metrics.Port, s.Metrics.Exporter)
	}
	if status := askRoutes(t, "/metrics"); status != http.StatusNotFound {
		t.Errorf("GET /metrics of the host's port is answered %d, want 404", status)
	}
}
