package devstack

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/devstack/await"
)

// child is another process that opens a stack: this test binary, run once more.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser // closed: it closes its stack and ends
	opened
}

// opened is what it tells us.
type opened struct {
	Stack Stack
	Log   []string
	Err   string
}

const asChild = "DEVSTACK_TEST_CHILD" // holds the Dir that the child opens

func TestMain(m *testing.M) {
	if dir, ok := os.LookupEnv(asChild); ok {
		beChild(dir)
		return
	}
	os.Exit(m.Run())
}

func beChild(dir string) {
	var o opened
	stack, err := Open(context.Background(), Options{Dir: dir, Log: func(format string, args ...any) {
		o.Log = append(o.Log, fmt.Sprintf(format, args...))
	}})
	if err != nil {
		o.Err = err.Error()
	} else {
		o.Stack = *stack
	}
	json.NewEncoder(os.Stdout).Encode(o)
	io.Copy(io.Discard, os.Stdin)
	if stack != nil {
		stack.Close()
	}
}

// open starts a child with this environment, to which it adds PATH, and returns what it has opened.
func open(t *testing.T, dir string, environment ...string) *child {
	t.Helper()
	return openBy(t, exec.Command(os.Args[0]), dir, environment...)
}

func openBy(t *testing.T, cmd *exec.Cmd, dir string, environment ...string) *child {
	t.Helper()
	cmd.Env = append([]string{asChild + "=" + dir, "PATH=" + os.Getenv("PATH")}, environment...)
	cmd.Stderr = os.Stderr
	c := &child{cmd: cmd}
	out, err := cmd.StdoutPipe()
	if err == nil {
		c.in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &c.opened)
	}
	if err != nil {
		t.Fatalf("the child says %q: %v", line, err)
	}
	return c
}

func (c *child) end() { c.in.Close(); c.cmd.Wait() }

func (c *child) kill() { c.cmd.Process.Kill(); c.cmd.Wait() }

// mustOpen fails the test if the child could not open its stack.
func (c *child) mustOpen(t *testing.T) *child {
	t.Helper()
	if c.Err != "" {
		t.Fatal(c.Err)
	}
	return c
}

// newCache makes a cache directory in which all is installed, but in which no stack has ever run, and returns the
// setting that makes it the user's.
func newCache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	linkInstalled(t, userCache(t), filepath.Join(dir, "sheetdrop"))
	return "XDG_CACHE_HOME=" + dir
}

// userCache is the real one. All is installed there afterwards.
func userCache(t *testing.T) string {
	t.Helper()
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	node, err := findNode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := node.install(t.Context(), cache, true, true, t.Logf); err != nil {
		t.Fatal(err)
	}
	return cache
}

func linkInstalled(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	server, err := postgresPackage()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{server.installedName(), azuritePackage.installedName()} {
		if err := os.Symlink(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// newDir makes a folder for a stack with a Dir, which every user can reach.
func newDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, dir := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// keeperOf reads the state of the keeper in a folder, which may be given by a pattern.
func keeperOf(t *testing.T, pattern string) *state {
	t.Helper()
	dirs, err := filepath.Glob(pattern)
	if err != nil || len(dirs) != 1 {
		t.Fatalf("%s: %v, %v", pattern, dirs, err)
	}
	s, err := (&home{dir: dirs[0]}).readState()
	if err != nil || s == nil {
		t.Fatalf("state of the keeper in %s: %v, %v", dirs[0], s, err)
	}
	return s
}

// sharedKeeper reads the state of the shared stack's keeper.
func sharedKeeper(t *testing.T, cache string) *state {
	t.Helper()
	return keeperOf(t, filepath.Join(cache[len("XDG_CACHE_HOME="):], "sheetdrop", "stack-*"))
}

// wantGone waits for the end of a keeper and of all that it started.
func wantGone(t *testing.T, s *state) {
	t.Helper()
	await.Until(t, fmt.Sprintf("the keeper %d and all that it started have ended", s.PID), func() bool { return len(leftOf(s)) == 0 })
}

// leftOf lists what is left of a keeper.
func leftOf(s *state) (left []string) {
	if isRunning(s.PID, s.Run) {
		left = append(left, "the keeper")
	}
	for _, part := range s.Parts {
		if isRunning(part.PID, part.Mark) {
			left = append(left, part.Mark)
		}
	}
	if _, err := os.Stat(s.Run); err == nil {
		left = append(left, s.Run)
	}
	return left
}

func execute(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
