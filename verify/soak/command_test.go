//go:build linux

package soak

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/verify/e2e"
)

// startFront starts an address that stays, as a platform's does while instances come and go. It passes each request to one that is up.
func (s *soak) startFront(t *testing.T) {
	t.Helper()
	type target struct{}
	proxy := &httputil.ReverseProxy{
		Transport:    &http.Transport{DisableKeepAlives: true},
		Rewrite:      func(p *httputil.ProxyRequest) { p.SetURL(p.In.Context().Value(target{}).(*url.URL)) },
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"a", "b"} {
			if up, err := url.Parse(s.instances[name].url()); err == nil && up.Host != "" {
				proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), target{}, up)))
				return
			}
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	s.front, s.program = server.URL, e2e.CommandProgram(t)
}

// user is somebody who uploads a file by the command line.
type user struct{ cache, file string }

// newUser makes one with a file and a cache folder, until remove is called.
func (s *soak) newUser(t *testing.T, d *directUpload) (u user, remove func()) {
	folder, err := os.MkdirTemp(filepath.Dir(s.temporary), "user") //nolint:usetesting // it goes before the test ends: there are many
	if err != nil {
		t.Errorf("seed %d: %v", s.seed, err)
	}
	u = user{folder, filepath.Join(folder, d.name)}
	if err := os.WriteFile(u.file, d.content, 0o600); err != nil {
		t.Errorf("seed %d: %v", s.seed, err)
	}
	return u, func() { _ = os.RemoveAll(folder) }
}

// begun reports whether there is an upload to go on with.
func (u user) begun() bool {
	states, err := filepath.Glob(filepath.Join(u.cache, "sheetdrop", "uploads", "*.json"))
	return err == nil && len(states) > 0
}

// awaitBegun waits until there is one; false where ctx ends before. It looks often, as an upload may take a tenth of a second.
func (u user) awaitBegun(ctx context.Context) bool {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !u.begun() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// runUpload runs `sheetdrop upload` to its end, or kills it that long after the upload has begun; 0 is never.
func (s *soak) runUpload(t *testing.T, u user, resume bool, kill time.Duration) {
	arguments := []string{"upload", "--url", s.front, "--retry-for", "30s", u.file}
	if resume {
		arguments = append(arguments, "--resume")
	}
	command := exec.CommandContext(t.Context(), s.program, arguments...)
	command.Env = append(os.Environ(), "XDG_CACHE_HOME="+u.cache)
	command.Stdout, command.Stderr = s.log, s.log
	if err := command.Start(); err != nil {
		t.Errorf("seed %d: %v", s.seed, err)
		return
	}
	ended, over := context.WithCancel(t.Context())
	go func() {
		defer over()
		_ = command.Wait() // what it has reached is looked for in the database
	}()
	if kill > 0 && u.awaitBegun(ended) {
		select {
		case <-ended.Done():
		case <-time.After(kill):
			_ = command.Process.Kill()
			s.killed.Add(1)
		}
	}
	<-ended.Done()
}

// killAndResume kills the command line some times, and starts it again until the file is taken.
func (s *soak) killAndResume(t *testing.T, d *directUpload) {
	u, remove := s.newUser(t, d)
	defer remove()
	kills := 1 + d.random.IntN(3)
	for run := 0; s.inTime(t, "the upload of "+d.name); run++ {
		kill := time.Duration(0)
		if run < kills {
			kill = between(d.random, time.Millisecond, 700*time.Millisecond)
		}
		s.runUpload(t, u, run > 0, kill)
		if u.begun() {
			continue
		}
		if file, job := s.fileOf(t, d); job != uuid.Nil {
			s.acceptedDirectly(d, file, job)
			return
		}
		s.pause(t, 500*time.Millisecond) // it has not even begun
	}
}

// killCommand kills the command line for good: whether its upload is completed then is seen in the end.
func (s *soak) killCommand(t *testing.T, d *directUpload) {
	u, remove := s.newUser(t, d)
	defer remove()
	s.runUpload(t, u, false, between(d.random, time.Millisecond, 700*time.Millisecond))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsure = append(s.unsure, d)
}

// fileOf returns the file of that name and its first task; uuid.Nil where there is none.
func (s *soak) fileOf(t *testing.T, d *directUpload) (file, task uuid.UUID) {
	for s.inTime(t, "the database's answer") {
		file, task, err := s.lookUp(t.Context(), d)
		if err == nil {
			return file, task
		}
		s.pause(t, 200*time.Millisecond)
	}
	return uuid.Nil, uuid.Nil
}

func (s *soak) lookUp(ctx context.Context, d *directUpload) (file, task uuid.UUID, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	err = s.sql.QueryRow(ctx, `select file_id, task_id from sheetdrop.upload where name = $1 and status = 'COMPLETED'`, d.name).Scan(&file, &task)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return file, task, err
}
