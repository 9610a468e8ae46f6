package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// Who has the log sees what it says about the task, and about no other one, whatever else stands in the file.
func TestLogLinesOfATask(t *testing.T) {
	t.Parallel()
	task := uuid.MustParse("0193c1a2-0000-7000-8000-000000000001")
	path := filepath.Join(t.TempDir(), "local.log")
	text := `time=2026-11-20T12:03:00Z level=INFO msg="the host says task_id=0193c1a2-0000-7000-8000-000000000001"
{"time":"2026-11-20T12:03:01Z","level":"WARN","msg":"run ended","task_id":"0193c1a2-0000-7000-8000-000000000001","outcome":"transient error","status":"PENDING","reason":"open blob: refused"}
{"time":"2026-11-20T12:03:02Z","level":"INFO","msg":"task completed","task_id":"0193c1a2-0000-7000-8000-000000000002"}
{"time":"2026-11-20T12:03:03Z","level":"INFO","msg":"0193c1a2-0000-7000-8000-000000000001"}
{"time":17,"msg":"x","task_id":"0193c1a2-0000-7000-8000-000000000001"}
{"level":"INFO","msg":"no time","task_id":"0193c1a2-0000-7000-8000-000000000001"}
` + strings.Repeat(`{"time":"2026-11-20T12:03:04Z","level":"INFO","msg":"nothing to do","task_id":"0193c1a2-0000-7000-8000-000000000001"}`+"\n", mostLines-1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := logLines(path, task)
	if err != nil || len(lines) != mostLines {
		t.Fatalf("%d lines, want %d: %v", len(lines), mostLines, err)
	}
	if got := lines[0].Text; got != "log WARN: run ended, transient error, PENDING, open blob: refused" {
		t.Errorf("the first line is %q", got)
	}
	if lines, err := logLines("", task); lines != nil || err != nil {
		t.Errorf("without a log: %v, %v", lines, err)
	}
	if _, err := logLines(path+".none", task); err == nil {
		t.Error("a log that is not there is passed over")
	}
}

// How long after the line before something happened fits its column, whatever it is.
func TestElapsedFitsItsColumn(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "", -time.Hour: "", 999 * time.Millisecond: "", time.Second: "1 s", 59*time.Second + 999*time.Millisecond: "59 s", time.Minute: "1 min",
		time.Hour - 1: "59 min", time.Hour: "1 h", 24*time.Hour - 1: "23 h", 36 * time.Hour: "1 d", 365 * 24 * time.Hour: "365 d",
	} {
		if got := elapsed(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

// A life over midnight has a heading for each day, and the pause over midnight is told.
func TestLifeIsToldByDays(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, 11, 20, 23, 59, 0, 0, time.Local)
	items := []client.TaskHistoryItem{{At: evening, Text: "a"}, {At: evening.Add(2 * time.Minute), Text: "b"}, {At: evening.Add(3 * time.Minute), Text: "c"}}
	days := daysOf(items)
	if len(days) != 2 || len(days[1]) != 2 {
		t.Fatalf("days: %v", days)
	}
	if got := dayTable(days[1], items).String(); got != "  00:01:00  2 min  b\n  00:02:00  1 min  c\n" {
		t.Errorf("the second day:\n%s", got)
	}
}
