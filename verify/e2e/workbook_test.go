package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readWorkbook returns the queries of infra/bicep/modules/workbook.bicep by the titles of their panels.
func readWorkbook(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "infra", "bicep", "modules", "workbook.bicep"))
	if err != nil {
		t.Fatal(err)
	}
	panels := map[string]string{}
	for _, match := range regexp.MustCompile(`(?s)title: '([^']+)'\n    shape: '\w+'\n    query: '''\n(.*?)'''`).FindAllStringSubmatch(string(text), -1) {
		panels[match[1]] = match[2]
	}
	if n := strings.Count(string(text), "query: '''"); n < 8 || len(panels) != n {
		t.Fatalf("there are %d queries, %d were read", n, len(panels))
	}
	return panels
}

// shown is what panels of the workbook must show of a run: columns and values of one of their rows.
var shown = map[string]row{
	"Outbox: messages that are not sent":                             {"failed": float64(1)},
	"Completed tasks, and their rows":                                {"tasks": float64(2), "loaded": float64(10 + 200_000)}, // one of them was recorded
	"Runs that did not complete their task, by how they ended":       {"outcome": "input error", "task": "FAILED"},
	"Workers that died":                                              {"leases": float64(1)},
	"What somebody has to look at: the newest alerts of the handler": {"alert": "task_failed", "code": "worker_died"},
	"Error lines, by what they say":                                  {"text": "task failed"},
	"Sends that failed, by what they were":                           {"message": "BLOB_DELETE", "rejected": "true"},
	"Outbox: seconds that the oldest message has waited":             {},
	"Queue, and poison queue":                                        {},
	"Calls of the functions":                                         {"Name": "upload-api", "ResultCode": "202"},
	"Starts of hosts, by instance":                                   {"AppRoleInstance": "an-instance"},
}

// Each panel of the workbook shows what is meant to be seen, of what the real handler logs and the real host sent. Nothing of it is a customer's.
func TestWorkbook(t *testing.T) {
	t.Parallel()
	log := &traces{}
	app := startLogging(t, log)
	if done := app.Await(t, app.Upload(t, "good.csv", csv(10, 20)).ID); done.Status != "COMPLETED" {
		t.Fatalf("task: %+v", done)
	}
	if done := app.Await(t, app.Upload(t, marked+".xlsx", []byte("PK\x03\x04 and no zip")).ID); done.Status != "FAILED" {
		t.Fatalf("task: %+v", done)
	}
	app.breakAll(t)
	panels := readWorkbook(t)
	log.await(t, func(messages []string) bool {
		return count(messages, `"code":"worker_died"`) > 0 && count(messages, `"outbox message not sent"`) > 0 && count(messages, `"failed":1`) > 0
	})
	logged := tracesOf(log.messages())
	for i, r := range logged["AppTraces"] {
		r["TimeGenerated"] = fmt.Sprintf("2026-11-22T08:00:%02dZ", i%60)
	}
	for _, sent := range readRecording(t) {
		logged.add(times(1, sent, "an-instance"))
	}
	for title, query := range panels {
		want, known := shown[title]
		if !known {
			t.Errorf("nobody says what %q shows", title)
		}
		rows := kql(t, query, logged)
		if !anyHas(rows, want) {
			t.Errorf("%s shows %v, want %v", title, rows, want)
		}
		if strings.Contains(fmt.Sprint(rows), marked) {
			t.Errorf("%s shows the name of a file", title)
		}
		if empty := kql(t, query, tables{}); len(empty) > 0 {
			t.Errorf("%s shows %v of nothing", title, empty)
		}
	}
}

// anyHas reports whether a row has these values, among others.
func anyHas(rows []row, want row) bool {
	for _, r := range rows {
		has := true
		for column, value := range want {
			has = has && r[column] == value
		}
		if has {
			return true
		}
	}
	return false
}
