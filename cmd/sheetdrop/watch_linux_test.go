package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sheetdrop/internal/devstack/await"
)

// Each file that is dropped into a folder is loaded once, whatever it is called while it is written, however many come at once, and though the
// program is killed and started again. People find it in done, or in failed with the reason.
func TestDroppedFilesAreLoadedOnce(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	inbox := t.TempDir()
	watching := func(flags ...string) *program {
		return start(t, append([]string{"watch", inbox, "--url=" + running.APIURL, "--every=20ms", "--settle=200ms"}, flags...)...)
	}
	exists := func(path ...string) bool {
		_, err := os.Stat(filepath.Join(append([]string{inbox}, path...)...))
		return err == nil
	}
	p := watching()
	growing, err := os.Create(filepath.Join(inbox, "growing.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer growing.Close()
	const rows = 100
	for range rows { // as a slow copy does: never still for as long as --settle
		if _, err := growing.WriteString("1;2\n"); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(inbox, "picture.csv"), "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	write(t, filepath.Join(inbox, "download.csv.part"), "a;b\n7;8\n")
	for n := range 20 {
		write(t, filepath.Join(inbox, "burst-"+string(rune('a'+n))+".csv"), "a;b\n"+strings.Repeat("9;9\n", n+1))
	}
	await.Until(t, "the refused one was moved", func() bool { return exists("failed", "picture.csv.error.txt") })
	kill(t, p.Process.Pid, syscall.SIGKILL)
	p.end()

	p = watching()
	await.Until(t, "all are done", func() bool { return exists("done", "growing.csv") && exists("done", "burst-t.csv") })
	if !exists("download.csv.part") || exists("growing.csv") || !exists("failed", "picture.csv") {
		t.Error("what is being written was moved, or what was loaded was not")
	}
	if err := os.Rename(filepath.Join(inbox, "download.csv.part"), filepath.Join(inbox, "download.csv")); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the renamed one is done", func() bool { return exists("done", "download.csv") && !exists("download.csv") })
	write(t, filepath.Join(inbox, "download.csv"), "a;b\n7;9\n") // another one of the same name
	await.Until(t, "the next one is done", func() bool { return exists("done", "download-2.csv") })
	kill(t, p.Process.Pid, syscall.SIGINT)
	if status := p.end(); status != 130 {
		t.Errorf("exit status %d", status)
	}
	if n := query(`select count(*)::text from sheetdrop.source_file`); n != "24" {
		t.Errorf("%s files, want 24", n)
	}
	if twice := query(`select count(*)::text from (select 1 from sheetdrop.source_file group by sha256 having count(*) > 1) x`); twice != "0" {
		t.Errorf("%s files were loaded twice", twice)
	}
}

// Where files have to stay, what was uploaded is remembered, and a file that has changed is uploaded again.
func TestWatchedFilesMayStay(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	inbox := t.TempDir()
	env := []string{"XDG_CACHE_HOME=" + t.TempDir()}
	once := func() *program {
		t.Helper()
		cmd := exec.Command(os.Args[0], "watch", inbox, "--keep", "--once", "--url="+running.APIURL, "--every=20ms", "--settle=100ms")
		cmd.Env = env
		p := startCommand(t, cmd, "")
		if status := p.end(); status != 0 {
			t.Errorf("exit status %d: %s", status, p.progress)
		}
		return p
	}
	wantFiles := func(files string) {
		t.Helper()
		if n := query(`select count(*)::text from sheetdrop.source_file`); n != files {
			t.Errorf("%s files, want %s", n, files)
		}
	}
	write(t, filepath.Join(inbox, "a.csv"), "a\n1\n")
	once()
	wantFiles("1")
	if said := once().out.String(); said != "" {
		t.Errorf("it was uploaded again: %s", said)
	}
	write(t, filepath.Join(inbox, "a.csv"), "a\n1\n2\n")
	once()
	wantFiles("2")
}
