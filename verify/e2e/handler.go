package e2e

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// Handler is a handler without a host: the test itself calls its functions, so that nothing else is delivered to it.
type Handler struct {
	URL     string
	process *os.Process
	ended   <-chan int // its exit code, once
}

// StartHandler runs one more handler over the app's database and storage, with some settings changed, until the test ends.
func (a *App) StartHandler(t testing.TB, settings map[string]string) *Handler {
	t.Helper()
	return a.StartHandlerBy(t, exec.Command(HandlerProgram(t, a.tags)), settings)
}

// StartHandlerBy does the same by a command that starts the handler and ends when that does. The process of the result is the command's.
func (a *App) StartHandlerBy(t testing.TB, command *exec.Cmd, settings map[string]string) *Handler {
	t.Helper()
	port := freePort(t)
	all := maps.Clone(a.settings)
	maps.Copy(all, settings)
	all["FUNCTIONS_CUSTOMHANDLER_PORT"] = strconv.Itoa(port)
	command.Stdout = a.output
	command.Env = os.Environ()
	for name, value := range all {
		command.Env = append(command.Env, name+"="+value)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	var waiting sync.WaitGroup
	waiting.Go(func() {
		_ = command.Wait()
		ended <- command.ProcessState.ExitCode()
	})
	t.Cleanup(func() {
		_ = command.Process.Kill()
		waiting.Wait()
	})
	h := &Handler{"http://127.0.0.1:" + strconv.Itoa(port), command.Process, ended}
	h.await(t, true)
	return h
}

// await waits until the handler takes connections, or takes no more of them.
func (h *Handler) await(t testing.TB, takes bool) {
	t.Helper()
	await.Until(t, fmt.Sprintf("the handler takes connections: %t", takes), func() bool {
		connection, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
		if err == nil {
			connection.Close()
		}
		return (err == nil) == takes
	})
}

// TellToStop asks the handler to stop, as a new version's start does, and waits until it takes no more requests.
func (h *Handler) TellToStop(t testing.TB) {
	t.Helper()
	h.Signal(t, syscall.SIGTERM)
	h.await(t, false)
}

// Exit waits for the end of the handler's process and gives its exit code.
func (h *Handler) Exit() int { return <-h.ended }

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// Signal sends a signal to the handler's process.
func (h *Handler) Signal(t testing.TB, signal os.Signal) {
	t.Helper()
	if err := h.process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// Deliver calls parse-worker as the host does; the channel gives the answer's status, or 0 where there is none.
func (h *Handler) Deliver(t testing.TB, u postgres.Upload) <-chan int {
	t.Helper()
	message := task.ParseMessage{Version: 1, MessageID: u.MessageID, TaskID: u.TaskID}.Encode()
	return h.call(t, "parse-worker", map[string][]byte{"message": message})
}

// Relay calls outbox-relay as the host's timer does; the channel is that of Deliver.
func (h *Handler) Relay(t testing.TB) <-chan int {
	t.Helper()
	return h.call(t, "outbox-relay", map[string]any{"timer": map[string]bool{"IsPastDue": false}})
}

// Tick does the same, and waits for the run's good end.
func (h *Handler) Tick(t testing.TB) {
	t.Helper()
	if status := <-h.Relay(t); status != http.StatusOK {
		t.Fatalf("the relay's run ended with %d, want 200", status)
	}
}

func (h *Handler) call(t testing.TB, function string, data any) <-chan int {
	t.Helper()
	envelope, err := json.Marshal(map[string]any{"Data": data, "Metadata": map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	status := make(chan int, 1)
	go func() {
		request, err := http.NewRequestWithContext(
			context.WithoutCancel(t.Context()),
			http.MethodPost,
			h.URL+"/"+function,
			bytes.NewReader(envelope),
		)
		if err != nil {
			status <- 0
			return
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			status <- 0
			return
		}
		response.Body.Close()
		status <- response.StatusCode
	}()
	return status
}

// AddFile stores a file and commits its task as an upload does, but for the message, which the test delivers.
func (a *App) AddFile(t testing.TB, content []byte) postgres.Upload {
	t.Helper()
	blobs, _ := a.Stores(t)
	u := a.AddSentUpload(t, func(u *postgres.Upload) {
		u.File.SizeBytes, u.File.SHA256 = int64(len(content)), sha256.Sum256(content)
	})
	if err := blobs.Upload(t.Context(), u.File.BlobName, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	return u
}

// Address is where the handler listens.
func (h *Handler) Address() string { return strings.TrimPrefix(h.URL, "http://") }

// Process is the id of the handler's process.
func (h *Handler) Process() int { return h.process.Pid }
