package upload

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// Beyond the setting an upload is refused at once, to be sent again; everything else is served as usual, and a released
// place is used again.
func TestBusy(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.AtOnce = 2 }))
	var wait sync.WaitGroup
	ends := make([]*io.PipeWriter, 2)
	for i := range ends {
		body, end := io.Pipe()
		ends[i] = end
		wait.Go(func() {
			d.send(http.MethodPost, "/api/files?name=a.csv", body).into(http.StatusAccepted, &FileAndTask{})
		})
		fmt.Fprintln(end, "a")
	}
	d.until("both are under way", func() bool { return d.uploading.underWay() == 2 })
	refused := d.post("/api/files?name=b.csv", "b\n")
	refused.problem(problem.Busy)
	if refused.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.get("/api/files").into(http.StatusOK, &export.List[FileDetail]{})
	for _, end := range ends {
		end.Close()
	}
	wait.Wait()
	d.upload("b.csv", "b\n")
	if n := d.count("source_file"); n != 3 {
		t.Errorf("%d files, want 3", n)
	}
}

// P9: slow readers can take all places for long responses but no more; others wait for a place, and are told if there
// is none.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.streaming.size, h.placeWait = 2, 10*time.Millisecond }))
	taken := d.upload("a.csv", "a\n")
	sheetID := sheetOf(d, taken.Task.ID, "a")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i, array[repeat('x', 3000)] from generate_series(1, $2::int) i`, sheetID, 6*export.PageRows)
	path := "/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rows"
	var readers []net.Conn
	for range d.streaming.size {
		conn, err := net.Dial("tcp", d.server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "GET %s?format=csv HTTP/1.1\r\nHost: localhost\r\n\r\n", path) // the sockets buffer part of the response
		readers = append(readers, conn)
	}
	d.until("both are being answered", func() bool { return d.streaming.underWay() == d.streaming.size })
	refused := d.get(path + "?limit=1")
	if refused.problem(problem.Busy); refused.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	d.get("/api/tasks/" + taken.Task.ID.String() + "/sheets/1/rejects").problem(problem.Busy)
	d.get("/api/files/" + taken.File.ID.String() + "/content").problem(problem.Busy)
	d.get("/api/tasks/" + taken.Task.ID.String() + "/sheets").problem(problem.Busy)
	d.get("/api/files").into(http.StatusOK, &export.List[FileDetail]{})
	readers[0].Close()
	d.until("a place is free", func() bool { return d.streaming.underWay() < d.streaming.size })
	if a := d.get(path + "?limit=1"); a.status != http.StatusOK {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
}

// P1: of two hundred uploads at once on a few connections each is accepted or told to retry, and the accepted ones
// exist.
func TestManyUploadsAtOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	const uploads = 200
	answers := make([]answer, uploads)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = d.post("/api/files?name=a.csv", "a\n1\n") })
	}
	wait.Wait()
	taken := 0
	for _, a := range answers {
		switch a.status {
		case http.StatusAccepted:
			taken++
		case http.StatusServiceUnavailable:
			a.problem(problem.Busy)
		default:
			t.Errorf("answered %d %s", a.status, a.body)
		}
	}
	if n := d.count("source_file f join sheetdrop.task t on t.source_file_id = f.id join sheetdrop.outbox_message m on m.task_id = t.id"); n != taken || taken == 0 {
		t.Errorf("%d files are there, %d were taken", n, taken)
	}
}

// P9: a client that sends a byte now and then is never idle, but still loses its place.
func TestTrickle(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withHandler(func(h *Handler) { h.readIdle = 200 * time.Millisecond }))
	conn, err := net.Dial("tcp", d.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 100000\r\n\r\n")
	var trickling sync.WaitGroup
	trickling.Go(func() {
		for ticks := time.Tick(5 * time.Millisecond); ; <-ticks {
			if _, err := io.WriteString(conn, "a"); err != nil {
				return
			}
		}
	})
	defer trickling.Wait()
	defer conn.Close()
	first := make([]byte, len("HTTP/1.1 408"))
	if _, err := io.ReadFull(conn, first); err != nil || !strings.HasSuffix(string(first), " 408") {
		t.Errorf("answered %q, %v", first, err)
	}
	d.nothingLeft()
	d.until("its place is free", func() bool { return d.uploading.underWay() == 0 })
}
