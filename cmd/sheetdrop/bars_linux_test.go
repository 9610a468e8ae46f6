package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// together is a service that answers once three files are on their way, and once three tasks have been asked for: with one at a time nothing
// goes on.
type together struct {
	sync.Mutex

	met    map[string]int // how many have come, by what they ask for
	opened map[string]chan struct{}
}

// meet waits until the third one has come.
func (g *together) meet(r *http.Request, what string) {
	g.Lock()
	if g.opened[what] == nil {
		g.opened[what] = make(chan struct{})
	}
	opened := g.opened[what]
	if g.met[what]++; g.met[what] == 3 {
		close(opened)
	}
	g.Unlock()
	select {
	case <-opened:
	case <-r.Context().Done():
	}
}

// serve answers as a service does that takes every file.
func (g *together) serve(meet bool) http.HandlerFunc {
	const task = `{"id":"0193c1a2-0000-7000-8000-00000000000%s","file_id":"0193c1a2-0000-7000-8000-000000000010","status":%q,"progress":{}%s}`
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("name")
		switch {
		case r.URL.Path == "/api/files":
			_, _ = io.Copy(io.Discard, r.Body)
			if meet {
				g.meet(r, "files")
			}
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprintf(w, `{"file":{"name":%q},"task":`+task+`}`, name, strings.TrimSuffix(name, ".csv"), "PENDING", "")
		case strings.HasSuffix(r.URL.Path, "/sheets"):
			fmt.Fprint(w, `{"items":[]}`)
		case strings.HasPrefix(r.URL.Path, "/api/tasks/"):
			if meet {
				g.meet(r, "tasks")
			}
			fmt.Fprintf(w, task, r.URL.Path[len(r.URL.Path)-1:], "COMPLETED", `,"summary":{"rows_read":1,"rows_loaded":1,"rows_rejected":0,"rows_skipped":0,"sheets":[]}`)
		default:
			fmt.Fprint(w, `{"max_upload_bytes":1000000}`)
		}
	}
}

// Who uploads several files at a terminal sees a bar for each of those that are on their way or being read, none of which hides what became of
// the others. In a script there is a line for each step, in the order of the files, and no control sequence.
func TestSeveralFilesHaveABarEach(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	args := []string{"upload", "--no-view"}
	for _, name := range []string{"1.csv", "2.csv", "3.csv"} {
		write(t, filepath.Join(folder, name), "a\n"+name+"\n")
		args = append(args, filepath.Join(folder, name))
	}
	show := func(width uint16) string {
		service := httptest.NewServer((&together{met: map[string]int{}, opened: map[string]chan struct{}{}}).serve(width > 0))
		defer service.Close()
		return printed(t, width, []string{"TERM=xterm", "LC_ALL=C.UTF-8", "NO_COLOR=1"}, service.URL, args)
	}
	shown := show(100)
	screens := strings.Split(shown, "\x1b[J")
	for _, doing := range []string{"uploading", "reading"} {
		if !slices.ContainsFunc(screens, func(screen string) bool {
			return strings.Count(screen, "/3 "+doing+" ") == 3
		}) {
			t.Errorf("three files are never shown %s at once: %q", doing, shown)
		}
	}
	results := []string{"1.csv: 1 row loaded", "2.csv: 1 row loaded", "3.csv: 1 row loaded"}
	if last := screens[len(screens)-1]; !holdsInOrder(shown, results...) || strings.Contains(last, "%") {
		t.Errorf("shown at the end: %q", last)
	}
	steps := []string{
		"1/3 uploading 1.csv\n", "2/3 uploading 2.csv\n", "3/3 uploading 3.csv\n", "1/3 reading 1.csv\n", results[0], "2/3 reading 2.csv\n", results[1],
		"3/3 reading 3.csv\n", results[2],
	}
	if piped := show(0); !holdsInOrder(piped, steps...) || strings.Contains(piped, "\x1b") {
		t.Errorf("in a pipe: %q", piped)
	}
}

// holdsInOrder reports whether a text has all of these, one behind the other.
func holdsInOrder(text string, parts ...string) bool {
	for _, part := range parts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}
