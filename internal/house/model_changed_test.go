package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// .ci/run explores the model only where docs/model/changed does not say that nothing of it has changed. That may be said of nothing but that: a
// protocol that was changed on a branch, by the last merge, or only in the working tree is checked, and so is a clone that cannot tell.
func TestModelIsExploredWheneverTheProtocolChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		commands  string // after a commit of everything to main
		unchanged bool
	}{
		"a branch that changes something else": {"git checkout -q -b topic && touch other.go && git add . && git commit -q -m other", true},
		"a branch behind a main that has moved": {`git checkout -q -b topic && touch other.go && git add . && git commit -q -m other && git checkout -q main &&
			echo >>protocol.go && git commit -q -a -m p && git checkout -q topic`, true},
		"a branch that changes the protocol":    {"git checkout -q -b topic && echo >>protocol.go && git commit -q -a -m p && touch other.go && git add . && git commit -q -m o", false},
		"a branch that removes a file of it":    {"git checkout -q -b topic && git rm -q protocol.go && git commit -q -m p", false},
		"a branch that changes the model":       {"git checkout -q -b topic && echo >>docs/model/a.pml && git commit -q -a -m model", false},
		"a change that is not committed":        {"echo >>protocol.go", false},
		"a new file of the model":               {"touch docs/model/new.pml", false},
		"main after a commit of something else": {"touch other.go && git add . && git commit -q -m other", true},
		"main after a merge of the protocol": {`git checkout -q -b topic && echo >>protocol.go && git commit -q -a -m p && touch other.go && git add . &&
			git commit -q -m o && git checkout -q main && git merge -q --no-ff -m merge topic`, false},
		"no default branch": {"git branch -q -m main topic", false},
		"a first commit":    {"git checkout -q --orphan alone && git commit -q -m alone && git branch -q -f main", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for path, text := range map[string]string{
				"docs/model/changed": read(t, "docs/model/changed"), "docs/model/protocol": "protocol.go\n", "docs/model/a.pml": "", "protocol.go": "",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, path)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(folder, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			shell := func(commands string) (code int, output string) {
				cmd := exec.CommandContext(t.Context(), "bash", "-ec", commands)
				cmd.Dir = folder
				cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
					"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@x", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@x")
				out, _ := cmd.CombinedOutput()
				return cmd.ProcessState.ExitCode(), string(out)
			}
			if code, output := shell("git init -q -b main && git commit -q --allow-empty -m first && git add . && git commit -q -m all && " + c.commands); code != 0 {
				t.Fatal(output)
			}
			code, output := shell("bash docs/model/changed")
			if (code == 3) != c.unchanged {
				t.Errorf("exit code %d, unchanged: %t\n%s", code, c.unchanged, output)
			}
		})
	}
}

// What .ci/run leaves out is explored every night, whatever has changed, and nothing but the script's own exit code lets .ci/run leave it out.
func TestModelIsExploredEveryNight(t *testing.T) {
	t.Parallel()
	if !strings.Contains(workflows(t)["nightly.yml"], "\n      - run: docs/model/check\n") {
		t.Error("no step of nightly.yml explores the model")
	}
	run := read(t, ".ci/run")
	for _, line := range []string{"\nstep \"model\" model_unless_unchanged\n", "\n  [ \"$code\" -eq 3 ] || docs/model/check\n"} {
		if !strings.Contains(run, line) {
			t.Errorf(".ci/run has no line %q", line)
		}
	}
}
