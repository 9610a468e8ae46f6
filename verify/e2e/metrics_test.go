package e2e_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// marked is in whatever a customer or a stranger says: nobody reads it in a metric.
const marked = "GEHEIM7f3"

// measured is an app with one handler, which the test calls as the host does, and whose metrics it reads.
type measured struct {
	*e2e.App
	handler *e2e.Handler
	queue   *faultproxy.Proxy
	address string // of the metrics
	pushed  *receiver
}

func startMeasured(t *testing.T) measured {
	t.Helper()
	parts := devtest.Storage(t)
	through, _, queue := faultproxy.Storage(t, parts)
	app := e2e.Prepare(t, e2e.Options{Storage: &through})
	m := measured{App: app, queue: queue, pushed: receive(t)}
	port := unusedPort(t)
	m.address = net.JoinHostPort("127.0.0.1", port)
	m.handler = app.StartHandler(t, map[string]string{
		"METRICS_PORT": port, "OTEL_METRICS_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": m.pushed.url, "OTEL_METRIC_EXPORT_INTERVAL": "250",
		"OTEL_EXPORTER_OTLP_HEADERS": "authorization=" + marked, "RELAY_PERIOD": "1m",
	})
	return m
}

func unusedPort(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// page is what Prometheus reads.
func (m measured) page(t *testing.T) string {
	t.Helper()
	return string(ask(t, http.MethodGet, "http://"+m.address+"/metrics", nil, http.StatusOK))
}

// ask sends a request to this handler, and wants an answer with this status.
func ask(t *testing.T, method, url string, body []byte, status int) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/octet-stream")
	request.Header.Set("User-Agent", marked)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Fatalf("%s %s: %s %s, %v, want %d", method, url, answer.Status, text, err, status)
	}
	return text
}

// upload sends a file, and returns its task.
func (m measured) upload(t *testing.T, name, content string) (task postgres.Upload) {
	t.Helper()
	var accepted struct {
		Task struct{ ID string }
	}
	text := ask(t, http.MethodPost, m.handler.URL+"/api/files?name="+name, []byte(content), http.StatusAccepted)
	if err := json.Unmarshal(text, &accepted); err != nil {
		t.Fatal(err)
	}
	if err := task.TaskID.UnmarshalText([]byte(accepted.Task.ID)); err != nil {
		t.Fatal(err)
	}
	return task
}

// sent waits until the relay has sent all that it was nudged to send.
func (m measured) sent(t *testing.T) {
	t.Helper()
	m.Database.Await(t, `select not exists (select from sheetdrop.outbox_message)`)
}

func (m measured) parse(t *testing.T, upload postgres.Upload) {
	t.Helper()
	if status := <-m.handler.Deliver(t, upload); status != http.StatusOK {
		t.Fatalf("parse-worker ended with %d", status)
	}
}

