package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// No copy of what came through a pipe is left, not even if the program is interrupted before the pipe ends.
func TestPipeLeavesNothing(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "parse", "-")
	cmd.Env = []string{"TMPDIR=" + temp, "TMP=" + temp}
	to, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p := startCommand(t, cmd, "")
	if _, err := io.WriteString(to, strings.Repeat("a,b\n", 1<<18)); err != nil { // more than a pipe holds: it is being read
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status := p.end(); status != 130 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.progress.String(), "interrupted")
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

// A file as standard input is read from its current position.
func TestStandardInputIsReadFromItsPosition(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "list.csv")
	write(t, path, "title\na,b\n1,2\n")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(6, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "parse", "-")
	cmd.Stdin = file
	p := startCommand(t, cmd, "")
	if status := p.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), "standard input\n  a        b\n  integer  integer\n  1        2\n",
		"standard input: 1 row read: 1 accepted, 0 rejected, 0 skipped\n")
}

// A device cannot be read at random, and is read all the same.
func TestDeviceIsReadAsAFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // os.DevNull is a name only there
	}
	status, p := run(t, "parse", "--format=ndjson", os.DevNull)
	if status != 1 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), `{"type":"error","code":"empty_file"`)
}
