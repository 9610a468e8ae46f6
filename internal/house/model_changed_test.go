package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// .ci/run explores the model only where docs/model/changed does not say that nothing of it has changed. That may be
// said of nothing but that: a mistake here and the model is never looked at again.
func TestModelIsExploredWheneverTheProtocolChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		commands  string // after it was noted that everything was as expected
		unchanged bool
	}{
		"nothing":                         {":", true},
		"another file of the program":     {"touch other.go", true},
		"the page of the model":           {"echo >>docs/model/README.md", true},
		"a file of the protocol":          {"echo >>protocol.go", false},
		"one that was removed":            {"rm protocol.go", false},
		"one that was added to the list":  {"touch other.go && echo other.go >>docs/model/protocol", false},
		"the model":                       {"echo >>docs/model/a.pml", false},
		"a new file of the model":         {"touch docs/model/new.pml", false},
		"what is explored":                {"echo >>docs/model/runs", false},
		"how it is explored":              {"echo >>docs/model/check", false},
		"the note, which is not there":    {"rm docs/model/checked", false},
		"no program that makes checksums": {"mkdir bin && PATH=$PWD/bin", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for path, text := range map[string]string{
				"docs/model/changed": read(t, "docs/model/changed"), "docs/model/protocol": "protocol.go\n", "docs/model/a.pml": "", "protocol.go": "",
				"docs/model/runs": "", "docs/model/check": "", "docs/model/README.md": "",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, path)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(folder, path), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), "bash", "-c", "set -e; bash=$(command -v bash); bash docs/model/changed --note; "+c.commands+"; exec $bash docs/model/changed")
			cmd.Dir = folder
			output, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); (code == 3) != c.unchanged {
				t.Errorf("exit code %d, unchanged: %t\n%s", code, c.unchanged, output)
			}
		})
	}
}

// What .ci/run leaves out is explored every night, whatever has changed, and nothing but the script's own exit code
// lets .ci/run leave it out.
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
