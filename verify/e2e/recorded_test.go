package e2e_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// alerting are the recorded cases of which operators are to hear, with the rule that tells them. Each case comes so often that no threshold
// keeps the rule silent.
var alerting = map[string][]string{
	"function-failures": {
		"http-500-of-the-handler", "http-503-of-the-handler", "http-handler-cuts-connection", "http-handler-dies-with-body", "http-function-timeout",
		"http-response-header-not-ascii", "http-request-header-not-ascii", "http-body-over-limit",
		"queue-failure-500", "queue-failure-bad-json", "queue-failure-connection-cut", "queue-function-timeout", "timer-failure",
	},
	"handler-restarts": {"handler-crash", "handler-third-death"},
	"host-restarts":    {"host-start"},
}

// What the real host sends to Application Insights raises the alert that is meant for it, and no other: neither a client that breaks off a download
// nor one that asks for what is not there wakes anybody.
func TestAlertsOnTheRealHost(t *testing.T) {
	t.Parallel()
	alerts, recorded := readLogAlerts(t), readRecording(t)
	for name, cases := range alerting {
		for _, one := range cases {
			if recorded[one] == nil {
				t.Errorf("%s: there is no case %s", name, one)
			}
		}
	}
	for name, sent := range recorded {
		var want []string
		for alert, cases := range alerting {
			if slices.Contains(cases, name) {
				want = append(want, alert)
			}
		}
		logged := times(11, sent, "an-instance")
		logged.add(recorded["timer-success"]) // the relay is well
		if got := firing(t, alerts, logged); !slices.Equal(got, want) {
			t.Errorf("%s raises %q, want %q", name, got, want)
		}
	}
}

// A host that ends because its storage is gone sends nothing of it. What is left to hear is the silence, and the hosts that start in its place.
func TestAlertsOnAStorageOutage(t *testing.T) {
	t.Parallel()
	alerts, recorded := readLogAlerts(t), readRecording(t)
	ended := recorded["host-ends-on-queue-refused"]
	if ended == nil {
		t.Fatal("there is no such case")
	}
	if got := firing(t, alerts, times(1, ended, "an-instance")); !slices.Equal(got, []string{"relay-silent"}) {
		t.Errorf("a host that has ended raises %q", got)
	}
	again := times(5, recorded["host-start"], "an-instance")
	if got := firing(t, alerts, again); !slices.Equal(got, []string{"relay-silent", "host-restarts"}) {
		t.Errorf("a host that starts again and again raises %q", got)
	}
}

// Growing with the load is no fault.
func TestManyHostsRaiseNoAlert(t *testing.T) {
	t.Parallel()
	recorded := readRecording(t)
	logged := times(1, recorded["timer-success"], "relay")
	for i := range 40 {
		logged.add(times(2, recorded["host-start"], strings.Repeat("i", i+1)))
	}
	if got := firing(t, readLogAlerts(t), logged); got != nil {
		t.Errorf("40 new instances raise %q", got)
	}
}

// readRecording reads what a real host sent, by case: azure-functions-host 4.1037, with an Application Insights collector on the same machine, in
// the columns of Log Analytics. What stands under NOT SENT was written to its console alone.
func readRecording(t *testing.T) map[string]tables {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "host-telemetry.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]tables{}
	for line := range strings.Lines(string(text)) {
		var record struct {
			Case, Table string
			Row         row
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		if cases[record.Case] == nil {
			cases[record.Case] = tables{}
		}
		cases[record.Case].add(tables{record.Table: {record.Row}})
	}
	return cases
}

// times is the same, sent n times by one instance.
func times(n int, sent tables, instance string) tables {
	all := tables{}
	for range n {
		for table, rows := range sent {
			for _, r := range rows {
				copied := row{"AppRoleInstance": instance, "TimeGenerated": "2026-11-22T08:00:00Z"}
				maps.Copy(copied, r)
				all[table] = append(all[table], copied)
			}
		}
	}
	return all
}

func (all tables) add(more tables) {
	for table, rows := range more {
		all[table] = append(all[table], rows...)
	}
}

// The queries that the runbooks have operators type find what a real host has sent.
func TestQueriesOfTheRunbooks(t *testing.T) {
	t.Parallel()
	failed := times(3, readRecording(t)["http-500-of-the-handler"], "an-instance")
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "runbooks", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	queries := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split(string(text), "```kusto\n")[1:] {
			query, _, _ := strings.Cut(block, "```")
			if queries++; len(kql(t, query, failed)) == 0 {
				t.Errorf("%s: this finds nothing: %s", filepath.Base(page), query)
			}
		}
	}
	if queries == 0 {
		t.Error("there are no queries")
	}
}
