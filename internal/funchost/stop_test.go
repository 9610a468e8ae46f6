package funchost_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/funchost"
)

// Not parallel: it looks at all goroutines of the process.
func TestStopLeavesNothing(t *testing.T) {
	q := newQueue(t)
	a := newQueueApp(t, q, "", succeed)
	a.addTimer("pump", "00:00:01")
	a.addHTTP("web", "{*path}")
	a.write("host.json", proxying)
	a.config.TimeScale = 1
	h := a.start()
	answer, err := http.Post(h.URL()+"/api/x", "text/csv", strings.NewReader(strings.Repeat("x", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	q.send("one")
	q.waitEmpty()
	pid := h.HandlerPID()
	stopped := make(chan error, 3)
	for range cap(stopped) { // it may be called again, also at the same time
		go func() { stopped <- h.Stop(context.Background()) }()
	}
	for range cap(stopped) {
		if err := receive(t, stopped, "the end of Stop"); err != nil {
			t.Errorf("stop: %v", err)
		}
	}
	if h.HandlerPID() != 0 || alive(pid) {
		t.Error("the handler was left")
	}
	if status, _ := get(t, h.URL()+"/api/x"); status != 0 {
		t.Errorf("status %d after Stop", status)
	}
	var left []string
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(strings.Join(left, "\n\n"))
		}
	})
	await.Until(t, "the end of the last goroutine", func() bool { // it may still be on its way out
		left = hostGoroutines()
		return len(left) == 0
	})
	if files, _ := filepath.Glob(filepath.Join(os.TempDir(), "funchost-body-*")); len(files) != 0 {
		t.Errorf("left: %q", files)
	}
}

// hostGoroutines are the stacks of the goroutines of hosts, in this process.
func hostGoroutines() (stacks []string) {
	dump := make([]byte, 1<<20)
	dump = dump[:runtime.Stack(dump, true)]
	for stack := range strings.SplitSeq(string(dump), "\n\n") {
		if strings.Contains(stack, "internal/funchost.") && !strings.Contains(stack, "testing.(*T)") {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// waitUntilClosed waits until Stop has begun and the host takes no connections any more.
func waitUntilClosed(t *testing.T, h *funchost.Host) {
	t.Helper()
	address := strings.TrimPrefix(h.URL(), "http://")
	await.Until(t, "the end of the HTTP listener", func() bool { return !accepts(address) })
}

// Start fails when its context ends, and leaves nothing behind.
func TestStartIsCancelled(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addHTTP("web", "{*path}")
	born := make(chan birth, 1)
	a.onBirth = func(_ int, b birth) string {
		born <- b
		return staySilent
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-born
		cancel()
	}()
	a.setUp.Done()
	if h, err := funchost.Start(ctx, a.config); err == nil {
		_ = h.Stop(t.Context())
		t.Error("no error")
	}
	if alive(a.birth(1).PID) {
		t.Error("the handler was left")
	}
}
