package devstack

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Two processes with the same cache directory share one pair of parts, which outlives the first of them and not the
// second, though that is killed.
func TestSharedStack(t *testing.T) {
	t.Parallel()
	cache := newCache(t)
	first, second := open(t, "", cache).mustOpen(t), open(t, "", cache).mustOpen(t)
	if first.Stack.DatabaseURL != second.Stack.DatabaseURL || first.Stack.ConnectionString != second.Stack.ConnectionString {
		t.Errorf("two stacks: %v and %v", first.Stack, second.Stack)
	}
	keeper := sharedKeeper(t, cache)
	first.end()
	execute(t, second.Stack.DatabaseURL, `select 1`)
	second.kill()
	wantGone(t, keeper)
}

// A stack with a Dir has its data again the next time, whoever shares it, and has ended when its last user closes it.
func TestDir(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	if err := os.Mkdir(filepath.Join(dir, "postgres"), 0o755); err != nil { // as somebody who prepares folders does
		t.Fatal(err)
	}
	first, second := open(t, dir, newCache(t)).mustOpen(t), open(t, dir, newCache(t)).mustOpen(t)
	keeper := keeperOf(t, dir)
	execute(t, first.Stack.DatabaseURL, `create table kept ()`)
	first.end()
	execute(t, second.Stack.DatabaseURL, `select from kept`)
	second.end()
	if left := leftOf(keeper); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	again := open(t, dir, newCache(t)).mustOpen(t)
	execute(t, again.Stack.DatabaseURL, `select from kept`)
	other := open(t, newDir(t), newCache(t)).mustOpen(t)
	if again.Stack.DatabaseURL == other.Stack.DatabaseURL || again.Stack.ConnectionString == other.Stack.ConnectionString {
		t.Errorf("two folders, one stack: %v", other.Stack)
	}
}

// Why PostgreSQL does not start is said by its own last words, not by its log.
func TestServerThatDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	open(t, dir, newCache(t)).mustOpen(t).end()
	if err := os.WriteFile(filepath.Join(dir, "postgres", "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := open(t, dir, newCache(t)).Err, "postgres does not start: FATAL:  database files are incompatible with server"; !strings.HasSuffix(got, want) {
		t.Errorf("%s; want %s", got, want)
	}
}

// What a killed keeper left is ended by the next one, and its data is kept; also in a folder where PostgreSQL, running
// as another user than root, could not reach it.
func TestKilledKeeper(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if target, err := os.Readlink(filepath.Join(dir, "postgres")); err == nil {
			os.RemoveAll(filepath.Dir(target))
		}
	})
	first := open(t, dir, newCache(t)).mustOpen(t)
	execute(t, first.Stack.DatabaseURL, `create table kept ()`)
	keeper := keeperOf(t, dir)
	if process, err := os.FindProcess(keeper.PID); err != nil || process.Kill() != nil {
		t.Fatal("cannot kill the keeper")
	}
	second := open(t, dir, newCache(t)).mustOpen(t)
	execute(t, second.Stack.DatabaseURL, `select from kept`)
	wantGone(t, keeper)
}

// A newcomer: nothing is installed, and the home is closed to others; then another user of the machine, without rights.
func TestFirstUse(t *testing.T) {
	t.Parallel()
	home := newDir(t)
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(home, ".cache", "sheetdrop")
	half := filepath.Join(cache, azuritePackage.installedName()+".partial", "half") // somebody pulled the plug
	if err := os.MkdirAll(half, 0o755); err != nil {
		t.Fatal(err)
	}
	newcomer := open(t, "", "HOME="+home, "NPM_CONFIG_CACHE="+npmSetting(t, "cache"), "NPM_CONFIG_USERCONFIG="+npmSetting(t, "userconfig")).mustOpen(t)
	if log := strings.Join(newcomer.Log, "\n"); !strings.Contains(log, "installing PostgreSQL") || !strings.Contains(log, "installing Azurite") {
		t.Errorf("it does not say what takes so long: %q", log)
	}
	if left, err := filepath.Glob(filepath.Join(cache, "*.partial")); err != nil || len(left) > 0 {
		t.Errorf("left of the installation: %v", left)
	}
	execute(t, newcomer.Stack.DatabaseURL, `create table newcomers ()`)

	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	otherHome := newDir(t)
	linkInstalled(t, cache, filepath.Join(otherHome, ".cache", "sheetdrop"))
	other := openBy(t, asOtherUser(t, otherHome), "", "HOME="+otherHome).mustOpen(t)
	if len(other.Log) != 1 {
		t.Errorf("installed again: %q", other.Log)
	}
	keeper := keeperOf(t, filepath.Join(otherHome, ".cache", "sheetdrop", "stack-*"))
	execute(t, other.Stack.DatabaseURL, `create table newcomers ()`)
	other.kill()
	wantGone(t, keeper)
}

// npmSetting asks npm, so that the newcomer installs from where this machine does, without downloading again.
func npmSetting(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "npm", "config", "get", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
