package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sheetdrop/cmd/sheetdrop/internal/help"
	"sheetdrop/cmd/sheetdrop/internal/server"
)

// Every command explains itself, and its examples are commands of the documentation, where they are run.
func TestHelpHasExamplesThatWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "command-line.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range help.Examples() {
		if !strings.Contains(string(page), example) {
			t.Errorf("docs/command-line.md does not run %q", example)
		}
	}
	for _, args := range [][]string{nil, {"--help"}, {"help"}, {"help", "upload"}, {"profile", "add", "--help"}} {
		status, p := run(t, args...)
		if status != 0 {
			t.Errorf("%q: exit status %d", args, status)
		}
		want(t, p.out.String(), "Usage: sheetdrop", "Flags:", "Examples:\n  sheetdrop ")
	}
	status, p := run(t, "--version")
	if status != 0 {
		t.Errorf("--version: exit status %d", status)
	}
	want(t, p.out.String(), "sheetdrop ", ", go1.")
}

// Pressing Tab completes commands, flags, their values and profiles, in bash as on the command line itself.
func TestCommandsAreCompleted(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	write(t, filepath.Join(config, "sheetdrop", "config.json"), `{"profiles":[{"name":"deployed","url":"https://example.com"}]}`)
	for written, wanted := range map[string]string{
		"re":                    "rejects reparse retry redrive recover",
		"profile ":              "add list use rm",
		"rows --format=nd":      "ndjson",
		"rows --format x":       "xlsx",
		"rows --value":          "--values",
		"files --url x --rej":   "--rejects",
		"upload --no-w":         "--no-wait",
		"files --profile d":     "deployed",
		"profile use ":          "deployed",
		"completion ":           "bash zsh fish",
		"upload pri":            "",
		"outbox --status=FA":    "FAILED",
		"nothing --format=xlsx": "",
	} {
		for how, cmd := range map[string]*exec.Cmd{
			"": exec.Command(os.Args[0], append([]string{help.CompleteCommand}, strings.Split(written, " ")...)...),
			"bash": exec.Command("bash", "-c", `sheetdrop() { "$SELF" "$@"; }
source <(sheetdrop completion bash)
IFS=' '; COMP_WORDS=(sheetdrop)
for word in $1; do [[ $word == --*=* ]] && COMP_WORDS+=("${word%%=*}" = "${word#*=}") || COMP_WORDS+=("$word"); done
[[ $1 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sheetdrop; printf '%s\n' "${COMPREPLY[@]}"`, "bash", written),
		} {
			cmd.Env = []string{"XDG_CONFIG_HOME=" + config, "SELF=" + os.Args[0]}
			p := startCommand(t, cmd, "")
			p.end()
			if got := strings.Join(strings.Fields(p.out.String()), " "); got != wanted {
				t.Errorf("%s %q: %q, want %q", how, written, got, wanted)
			}
		}
	}
}

// Which server a command calls does not surprise: what is named last comes first.
func TestServerIsTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	config, data := t.TempDir(), t.TempDir()
	write(t, filepath.Join(config, "sheetdrop", "config.json"),
		`{"current":"used","profiles":[{"name":"used","url":"http://127.0.0.1:1/used"},{"name":"other","url":"http://127.0.0.1:1/other"}]}`)
	write(t, filepath.Join(data, "local.json"), `{"api_url":"http://127.0.0.1:1/data/api"}`)
	environment := []string{urlVariable + "=http://127.0.0.1:1/environment"}
	for _, c := range []struct {
		env   []string
		flags string
		calls string
	}{
		{nil, "", "/used/api"}, {nil, "--profile=other", "/other/api"}, {environment, "", "/environment/api"},
		{environment, "--profile=other", "/other/api"}, {environment, "--url=http://127.0.0.1:1/flag", "/flag/api"},
		{environment, "--data=" + data, "/data/api"}, {append(environment, "SHEETDROP_PROFILE=other"), "", "/other/api"},
	} {
		cmd := exec.Command(os.Args[0], strings.Fields("files "+c.flags)...)
		cmd.Env = append([]string{"XDG_CONFIG_HOME=" + config}, c.env...)
		p := startCommand(t, cmd, "")
		if p.end() != 1 {
			t.Errorf("%v %s: not refused", c.env, c.flags)
		}
		want(t, p.progress.String(), "http://127.0.0.1:1"+c.calls+"/files", "nobody answers there; `sheetdrop local` starts one")
	}
}

// A token is not shown to whoever is between: it is sent over https, or within this machine.
func TestTokenIsNotSentInTheClear(t *testing.T) {
	t.Parallel()
	s, err := server.At("http://192.0.2.1", server.Fixed("a-token")) // an address of nobody
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.IsOperator(t.Context()); err == nil || !strings.Contains(err.Error(), "is not https") {
		t.Errorf("it is sent: %v", err)
	}
	for _, address := range []string{"", "example.com", "ftp://example.com", "https://"} {
		if _, err := server.At(address, nil); err == nil {
			t.Errorf("%q is taken for a server", address)
		}
	}
}

// Without Go and Node.js `local` says what is missing and where it is to be had, before it has done anything.
func TestLocalNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(os.Args[0], "local", "--data", data)
	cmd.Env = []string{"LC_ALL=C", beSheetdrop + "=1", "PATH=" + t.TempDir()}
	cmd.Dir = filepath.Join("..", "..")
	text, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("exit status 0")
	}
	want(t, string(text), "Go 1.26 or newer, which builds the handler: https://go.dev/dl", "Node.js 20 or newer with npm", "https://nodejs.org")
	if _, err := os.Stat(data); err == nil {
		t.Error("the data folder was made")
	}
}
