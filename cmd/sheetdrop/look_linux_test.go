package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// lines parses what was printed with --json.
func lines(t *testing.T, p *program) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(p.out.String()) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		all = append(all, object)
	}
	return all
}

// A person at a terminal follows a file from its upload to its end without curl, and a script does so by JSON.
func TestFilesAreSeenAndChangedByCommands(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	at := "--url=" + running.APIURL
	ends := func(status int, args ...string) *program {
		t.Helper()
		got, p := run(t, append(args, at)...)
		if got != status {
			t.Errorf("%q: exit status %d, want %d: %s", args, got, status, p.progress)
		}
		return p
	}
	testEmptyLists(t, at)
	testRefusedFile(t, at)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.csv"), "a;b\n1;2\n3\n")
	write(t, filepath.Join(folder, "below", "b.CSV"), "a;b\n5;6\n")
	write(t, filepath.Join(folder, "notes.md"), "# notes\n")
	write(t, filepath.Join(folder, ".git", "c.csv"), "a\n1\n")
	write(t, filepath.Join(folder, "~$d.xlsx"), "locked")

	uploaded := ends(0, "upload", "--json", folder)
	if all := lines(t, uploaded); len(all) != 2 || all[0]["name"] != "a.csv" || all[1]["name"] != "b.CSV" || all[0]["sql"] == nil {
		t.Errorf("uploaded %v", all)
	}
	want(t, uploaded.progress.String(), "2 files left out, which do not look like tables: ", "notes.md", "~$d.xlsx")
	want(t, ends(0, "status", "a.csv").out.String(), "COMPLETED", "1 loaded, 1 rejected", "sheetdrop rejects ")
	want(t, ends(0, "status").out.String(), running.APIURL+", ready", "0 waiting, 0 running, 0 FAILED", "b.CSV")
	want(t, ends(0, "files", "--name=B.").out.String(), "uploaded", "b.CSV")
	if all := lines(t, ends(0, "tasks", "--json", "--limit=1")); len(all) != 1 || all[0]["status"] != "COMPLETED" {
		t.Errorf("tasks: %v", all)
	}
	want(t, ends(0, "tasks", "--limit=1").progress.String(), "there are more than 1: --limit=0 lists all of them")
	for _, whole := range []string{"--limit=2", "--limit=0"} {
		if p := ends(0, "files", "--name=.c", whole); p.progress.String() != "" {
			t.Errorf("%s: %s", whole, p.progress)
		}
	}
	want(t, ends(0, "why", "a.csv").out.String(), "COMPLETED: 1 row", "next  sheetdrop rejects ")
	want(t, ends(3, "upload", filepath.Join(folder, "*.csv")).out.String(), "a.csv: the same as a.csv of ")
	want(t, ends(2, "upload", filepath.Join(folder, "*.xls")).progress.String(), "no file matches ")

	want(t, ends(0, "reparse", "a.csv", "--pad=true").out.String(), "a.csv: 2 rows loaded, 0 rejected\n")
	want(t, ends(1, "cancel", "a.csv").progress.String(), "already COMPLETED")
	want(t, ends(1, "retry", "a.csv").progress.String(), "Only a FAILED or CANCELLED task can be retried")
	query(`update sheetdrop.task set status = 'CANCELLED', summary = null where id = (select t.id from sheetdrop.task t
join sheetdrop.source_file f on f.id = t.source_file_id where f.name = 'b.CSV') returning ''`)
	want(t, ends(0, "status", "b.CSV").out.String(), "CANCELLED", "sheetdrop retry ")
	want(t, ends(0, "retry", "b.CSV").out.String(), "b.CSV: 1 row loaded, 0 rejected\n")

	want(t, ends(1, "rm", "b.CSV").progress.String(), "--yes deletes without a question")
	want(t, ends(0, "rm", "b.CSV", "--rows", "--yes").out.String(), "b.CSV: its rows and rejects are deleted\n")
	want(t, ends(0, "status", "b.CSV").out.String(), "next      sheetdrop reparse ")
	want(t, ends(0, "rm", "b.CSV", "-y").out.String(), "b.CSV is deleted\n")
	want(t, ends(1, "status", "b.CSV").progress.String(), "no file of the name b.CSV was uploaded; `sheetdrop files`")
	want(t, ends(0, "actions", "--limit=2").out.String(), "delete_file", "delete_rows")
	want(t, ends(0, "open", "--print").out.String(), strings.TrimSuffix(running.APIURL, "api")+"\n")

	link := strings.TrimSpace(ends(0, "open", "a.csv", "--print").out.String())
	if answer, err := http.Get(link); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(link, "/files/") {
		t.Errorf("the page of a file, %s: %v %v", link, answer, err)
	}

	failed := ends(1, "status", "nothing.csv", "--json").progress.String()
	var problem struct {
		Error struct {
			Message string
			Status  int `json:"exit_status"`
		}
	}
	if err := json.Unmarshal([]byte(failed), &problem); err != nil || problem.Error.Status != 1 || problem.Error.Message == "" {
		t.Errorf("an error as JSON: %s %v", failed, err)
	}
	testInput(t, at)
	testQuestion(t, at)
}

