package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// Who uploads the same bytes again is told which file they are. They are not uploaded again unless that was asked for, or confirmed on a
// terminal; a command that is repeated because its answer was lost makes no second file.
func TestTheSameBytesAgain(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	var lost atomic.Bool // the next answer to an upload
	api := storageproxy.New(t, running.APIURL, func(r *http.Request) storageproxy.Fault {
		if r.Method == http.MethodPost && r.URL.Path == "/api/files" && lost.Swap(false) {
			return storageproxy.LostAnswer
		}
		return storageproxy.None
	})
	folder, cache := t.TempDir(), t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		write(t, path, content)
		return path
	}
	upload := func(env string, args ...string) *program {
		cmd := exec.Command(os.Args[0], append([]string{"upload", "--url", api}, args...)...)
		cmd.Env = []string{"XDG_CACHE_HOME=" + cache, env}
		return startCommand(t, cmd, "")
	}
	ends := func(p *program, status int, files string, parts ...string) {
		t.Helper()
		if got := p.end(); got != status {
			t.Errorf("exit status %d, want %d", got, status)
		}
		want(t, p.out.String(), parts...)
		if n := query(`select count(*)::text from sheetdrop.source_file`); n != files {
			t.Errorf("%s files, want %s", n, files)
		}
	}
	a := file("a.csv", "a,b\n1,2\n")
	ends(upload("A=", a), 0, "1", "a.csv: 1 row loaded, 0 rejected\n")
	task := query(`select id::text from sheetdrop.task`)
	again := upload("A=", a)
	ends(again, 3, "1", "a.csv: 1 row loaded, 0 rejected\na.csv: the same as a.csv of ", ", task "+task+"; not uploaded again (sheetdrop upload --again does)\n")
	want(t, again.progress.String(), "one file was there already and was not uploaded again")
	ends(upload("A=", "--no-wait", a), 3, "1", "a.csv: the same as a.csv of ", ", task "+task+"; not uploaded again")
	ends(upload("A=", "--no-wait", "--json", a), 3, "1", `"rows_loaded":1`, `"status":"COMPLETED"`, `"same_as":{`)
	b := file("b.csv", "a,b\n1,2\n")
	ends(upload("LC_ALL=ja_JP.UTF-8", b), 3, "1", "b.csv：a.csv（", "、タスク "+task+"）と同じ内容です。アップロードしませんでした（sheetdrop upload --again で再度アップロードできます）\n")
	ends(upload("A=", "--again", b), 0, "2", "b.csv: 1 row loaded, 0 rejected\n")
	ends(upload("A=", a, file("c.csv", "c\n1\n")), 3, "3", "a.csv: the same as a.csv of ", "c.csv: 1 row loaded")

	query(`update sheetdrop.source_file set deleted_at = now() where name = 'c.csv' returning ''`)
	ends(upload("A=", filepath.Join(folder, "c.csv")), 0, "4", "c.csv: 1 row loaded, 0 rejected\n")

	d := file("d.csv", "d\n1\n")
	lost.Store(true)
	ends(upload("A=", d), 1, "5", "d.csv: not taken: ")
	ends(upload("A=", d), 3, "5", "d.csv: 1 row loaded, 0 rejected\nd.csv: the same as d.csv of ")

	large := file("large.csv", "n\n"+strings.Repeat(strings.Repeat("7", 1023)+"\n", 5<<10))
	ends(upload("A=", large), 0, "6", "large.csv: 5120 rows loaded")
	ends(upload("A=", large), 3, "6", "large.csv: the same as large.csv of ")
	if open := query(`select count(*)::text from sheetdrop.upload`); open != "1" {
		t.Errorf("%s direct uploads, want 1", open)
	}
	ends(upload("A=", "--again", large), 0, "7", "large.csv: 5120 rows loaded")

	var list struct {
		Items []struct {
			SameAs struct{ Name string } `json:"same_as"`
		}
	}
	answer, err := http.Get(running.APIURL + "/files?limit=1")
	if err == nil {
		err = errors.Join(json.NewDecoder(answer.Body).Decode(&list), answer.Body.Close())
	}
	if err != nil || len(list.Items) != 1 || list.Items[0].SameAs.Name != "large.csv" {
		t.Errorf("once a worker has read it: %+v, %v", list, err)
	}
	ends(onTerminal(t, "n\n", "upload", "--url", api, d), 3, "7")
	ends(onTerminal(t, "\n", "upload", "--url", api, d), 3, "7")
	ends(onTerminal(t, "y\n", "upload", "--url", api, d), 0, "8", "d.csv: 1 row loaded, 0 rejected\n")
}

// onTerminal starts the program on a terminal, where somebody answers its question.
func onTerminal(t *testing.T, answer string, args ...string) *program {
	t.Helper()
	control, terminal := openTerminal(t)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Stdin, cmd.Stderr = terminal, terminal
	p, shown := startCommand(t, cmd, ""), &devtest.Log{}
	copyUntilClosed(shown, control)
	await.Until(t, "it asks", func() bool { return strings.Contains(shown.String(), "Upload it again? [y/N] ") })
	want(t, shown.String(), ": the same as ")
	if _, err := control.WriteString(answer); err != nil {
		t.Fatal(err)
	}
	return p
}

// copyUntilClosed copies what is shown on a terminal, beside the test.
func copyUntilClosed(to io.Writer, from io.Reader) {
	go func() { _, _ = io.Copy(to, from) }()
}

// openTerminal opens a pseudo-terminal.
func openTerminal(t *testing.T) (control, terminal *os.File) {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = control.Close() })
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	return control, terminal
}

// The samples are loaded once, however often everything is started.
func TestLocalLoadsTheSamplesOnce(t *testing.T) {
	t.Parallel()
	data := newData(t)
	run(t, "local", "--once", "--data", data)
	status, p := run(t, "local", "--once", "--data", data)
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
	want(t, p.out.String(), "orders.csv: 60 rows loaded, 4 rejected, 1 skipped\norders.csv: the same as orders.csv of ", "stock.xlsx: the same as stock.xlsx of ",
		"  20240001  2024-04-01  000123        ㈱髙橋商店 ")
}
