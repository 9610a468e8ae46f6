package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"sheetdrop/internal/postgres"
)

var update = flag.Bool("update", false, "write the golden files")

// looks are where somebody looks at what is printed: what the environment says, and the width of the terminal, 0 for a pipe.
var looks = map[string]struct {
	env   []string
	width uint16
}{
	"terminal":      {[]string{"TERM=xterm-256color", "LC_ALL=C.UTF-8"}, 80},
	"no-colour":     {[]string{"TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR=1"}, 80},
	"dumb":          {[]string{"TERM=dumb", "LC_ALL=C.UTF-8"}, 80},
	"narrow":        {[]string{"TERM=xterm-256color", "LC_ALL=C.UTF-8", "CLICOLOR=0"}, 40},
	"pipe":          {[]string{"TERM=xterm-256color", "LC_ALL=C.UTF-8"}, 0},
	"c":             {[]string{"TERM=xterm-256color", "LC_ALL=", "LANG=C"}, 80},
	"japanese":      {[]string{"TERM=xterm-256color", "LC_ALL=", "LANG=ja_JP.UTF-8"}, 80},
	"japanese-pipe": {[]string{"LC_ALL=", "LANG=ja_JP.UTF-8"}, 0},
}

// session are the commands that are looked at.
var session = [][]string{
	{"sniff", "prices.csv"},
	{"parse", "orders.csv"},
	{"files"},
	{"tasks"},
	{"status", "orders.csv"},
	{"status"},
	{"why", "orders.csv"},
	{"outbox"},
	{"webhooks", "list"},
	{"webhooks", "show", "shop"},
	{"webhooks", "deliveries", "shop"},
	{"cancel", "nothing.csv"},
	{"files", "--stauts=FAILED"},
	{"redrive", "--help"},
	{"doctor"},
}

// What people see fits their terminal, has colours and Japanese where they want them, and control sequences nowhere else. Look at a golden
// file that changes.
func TestTerminalsShowWhatPeopleCanRead(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(answerAlways))
	t.Cleanup(service.Close)
	for name, look := range looks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var shown strings.Builder
			for _, args := range session {
				fmt.Fprintf(&shown, "$ sheetdrop %s\n%s\n", strings.Join(args, " "), printed(t, look.width, look.env, service.URL, args))
			}
			got := strings.ReplaceAll(shown.String(), service.URL, "http://127.0.0.1:7071")
			golden := filepath.Join("testdata", "terminal", name+".txt")
			if *update {
				write(t, golden, got)
			}
			wanted, err := os.ReadFile(golden)
			if err != nil || got != string(wanted) {
				t.Errorf("%s (%v):\n%s", golden, err, got)
			}
			if escapes := strings.Contains(got, "\x1b"); escapes != (name == "terminal" || name == "c" || name == "japanese") {
				t.Errorf("control sequences: %t", escapes)
			}
		})
	}
}

