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

	"github.com/google/uuid"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// However many uploads one owner holds open, another one finds a place at once.
func TestOneOwnersUploadsLeavePlacesForOthers(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withSettings(func(s *Settings) { s.AtOnce = 4 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	var wait sync.WaitGroup
	ends := make([]*io.PipeWriter, 2)
	for i := range ends {
		body, end := io.Pipe()
		ends[i] = end
		wait.Go(func() {
			d.send(http.MethodPost, "/api/files?name=a.csv", body, ann).into(http.StatusAccepted, &FileAndTask{})
		})
		fmt.Fprintln(end, "a")
	}
	d.until("both are under way", func() bool { return d.uploading.underWay() == 2 })
	d.post("/api/files?name=a.csv", "a\n", ann).triesAgain(problem.TooManyAtOnce)
	d.upload("b.csv", "b\n", bob)
	for _, end := range ends {
		end.Close()
	}
	wait.Wait()
	d.upload("a.csv", "a\n", ann)
}

// However slowly one owner reads, another one reads at once.
func TestOneOwnersReadingLeavesPlacesForOthers(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withHandler(func(h *Handler) { h.streaming.size, h.placeWait = 4, 10*time.Millisecond }))
	ann, bob := signedIn("ann"), signedIn("bob")
	anns, bobs := rowsPath(d, ann, 6*export.PageRows), rowsPath(d, bob, 1)
	for range 2 {
		conn, err := net.Dial("tcp", d.server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		fmt.Fprintf(conn, "GET %s?format=csv HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n", anns, ann) // the sockets hold a part of the answer
	}
	d.until("both are being answered", func() bool { return d.streaming.underWay() == 2 })
	d.get(anns+"?limit=1", ann).triesAgain(problem.TooManyAtOnce)
	if a := d.get(bobs, bob); a.status != http.StatusOK {
		t.Errorf("another owner: %d %s", a.status, a.body)
	}
}

// However many requests of one owner wait for the end of a task, another one may wait too; and who need not wait is answered.
func TestOneOwnersWaitingLeavesPlacesForOthers(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withHandler(func(h *Handler) { h.waiting.size = 4 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	anns, bobs := d.upload("a.csv", "a\n", ann).Task.ID, d.upload("b.csv", "b\n", bob).Task.ID
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() { d.get(taskPath(anns)+"?wait=60s", ann).into(http.StatusOK, &Task{}) })
	}
	d.until("both wait", func() bool { return d.waiting.underWay() == 2 })
	d.get(taskPath(anns)+"?wait=60s", ann).triesAgain(problem.TooManyAtOnce)
	d.get(taskPath(anns), ann).into(http.StatusOK, &Task{})
	d.get(taskPath(bobs)+"?wait=1ms", bob).into(http.StatusOK, &Task{})
	setStatus(d, anns, task.Failed)
	wait.Wait()
	d.get(taskPath(anns)+"?wait=60s", ann).into(http.StatusOK, &Task{})
}

// Where all owners together take more than there is, each next one still has fewer than the one before, and the last place is taken, too.
func TestEachOwnerLeavesAsManyPlacesAsItHolds(t *testing.T) {
	t.Parallel()
	p := newPlaces("uploads", 32, false)
	var got []int
	for owner := 'a'; p.underWay() < p.size; owner++ {
		held := 0
		for refused, _ := p.try(string(owner)); refused == nil; refused, _ = p.try(string(owner)) {
			held++
		}
		got = append(got, held)
	}
	if want := "[16 8 4 2 1 1]"; fmt.Sprint(got) != want {
		t.Errorf("one after the other they hold %v, want %s", got, want)
	}
	if refused, _ := p.try("z"); refused == nil || refused.Code != problem.Busy {
		t.Errorf("without a free place: %v", refused)
	}
	for owner, held := range map[rune]int{'a': 16, 'b': 8, 'c': 4, 'd': 2, 'e': 1, 'f': 1} {
		for range held {
			p.release(string(owner))
		}
	}
	if p.underWay() != 0 || len(p.held) != 0 {
		t.Errorf("after the end %d places are taken, by %v", p.underWay(), p.held)
	}
}

// rowsPath uploads a file of an owner and returns the path of so many long rows.
func rowsPath(d *testAPI, owner string, rows int) string {
	d.t.Helper()
	taken := d.upload("a.csv", "a\n", owner)
	sheetID := sheetOf(d, taken.Task.ID, "a")
	d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select $1, i, array[repeat('x', 3000)] from generate_series(1, $2::int) i`, sheetID, rows)
	return taskPath(taken.Task.ID) + "/sheets/1/rows"
}

func taskPath(id uuid.UUID) string { return prefix + "/tasks/" + id.String() }

// triesAgain checks that a request was refused with a code and with the time after which it may be sent again.
func (a answer) triesAgain(code problem.Code) {
	a.t.Helper()
	a.problem(code)
	if after := a.header.Get("Retry-After"); strings.Trim(after, "0123456789") != "" || after == "" {
		a.t.Errorf("Retry-After is %q", after)
	}
}
