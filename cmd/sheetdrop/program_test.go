package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/funchost"
)

// beSheetdrop in the environment makes this test binary the program.
const beSheetdrop = "SHEETDROP_TEST_BE_SHEETDROP"

func TestMain(m *testing.M) {
	switch {
	case filepath.Base(os.Args[0]) == "func":
		beFunc()
	case os.Getenv(beSheetdrop) != "":
		main()
	default:
		os.Exit(m.Run())
	}
}

// beFunc stands in for Microsoft's program: `func start --port N` serves the app of the current folder until Ctrl+C,
// with settings from the environment; `func --version` says one that is new enough.
func beFunc() {
	if slices.Equal(os.Args[1:], []string{"--version"}) {
		fmt.Println("4.99.0")
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 4 || os.Args[1] != "start" || os.Args[2] != "--port" {
		os.Exit(2)
	}
	host, err := funchost.Start(ctx, funchost.Config{Root: ".", Addr: "127.0.0.1:" + os.Args[3]})
	if err != nil {
		os.Exit(1)
	}
	<-ctx.Done()
	_ = host.Stop(context.Background())
}

// program is a running sheetdrop.
type program struct {
	*exec.Cmd
	out, progress *devtest.Log
}

// start starts the program with these arguments.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	return startCommand(t, exec.Command(os.Args[0], args...), "")
}

// startCommand starts a command, in the checkout if it has no other folder, with a folder that comes first in its PATH. There is no `func`
// in the rest of that.
func startCommand(t *testing.T, cmd *exec.Cmd, first string) *program {
	t.Helper()
	p := &program{Cmd: cmd, out: &devtest.Log{}, progress: &devtest.Log{}}
	if cmd.Dir == "" {
		cmd.Dir = filepath.Join("..", "..")
	}
	cmd.Env = append(append(os.Environ(), "LC_ALL=C"), cmd.Env...)
	cmd.Env = append(cmd.Env, beSheetdrop+"=1", "PATH="+first+string(filepath.ListSeparator)+pathWithoutFunc(t))
	cmd.Stdout = p.out
	if cmd.Stderr == nil {
		cmd.Stderr = p.progress
	}
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		if t.Failed() {
			t.Logf("%q printed:\n%s%s", cmd.Args, p.progress, p.out)
		}
	})
	return p
}

// end waits for the end and returns the exit status.
func (p *program) end() int {
	_ = p.Wait() // the status says it
	return p.ProcessState.ExitCode()
}

// run runs the program to its end.
func run(t *testing.T, args ...string) (status int, p *program) {
	t.Helper()
	p = start(t, args...)
	return p.end(), p
}

// want fails the test unless the text holds all of these.
func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %q", part, text)
		}
	}
}

// pathWithoutFunc is the PATH, where folders with a `func` are replaced by one with the programs that are needed of them.
func pathWithoutFunc(t *testing.T) string {
	t.Helper()
	needed := t.TempDir()
	for _, name := range []string{"go", "node", "npm"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(needed, name))
		}
		if err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	path := []string{needed}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if found, err := exec.LookPath(filepath.Join(dir, "func")); err != nil || found == "" {
			path = append(path, dir)
		}
	}
	return strings.Join(path, string(filepath.ListSeparator))
}

// newData makes a data folder that every user can reach: PostgreSQL may run as another one.
func newData(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, dir := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(content), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
