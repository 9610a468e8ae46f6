package house

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A workflow that is run by what others publish, or has more rights than it needs, is a way into the subscription.
func TestWorkflowsHaveFewRights(t *testing.T) {
	t.Parallel()
	for name, text := range workflows(t) {
		version := `@(v\d+(\.\d+)*|[0-9a-f]{40})$`
		if strings.Contains(text, "id-token: write") { // where a tag that somebody moves would get the token
			version = `@[0-9a-f]{40}$`
		}
		for _, action := range submatches(`uses: (\S+)`, text) {
			if !strings.HasPrefix(action, "./") && !regexp.MustCompile(version).MatchString(action) {
				t.Errorf("%s: %s has no version that stays", name, action)
			}
		}
		if !strings.Contains(text, "\npermissions:\n  contents: read\n\n") {
			t.Errorf("%s: a job that says nothing may do more than read", name)
		}
		for _, right := range submatches(`^ +([\w-]+: write(?:-all)?)`, text) {
			if right != "id-token: write" {
				t.Errorf("%s: %s", name, right)
			}
		}
		for job := range strings.SplitSeq(text, "\n\n") {
			signsIn := strings.Contains(job, "azure/login@") || strings.Contains(job, "uses: ./.github/workflows/what-if.yml")
			if mayGetToken := strings.Contains(job, "id-token: write"); mayGetToken != signsIn {
				t.Errorf("%s: a job that signs in: %t, may get a token: %t\n%s", name, signsIn, mayGetToken, job)
			}
		}
		if strings.Contains(text, "secrets.") || strings.Contains(text, "pull_request_target") {
			t.Errorf("%s has secrets to lose", name)
		}
	}
}

// A step fails where any command of a pipe does. A shell that is not named would be bash without pipefail, and a failed preview would pass.
func TestWorkflowsFailInPipes(t *testing.T) {
	t.Parallel()
	for name, text := range workflows(t) {
		if !strings.Contains(text, "\ndefaults:\n  run:\n    shell: bash\n\n") || strings.Count(text, "shell:") != 1 {
			t.Errorf("%s: a step may be run by another shell", name)
		}
	}
}

// What is built, deployed and searched for known vulnerabilities is made by the newest patch of the Go that go.mod asks for, and not by the first.
func TestWorkflowsUseTheNewestPatch(t *testing.T) {
	t.Parallel()
	want := submatches(`^go (\d+\.\d+)`, read(t, "go.mod"))[0] + ".x"
	for name, text := range workflows(t) {
		versions := submatches(`go-version: (\S+)`, text)
		if uses := strings.Count(text, "actions/setup-go@"); len(versions) != uses {
			t.Errorf("%s sets up Go %d times, and names %d versions", name, uses, len(versions))
		}
		for _, version := range versions {
			if version != want {
				t.Errorf("%s takes Go %s, go.mod asks for %s", name, version, want)
			}
		}
	}
}

// What the parameter files ask the environment for, the workflows that use them hand on, and the guide says where it comes from.
func TestDeploymentIsGivenWhatItAsksFor(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, text := range bicepFiles(t, ".bicepparam") {
		for _, name := range submatches(`readEnvironmentVariable\('(\w+)'\)`, text) {
			asked[name] = true
		}
	}
	if len(asked) < 4 {
		t.Fatalf("only %q are asked for", slices.Collect(maps.Keys(asked)))
	}
	guide := read(t, "docs/deploy.md")
	for name := range asked {
		for file, text := range workflows(t) {
			if strings.Contains(text, "PARAMETERS:") && !strings.Contains(text, name+": ${{ vars."+name+" }}") {
				t.Errorf("%s does not hand on %s", file, name)
			}
		}
		if !strings.Contains(guide, "`"+name+"`") || !strings.Contains(read(t, "infra/build.sh"), name+"=") {
			t.Errorf("%s is not in the guide, or not in infra/build.sh", name)
		}
	}
	for _, name := range submatches(`\$\{\{ vars\.(\w+)`, workflows(t)["deploy.yml"]) {
		if !strings.Contains(guide, "`"+name+"`") {
			t.Errorf("the guide does not say what the variable %s is", name)
		}
	}
}

// Files, commands and outputs that the workflows, the scripts and the guide name are there.
func TestDeploymentNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	texts := slices.Collect(maps.Values(workflows(t)))
	texts = append(texts, read(t, "docs/deploy.md"), read(t, "infra/database.sh"))
	all := strings.Join(texts, "\n")
	for _, path := range submatches(`\b(infra/[\w/-]+\.(?:sh|sql|json|bicep|bicepparam))\b`, all) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path))); err != nil {
			t.Error(err)
		}
	}
	commands := submatches(`^\t[A-Z]\w+ +(\w+)Command\b`, read(t, "cmd/sheetdrop/main.go"))
	for _, name := range submatches(`(?:cmd/|\x60)sheetdrop (\w+)`, all) {
		if !slices.Contains(commands, name) {
			t.Errorf("there is no command %s", name)
		}
	}
	templates := bicepFiles(t, ".bicep")
	outputs := submatches(`^output (\w+) `, templates["main.bicep"]+templates["owner.bicep"])
	for _, name := range submatches(`(?:steps\.provision\.outputs\.|\(output |properties\.outputs\.)(\w+)`, all) {
		if !slices.Contains(outputs, name) {
			t.Errorf("there is no output %s", name)
		}
	}
	for environment := range strings.SplitSeq(submatches(`options: \[(.+)\]`, workflows(t)["deploy.yml"])[0], ", ") {
		if name := submatches(`^param environmentName = '(\w+)'`, bicepFiles(t, ".bicepparam")[environment+".bicepparam"]); !slices.Equal(name, []string{environment}) {
			t.Errorf("the parameter file of %s is for %q", environment, name)
		}
	}
}

// The guide's commands are what a shell can run, in the order in which they work, and each finds what it needs in the ones before it.
func TestGuideCanBeFollowed(t *testing.T) {
	t.Parallel()
	guide := read(t, "docs/deploy.md")
	commands := strings.Join(submatches(`^    (.*)$`, guide), "\n")
	shell := exec.CommandContext(t.Context(), "bash", "-n")
	shell.Stdin = strings.NewReader(commands)
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	known := []string{"1"} // an argument of a function
	for line := range strings.Lines(commands) {
		for _, name := range submatches(`\$\{?(\w+)`, line) {
			if !slices.Contains(known, name) {
				t.Errorf("nobody has said what %s is: %s", name, line)
			}
		}
		known = append(known, submatches(`\b([A-Z_]+)=`, line)...)
	}
	_, eachTime, _ := strings.Cut(guide, "## Each time")
	wantOrder(t, eachTime, "group what-if", "group create --name main", "infra/database.sh", "sheetdrop package", "infra/publish.sh", "infra/smoke.sh", "### Roll back")
	wantOrder(t, workflows(t)["deploy.yml"], "sheetdrop package", "what-if.yml", "group create --name main", "infra/database.sh", "infra/publish.sh", "infra/smoke.sh")
}

func wantOrder(t *testing.T, text string, steps ...string) {
	t.Helper()
	places := make([]int, len(steps))
	for i, step := range steps {
		if places[i] = strings.Index(text, step); places[i] < 0 {
			t.Errorf("%s is missing", step)
		}
	}
	if !slices.IsSorted(places) {
		t.Errorf("not in this order: %q", steps)
	}
}

func workflows(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(paths) < 3 {
		t.Fatalf("workflows: %q, %v", paths, err)
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(text)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
