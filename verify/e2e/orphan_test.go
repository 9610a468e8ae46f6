package e2e_test

import (
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// beHost in the environment makes this test binary the parent of a handler; its value is the handler's program.
const beHost = "SHEETDROP_TEST_BE_HOST"

// runAsHost starts the handler as the host does: it reads what the handler writes, and does not stop it. The handler inherits a pipe, which
// shows the test by its end of file that both processes have exited.
func runAsHost(handler string) {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the test
		os.Exit(1)
	}()
	command := exec.Command(handler)
	command.ExtraFiles = []*os.File{os.NewFile(3, "alive")}
	lines, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		panic(err)
	}
	_, _ = io.Copy(io.Discard, lines)
	_ = command.Wait()
}

// P2: the host is killed, or exits without stopping its handler, in the middle of a parse. The handler returns its task, which does not
// count against the task, and exits; it does so although the connection of its call is still open and nobody reads its log.
func TestOrphanedHandlerReturnsItsTasks(t *testing.T) {
	t.Parallel()
	direct := devtest.Storage(t)
	through, blobs, _ := faultproxy.Storage(t, direct)
	app := e2e.Prepare(t, e2e.Options{Storage: &direct, Settings: map[string]string{"RELAY_SCHEDULE": "* * * * * *", "RELAY_PERIOD": "1s"}})
	alive, inherited, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	host := exec.Command(os.Args[0])
	host.ExtraFiles = []*os.File{inherited}
	if _, err := host.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	orphan := app.StartHandlerBy(t, host, map[string]string{beHost: e2e.HandlerProgram(t, ""), "DATA_STORAGE": through.ConnectionString})
	inherited.Close()

	blobs.Hang()
	orphan.Deliver(t, app.AddFile(t, csv(10, 10)))
	app.Database.Await(t, `select status = 'PROCESSING' from sheetdrop.task`)
	killed := time.Now()
	orphan.Signal(t, syscall.SIGKILL)
	app.Database.Await(t, `select status = 'PENDING' from sheetdrop.task`)
	if _, err := io.Copy(io.Discard, alive); err != nil { // until nobody has it open for writing
		t.Error(err)
	}
	t.Logf("the handler returned its task and exited %s after its host", time.Since(killed).Round(time.Millisecond))
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	app.Database.Await(t, `select status = 'COMPLETED' from sheetdrop.task`)
	got := pgtest.Query[string](t, app.Database, `select concat_ws(' ', attempt, crashes) from sheetdrop.task`)
	if want := "2 0"; got != want {
		t.Errorf("attempt and crashes: %s, want %s", got, want)
	}
	wantExactRows(t, app, 1, 10)
}
