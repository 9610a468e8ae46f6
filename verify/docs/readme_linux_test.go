package docs_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/samples"
)

// Who has nothing but README.md, an archive of a release and Node.js gets from a file to a sum and back: no checkout, no Go, an empty home.
func TestNewUserFollowsTheReadme(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, install, found := strings.Cut(string(readme), "## Install\n")
	install, _, ended := strings.Cut(install, "\n## ")
	blocks := commandBlocks(install)
	if !found || !ended || len(blocks) != 1 {
		t.Fatalf("README.md has %d blocks on how to install", len(blocks))
	}
	for line := range strings.Lines(blocks[0]) {
		switch {
		case strings.HasPrefix(line, "sheetdrop local"):
			u.folder = u.elsewhere
			u.runLocal(t, line)
		case strings.HasPrefix(line, "psql"):
			u.wantSum(t, line, "38997.20")
		default:
			u.do(t, line)
		}
		if strings.HasPrefix(line, "sheetdrop upload prices.csv") {
			u.task = u.taskOf(t, "prices.csv")
		}
		if strings.HasPrefix(line, "sheetdrop rejects") {
			u.correct(t)
		}
	}
	if left := u.do(t, "sheetdrop files --json --status=COMPLETED --name=prices"); left != "" {
		t.Errorf("after rm there is %s", left)
	}
}

// user is somebody on a machine without this project.
type user struct {
	folder, elsewhere string // where the archive was downloaded, and where they work
	env               []string
	task              string
}

// newUser builds the archive of a release as the workflow does, and downloads it into the home of a new user.
func newUser(t *testing.T) *user {
	t.Helper()
	home := newFolder(t)
	u := &user{folder: filepath.Join(home, "downloads"), elsewhere: filepath.Join(home, "work")}
	bin, tools := filepath.Join(home, ".local", "bin"), t.TempDir()
	for _, dir := range []string{u.folder, u.elsewhere, bin, filepath.Join(home, ".cache", "sheetdrop")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), filepath.Join("..", "..", ".github", "release.sh"), u.folder, "linux/"+runtime.GOARCH)
	build.Env = append(os.Environ(), "BUILDVCS=false")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if runtime.GOARCH != "amd64" { // which README.md names
		rename(t, u.folder, runtime.GOARCH, "amd64")
	}
	if err := os.CopyFS(u.elsewhere, samples.Files); err != nil {
		t.Fatal(err)
	}
	linkInstalled(t, filepath.Join(home, ".cache", "sheetdrop"))
	for _, name := range []string{"node", "npm"} {
		path, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(path, filepath.Join(tools, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	u.env = []string{"HOME=" + home, "LC_ALL=C.UTF-8", "PATH=" + strings.Join([]string{bin, tools, "/usr/bin", "/bin"}, ":")}
	return u
}

func rename(t *testing.T, folder, from, to string) {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", "-c", `for f in *$1*; do mv "$f" "${f%$1*}$2${f##*$1}"; done; sed -i "s/$1/$2/" SHA256SUMS`, "sh", from, to)
	shell.Dir = folder
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// linkInstalled makes PostgreSQL and Azurite, which are installed for the tests, the new user's, so that they are not fetched each time.
func linkInstalled(t *testing.T, cache string) {
	t.Helper()
	devtest.Shared(t) // they are installed now
	theirs, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"postgresql-*", "azurite-*"} {
		found, err := filepath.Glob(filepath.Join(theirs, "sheetdrop", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v %v", pattern, found, err)
		}
		for _, path := range found {
			if err := os.Symlink(path, filepath.Join(cache, filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// command is a line of README.md in a shell, with the words that it leaves to its reader.
func (u *user) command(line string) *exec.Cmd {
	line = regexp.MustCompile(`\bTASK\b`).ReplaceAllLiteralString(line, u.task)
	cmd := exec.Command("bash", "-e", "-c", "exec "+line)
	if !strings.HasPrefix(line, "sheetdrop local") {
		cmd = exec.Command("bash", "-e", "-c", line)
	}
	cmd.Dir, cmd.Env = u.folder, u.env
	return cmd
}

// do runs a line to its end, and returns what it prints.
func (u *user) do(t *testing.T, line string) string {
	t.Helper()
	cmd := u.command(line)
	var said strings.Builder
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", line, err, text, said.String())
	}
	return string(text)
}

// runLocal runs a line until the test ends, and waits until it says that all is there.
func (u *user) runLocal(t *testing.T, line string) {
	t.Helper()
	cmd, shown := u.command(line), &devtest.Log{}
	cmd.Stdout, cmd.Stderr = shown, shown
	until(t, cmd, shown)
	await.Until(t, "it runs", func() bool { return strings.Contains(shown.String(), "sheetdrop is running.") })
}

func (u *user) taskOf(t *testing.T, file string) string {
	t.Helper()
	var status struct {
		Task struct{ ID string }
	}
	if err := json.Unmarshal([]byte(u.do(t, "sheetdrop status "+file+" --json")), &status); err != nil {
		t.Fatal(err)
	}
	return status.Task.ID
}

// correct does in the workbook what somebody would do in Excel: it fills in what the record on line 12 lacks.
func (u *user) correct(t *testing.T) {
	t.Helper()
	book, err := excelize.OpenFile(filepath.Join(u.folder, "rejects.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for cell, value := range map[string]string{"H2": "19 %", "I2": "01.10.2024", "J2": "ja"} {
		if err := book.SetCellStr("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.Save(); err != nil {
		t.Fatal(err)
	}
}

// wantSum runs the statement of a line for psql, which not every machine has, at the address that the line names.
func (u *user) wantSum(t *testing.T, line, sum string) {
	t.Helper()
	address := strings.TrimSpace(u.do(t, "sheetdrop sql --print"))
	statement := regexp.MustCompile(`-c '(.*)'`).FindStringSubmatch(line)
	if statement == nil {
		t.Fatalf("no statement is in %s", line)
	}
	db, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(context.Background())
	var got string
	if err := db.QueryRow(t.Context(), "select ("+statement[1]+")::text").Scan(&got); err != nil || got != sum {
		t.Errorf("%s: %s, want %s: %v", line, got, sum, err)
	}
}