// testEmptyLists asks for what is not there: people are told so, and programs read no line.
func testEmptyLists(t *testing.T, at string) {
	t.Helper()
	for says, list := range map[string][]string{
		"There are no files yet: `sheetdrop upload FILE` sends one.\n": {"files"},
		"No file is like that.\n":                                      {"files", "--name=x"},
		"There are no tasks yet:":                                      {"tasks"},
		"There are no such tasks.\n":                                   {"tasks", "--status=FAILED"},
		"No such message waits to be sent.\n":                          {"outbox"},
		"There are no dead letters.\n":                                 {"dead-letters"},
		"Nobody has done anything yet.\n":                              {"actions"},
		"There are no targets yet:":                                    {"target", "list"},
		"There are no webhooks yet:":                                   {"webhooks", "list"},
		"There are no files yet: `sheetdrop upload F":                  {"status"},
	} {
		status, p := run(t, append(list, at)...)
		if status != 0 || p.out.String() != "" && list[0] != "status" {
			t.Errorf("%q: exit status %d, %q", list, status, p.out)
		}
		want(t, p.progress.String(), says)
	}
}

// testRefusedFile uploads a file that cannot be read: whoever asks is told in words what is wrong with it, and what helps.
func testRefusedFile(t *testing.T, at string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "broken.xlsx")
	write(t, path, "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml")
	const wrong, helps = "The workbook cannot be read: its zip archive is truncated or damaged.", "Export it again, or let Excel repair and save it; then upload it."
	for _, args := range [][]string{{"upload", path, at}, {"status", "broken.xlsx", at}, {"why", "broken.xlsx", at}, {"parse", path}} {
		_, p := run(t, args...)
		said := p.out.String() + p.progress.String()
		if !strings.Contains(said, wrong) || !strings.Contains(said, helps) || strings.Contains(said, "reparse") {
			t.Errorf("%q: %s", args, said)
		}
	}
	run(t, "rm", "broken.xlsx", "--yes", at)
}

// testInput uploads what comes through a pipe.
func testInput(t *testing.T, at string) {
	t.Helper()
	for _, c := range []struct {
		says   string
		status int
		args   []string
	}{
		{"pipe.csv: 1 row loaded, 0 rejected\n", 0, []string{"upload", "-", "--name=pipe.csv", at}},
		{"pipe.csv: the same as pipe.csv of ", 3, []string{"upload", "-", "--name=pipe.csv", at}},
		{"", 2, []string{"upload", "-", at}},
		{"", 2, []string{"upload", "-", "-", "--name=a", at}},
	} {
		status, p := runOn(t, "x,y\n1,2\n", c.args...)
		if status != c.status {
			t.Errorf("%q: exit status %d, want %d: %s", c.args, status, c.status, p.progress)
		}
		want(t, p.out.String(), c.says)
	}
	_, p := runOn(t, "\nx,y\n", "upload", "-", "--name=empty.csv", at) // no rows, but columns
	want(t, p.out.String(), "empty.csv\n  x     y\n  text  text\n\nempty.csv: 0 rows loaded, 0 rejected, 1 skipped\n")
}

// testQuestion deletes a file where somebody can be asked.
func testQuestion(t *testing.T, at string) {
	t.Helper()
	for _, c := range []struct {
		answer string
		status int
	}{{"n\n", 1}, {"y\n", 0}} {
		control, terminal := openTerminal(t)
		cmd := exec.Command(os.Args[0], "rm", "pipe.csv", at)
		cmd.Stdin, cmd.Stderr = terminal, terminal
		p, shown := startCommand(t, cmd, ""), &devtest.Log{}
		copyUntilClosed(shown, control)
		await.Until(t, "it asks", func() bool { return strings.Contains(shown.String(), "Delete pipe.csv of ") })
		if _, err := control.WriteString(c.answer); err != nil {
			t.Fatal(err)
		}
		if status := p.end(); status != c.status {
			t.Errorf("answered %q: exit status %d", c.answer, status)
		}
	}
}
