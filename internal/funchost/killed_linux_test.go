package funchost_test

import (
	"os"
	"os/exec"
	"testing"

	"sheetdrop/internal/devstack/await"
)

// The handler dies with a host that is killed.
func TestKilledHostLeavesNoHandler(t *testing.T) {
	t.Parallel()
	a := newApp(t, proxying)
	a.addHTTP("web", "{*path}")
	born := make(chan birth, 9)
	a.onBirth = func(_ int, b birth) string {
		born <- b
		return ""
	}
	a.setUp.Done()
	program := exec.Command(a.config.Executable)
	program.Env = append(os.Environ(), hostVariable+"="+a.config.Root, backendVariable+"="+a.config.Settings[backendVariable])
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
	address := "127.0.0.1:" + receive(t, born, "the handler").Env["FUNCTIONS_CUSTOMHANDLER_PORT"]
	await.Until(t, "the listening handler", func() bool { return accepts(address) })
	kill(t, program.Process.Pid)
	await.Until(t, "the end of the handler", func() bool { return !accepts(address) })
}