// due makes all messages due, and maintenance look for leases that have expired.
func (m measured) due(t *testing.T) {
	t.Helper()
	m.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() - interval '1 s' where status <> 'FAILED'`)
	m.Exec(t, `update sheetdrop.reconciler set ran_at = now() - interval '2 min'`)
}

// values are the series of a page by their names with labels.
func values(t *testing.T, page string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(strings.TrimSpace(line), ' ')
		value, err := strconv.ParseFloat(strings.TrimSpace(line)[at+1:], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		found[line[:at]] = value
	}
	return found
}

// want compares series with what they should be.
func want(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, there := got[name]; !there || value != want[name] {
			t.Errorf("%s is %v (there: %t), want %v", name, value, there, want[name])
		}
	}
}

// What is scraped and what is pushed is what has happened: uploads, rows and rejects, sends that failed, an open breaker, a lease of a dead
// worker, what waits in the outbox.
func TestMetricsAreWhatHasHappened(t *testing.T) {
	t.Parallel()
	m := startMeasured(t)
	good := "id,name\n" + strings.Repeat("1,"+marked+"\n", 7) + "2\n3\n" // two records lack a cell
	m.parse(t, m.upload(t, marked+".csv", good))
	m.parse(t, m.upload(t, marked+".xlsx", "PK\x03\x04 "+marked))
	twice := m.upload(t, "twice.csv", "a,b\n1,2\n")
	m.sent(t)
	m.parse(t, twice)
	m.parse(t, twice) // there is nothing to do any more
	ask(t, http.MethodGet, m.handler.URL+"/api/files/"+marked, nil, http.StatusBadRequest)
	ask(t, http.MethodGet, m.handler.URL+"/api/"+marked+"?"+marked, nil, http.StatusNotFound)
	size := float64(len(good) + len("PK\x03\x04 "+marked) + len("a,b\n1,2\n"))
	want(t, values(t, m.page(t)), map[string]float64{
		`sheetdrop_uploads_total{way="request"}`:                                                                                  3,
		`sheetdrop_upload_size_bytes_total{way="request"}`:                                                                        size,
		`sheetdrop_upload_duration_seconds_count{way="request"}`:                                                                  3,
		`sheetdrop_outbox_sends_total{destination="PARSE_TASK",outcome="sent"}`:                                                   3,
		`sheetdrop_task_runs_total{counted="false",outcome="completed"}`:                                                          2,
		`sheetdrop_task_runs_total{counted="false",outcome="input error"}`:                                                        1,
		`sheetdrop_task_runs_active`:                                                                                              0,
		`sheetdrop_task_ends_total{status="COMPLETED"}`:                                                                           2,
		`sheetdrop_task_ends_total{code="damaged_file",status="FAILED"}`:                                                          1,
		`sheetdrop_parse_rows_total{outcome="loaded"}`:                                                                            8,
		`sheetdrop_parse_rows_total{outcome="rejected"}`:                                                                          2,
		`sheetdrop_parse_rejects_total{code="missing_cell"}`:                                                                      2,
		`sheetdrop_parse_size_bytes_total`:                                                                                        float64(len(good) + len("a,b\n1,2\n")),
		`sheetdrop_task_completion_duration_seconds_count`:                                                                        2,
		`sheetdrop_parse_duration_seconds_count`:                                                                                  2,
		`sheetdrop_load_duration_seconds_count`:                                                                                   2,
		`db_client_connection_max{db_client_connection_pool_name="main"}`:                                                         10,
		`db_client_connection_max{db_client_connection_pool_name="heartbeats"}`:                                                   1,
		routed("POST", "202", "/api/files"):                                                                                       3,
		routed("GET", "400", "/api/files/{id}"):                                                                                   1,
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404",url_scheme="http"}`: 1,
	})

	pages := []string{m.page(t)}
	m.parse(t, m.upload(t, "again.csv", good))
	m.sent(t)
	pages = append(pages, m.page(t))
	m.outage(t)
	pages = append(pages, m.page(t))
	m.deadWorker(t)
	pages = append(pages, m.page(t), m.page(t))
	wantPanels(t, pages)
	m.pushed.await(t, "sheetdrop.parse.rows", 8+2+9)
	m.handler.TellToStop(t)
	m.handler.Exit()
	if strings.Contains(m.pushed.everything(), marked) {
		t.Error("a customer's words are pushed")
	}
	if !m.pushed.authorized(marked) {
		t.Error("the pushes came without the header of OTEL_EXPORTER_OTLP_HEADERS")
	}
}

func routed(method, status, route string) string {
	return fmt.Sprintf(`http_server_request_duration_seconds_count{http_request_method=%q,http_response_status_code=%q,http_route=%q,url_scheme="http"}`, method, status, route)
}