// printed runs the program on a terminal of a width, or on a pipe if it is 0, and returns what it prints.
func printed(t *testing.T, width uint16, env []string, url string, args []string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = filepath.Join("..", "..", "samples")
	cmd.Env = append([]string{
		"TZ=UTC", "SHEETDROP_URL=" + url, beSheetdrop + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"GOCOVERDIR=" + os.Getenv("GOCOVERDIR"),
	}, env...)
	if width == 0 {
		text, _ := cmd.CombinedOutput() // a status other than 0 is wanted of some
		return string(text)
	}
	control, terminal := openTerminal(t)
	if err := unix.IoctlSetWinsize(int(control.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: width}); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	text, _ := io.ReadAll(control) // which ends with EIO once nobody has the terminal open
	_ = cmd.Wait()
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

const (
	shownTask = `"task":{"id":"0193c1a2-0000-7000-8000-00000000000%d","file_id":"0193c1a2-0000-7000-8000-00000000001%[1]d","status":"%s","created_at":"2026-11-20T12:03:00Z",
"file_name":"%s","attempt":1,"progress":{"bytes_read":5,"bytes_total":10,"rows_read":65,"rows_loaded":60,"rows_rejected":4}%s}`
	shownFile     = `{"id":"0193c1a2-0000-7000-8000-00000000001%d","name":"%s","size_bytes":8687,"media_type":"text/csv","created_at":"2026-11-20T12:03:00Z",%s}`
	shownDelivery = `{"id":"0193c1a2-0000-7000-8000-00000000004%d","type":"%s","status":"%s","created_at":"2026-11-20T12:03:00Z","attempted_at":"2026-11-20T12:04:00Z",
"task_id":"0193c1a2-0000-7000-8000-00000000000%[1]d","took_ms":12,"payload":{},%[4]s}`
	shownSummary = `,"finished_at":"2026-11-20T12:04:00Z","summary":{"rows_read":65,"rows_loaded":60,"rows_rejected":4,"rows_skipped":1,"sheets":[]}`
	shownError   = `,"finished_at":"2026-11-20T12:04:00Z","error":{"code":"unsupported_format","message":"The file is a PDF document, which cannot be read. Copy its table into a spreadsheet and save that as an Excel workbook (xlsx) or CSV.",
"message_ja":"このファイルはPDF文書で、読めません。表を表計算ソフトにコピーし、Excelブック（xlsx）かCSVとして保存してください。"}`
)

// shownHistory is the life of a task, in the words of the service.
const (
	shownHistory = `{"task_id":"0193c1a2-0000-7000-8000-000000000001","status":"PENDING","items":[
{"at":"2026-11-20T23:59:00Z","kind":"accepted","text":"Accepted: file, task and message are stored."},
{"at":"2026-11-20T23:59:00.2Z","kind":"message_sent","text":"Its message is in the queue."},
{"at":"2026-11-20T23:59:01.5Z","kind":"started","text":"A worker began attempt 1."},
{"at":"2026-11-21T02:03:00Z","kind":"returned","text":"Attempt 1 ended, and the task waits for another one. The blob store did not answer."}],
"now":{"code":"retry_pause","text":"Pauses before its next attempt. The blob store did not answer.","since":"2026-11-21T02:03:00Z","next_at":"2126-11-21T02:03:02Z",
"by_itself":true,"next_step":{"who":"owner","text":"To end it instead","command":"sheetdrop cancel 0193c1a2-0000-7000-8000-000000000001"}}}`
	shownHistoryJA = `{"task_id":"0193c1a2-0000-7000-8000-000000000001","status":"PENDING","items":[
{"at":"2026-11-20T23:59:00Z","kind":"accepted","text":"受け付けました。ファイル、タスク、メッセージは保存済みです。"},
{"at":"2026-11-21T02:03:00Z","kind":"returned","text":"1回目の処理が中断し、タスクは次の処理を待ちます。Blob ストアが応答しませんでした。"}],
"now":{"code":"retry_pause","text":"次の処理まで間を置いています。Blob ストアが応答しませんでした。","since":"2026-11-21T02:03:00Z","next_at":"2126-11-21T02:03:02Z",
"by_itself":true,"next_step":{"who":"owner","text":"やめるには","command":"sheetdrop cancel 0193c1a2-0000-7000-8000-000000000001"}}}`
)

// answerAlways answers as a service does whose files never change.
func answerAlways(w http.ResponseWriter, r *http.Request) {
	files := []string{
		fmt.Sprintf(shownFile, 1, "orders.csv", fmt.Sprintf(shownTask, 1, "COMPLETED", "orders.csv", shownSummary)),
		fmt.Sprintf(shownFile, 2, "納品書（2026年11月）.xlsx", fmt.Sprintf(shownTask, 2, "FAILED", "納品書（2026年11月）.xlsx", shownError)),
		fmt.Sprintf(shownFile, 3, "prices.csv", fmt.Sprintf(shownTask, 3, "PROCESSING", "prices.csv", "")),
	}
	var tasks []string
	for _, file := range files {
		_, task, _ := strings.Cut(file, `"task":`)
		tasks = append(tasks, strings.TrimSuffix(task, "}"))
	}
	list := func(items []string) string { return `{"items":[` + strings.Join(items, ",") + `]}` }
	history := shownHistory
	if strings.HasPrefix(r.Header.Get("Accept-Language"), "ja") {
		history = shownHistoryJA
	}
	answer := map[string]string{
		"/api/tasks/0193c1a2-0000-7000-8000-000000000001/history": history,
		"/api/ready": `{"status":"ready"}`, "/api/me": `{"operator":true}`, "/api/files": list(files), "/api/tasks": list(tasks),
		"/api/overview": fmt.Sprintf(`{"tasks":{"pending":3,"processing":1,"failed":1,"oldest_pending":null},"outbox":{"pending":2,"failed":1,"oldest_due":null},"dead_letters":1,"hours":[],
"upkeep":{"now":"2026-11-20T12:05:00Z","maintained_at":"2026-11-20T11:05:00Z","schema_version":%d,"needed_schema":%[1]d}}`, postgres.NeededSchema),
		"/api/health": `{"status":"ok"}`,
		"/api/outbox": list([]string{`{"id":"0193c1a2-0000-7000-8000-000000000021","event_type":"PARSE_TASK","status":"FAILED","attempts":5,"rejections":5,
"created_at":"2026-11-20T12:03:00Z","last_error":"The queue refuses the message: it is larger than 64 KiB.","next_attempt_at":null,"task_id":null}`}),
		"/api/webhooks": list([]string{`{"id":"0193c1a2-0000-7000-8000-000000000031","url":"https://hooks.example.com/sheets","description":"shop","states":["COMPLETED","FAILED"],
"targets":[],"enabled":true,"created_at":"2026-11-20T12:03:00Z","waiting":1,"dead":1}`}),
		"/api/webhooks/0193c1a2-0000-7000-8000-000000000031/deliveries": list([]string{
			fmt.Sprintf(shownDelivery, 1, "task.completed", "PENDING", `"attempts":1,"response_status":503,"response":"Down for maintenance until Monday morning, please come back later."`),
			fmt.Sprintf(shownDelivery, 2, "task.failed", "DELIVERED", `"attempts":1,"response_status":204`),
			fmt.Sprintf(shownDelivery, 3, "webhook.test", "DEAD", `"attempts":14,"error":"there was no connection, or it broke: connect: connection refused"`),
		}),
	}[r.URL.Path]
	if answer == "" || r.URL.Query().Get("name") == "nothing.csv" {
		answer = list(nil)
	}
	fmt.Fprint(w, answer)
}