// outage takes the queue away while ten messages are due, one waits for its time, and one has been given up.
func (m measured) outage(t *testing.T) {
	t.Helper()
	for range 12 {
		m.AddUpload(t)
	}
	m.due(t)
	m.Exec(t, `update sheetdrop.outbox_message set next_attempt_at = now() + interval '1 h', created_at = now() - interval '1 min' where id = (select min(id::text)::uuid from sheetdrop.outbox_message)`)
	m.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity' where id = (select max(id::text)::uuid from sheetdrop.outbox_message)`)
	m.queue.Cut()
	<-m.handler.Relay(t) // some of its steps fail
	failed := pgtest.Query[int](t, m.Database, `select sum(attempts) from sheetdrop.outbox_message`)
	page := m.page(t)
	got := values(t, page)
	want(t, got, map[string]float64{
		`sheetdrop_outbox_pending{state="due"}`: 10, `sheetdrop_outbox_pending{state="delayed"}`: 1, `sheetdrop_outbox_failed`: 1,
		`sheetdrop_outbox_sends_total{destination="PARSE_TASK",outcome="failed"}`: float64(failed),
		`sheetdrop_outbox_breaker_trips_total{destination="PARSE_TASK"}`:          1,
		`sheetdrop_outbox_breaker_open{destination="PARSE_TASK"}`:                 1,
		`sheetdrop_outbox_breaker_open{destination="BLOB_DELETE"}`:                0,
		`sheetdrop_tasks{status="PENDING"}`:                                       12, `sheetdrop_tasks{status="PROCESSING"}`: 0, `sheetdrop_tasks{status="FAILED"}`: 1,
		`sheetdrop_owner_tasks{owner="` + hashOf(pgtest.Query[string](t, m.Database, `select min(owner) from sheetdrop.task where status = 'PENDING'`)) + `"}`: 12,
	})
	if oldest, due := got["sheetdrop_outbox_oldest_age_seconds"], got["sheetdrop_outbox_oldest_due_age_seconds"]; oldest < 60 || due <= 0 || due >= oldest {
		t.Errorf("the oldest message was written %v s ago, and could have been sent %v s ago", oldest, due)
	}
	if _, told := got[`sheetdrop_queue_length{queue="parse"}`]; told {
		t.Error("the length of a queue is told that does not answer")
	}
	if got[`sheetdrop_db_table_size_bytes{table="task"}`] <= 0 || got["sheetdrop_db_size_bytes"] <= got[`sheetdrop_db_table_size_bytes{table="task"}`] {
		t.Error("no size of the database and its tables")
	}
	if strings.Contains(page, marked) {
		t.Error("a customer's words are scraped")
	}
	m.queue.Restore(t)
}

func hashOf(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return hex.EncodeToString(sum[:])[:12]
}

// deadWorker has the timer find a lease that has expired, with the queue back.
func (m measured) deadWorker(t *testing.T) {
	t.Helper()
	dead := m.AddSentUpload(t)
	m.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), locked_by = gen_random_uuid(),
locked_until = now() - interval '1 h' where id = $1`, dead.TaskID)
	last := m.AddSentUpload(t)
	m.Exec(t, `update sheetdrop.task set status = 'PROCESSING', attempt = 5, alone_attempt = 5, crashes = 4, started_at = now(), locked_by = gen_random_uuid(),
locked_until = now() - interval '1 h' where id = $1`, last.TaskID)
	m.due(t)
	m.Exec(t, `update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity' where created_at < now() - interval '50 s'`)
	const live = `select count(*) from sheetdrop.outbox_message where status <> 'FAILED'`
	sent := `sheetdrop_outbox_sends_total{destination="PARSE_TASK",outcome="sent"}`
	before, waiting := values(t, m.page(t))[sent], pgtest.Query[int](t, m.Database, live)
	m.handler.Tick(t)
	left := pgtest.Query[int](t, m.Database, live)
	want(t, values(t, m.page(t)), map[string]float64{
		`sheetdrop_task_leases_reclaimed_total{status="PENDING"}`:       1,
		`sheetdrop_task_leases_reclaimed_total{status="FAILED"}`:        1,
		`sheetdrop_task_ends_total{code="worker_died",status="FAILED"}`: 1,
		`sheetdrop_outbox_breaker_open{destination="PARSE_TASK"}`:       0,
		`sheetdrop_queue_length{queue="poison"}`:                        0,
		`sheetdrop_outbox_pending{state="delayed"}`:                     0,
		sent: before + float64(waiting+1-left), // one is that of the task which waits again
	})
}
