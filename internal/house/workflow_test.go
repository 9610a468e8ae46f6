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
		for _, action := range submatches(`uses: (.+)$`, text) {
			if !strings.HasPrefix(action, "./") && !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`).MatchString(action) {
				t.Errorf("%s: %s is not a commit with its version: who moves a tag would run in our place", name, action)
			}
		}
		if !strings.Contains(text, "\npermissions:\n  contents: read\n\n") {
			t.Errorf("%s: a job that says nothing may do more than read", name)
		}
		for _, right := range submatches(`^ +([\w-]+: write(?:-all)?)`, text) {
			if right != "id-token: write" && (name != "release.yml" || !slices.Contains(releaseRights, right)) {
				t.Errorf("%s: %s", name, right)
			}
		}
		for job := range strings.SplitSeq(text, "\n\n") {
			signsIn := strings.Contains(job, "azure/login@") || strings.Contains(job, "uses: ./.github/workflows/what-if.yml")
			signs := strings.Contains(job, "actions/attest-build-provenance@")
			if mayGetToken := strings.Contains(job, "id-token: write"); mayGetToken != (signsIn || signs) {
				t.Errorf("%s: a job that signs in or signs: %t, may get a token: %t\n%s", name, signsIn || signs, mayGetToken, job)
			}
		}
		if strings.Contains(text, "secrets.") || strings.Contains(text, "pull_request_target") {
			t.Errorf("%s has secrets to lose", name)
		}
	}
}

// releaseRights are those of the jobs that publish what was built, and build nothing themselves.
var releaseRights = []string{"contents: write", "attestations: write", "packages: write"}

// A step fails where any command of a pipe does. A shell that is not named would be bash without pipefail, and a failed preview would pass.
func TestWorkflowsFailInPipes(t *testing.T) {
	t.Parallel()
	for name, text := range workflows(t) {
		if !strings.Contains(text, "\ndefaults:\n  run:\n    shell: bash\n\n") || strings.Count(text, "shell:") != 1 {
			t.Errorf("%s: a step may be run by another shell", name)
		}
	}
}

// What is built, deployed and searched for known vulnerabilities is made by the one Go release that go.mod names,
// whatever is newest elsewhere.
func TestOneGoReleaseBuildsEverything(t *testing.T) {
	t.Parallel()
	release := `^toolchain (go\d+\.\d+\.\d+)$`
	main := submatches(release, read(t, "go.mod"))
	for _, other := range []string{"verify/go.mod", "bench/go.mod", "tools/go.mod", "tools/actionlint/go.mod", "tools/promql/go.mod"} {
		if tools := submatches(release, read(t, other)); len(main) != 1 || !slices.Equal(main, tools) {
			t.Errorf("go.mod names %q, %s %q", main, other, tools)
		}
	}
	for name, text := range workflows(t) {
		uses, named := strings.Count(text, "actions/setup-go@"), strings.Count(text, "go-version-file: go.mod\n")
		if uses != named || strings.Contains(text, "go-version:") {
			t.Errorf("%s sets up Go %d times, %d times that of go.mod", name, uses, named)
		}
	}
}

// Nothing that another workflow has left in a cache gets into what is deployed, or runs with the token that deploys.
func TestDeploymentsUseNoCache(t *testing.T) {
	t.Parallel()
	text := workflows(t)["deploy.yml"] + workflows(t)["what-if.yml"] + workflows(t)["release.yml"]
	if uses := strings.Count(text, "actions/setup-go@"); uses == 0 || strings.Count(text, "cache: false") != uses {
		t.Errorf("Go is set up %d times, without its cache %d times", uses, strings.Count(text, "cache: false"))
	}
	for _, other := range []string{"actions/cache@", "actions/setup-node@", "cache: true", "cache: npm", "cache-dependency-path"} {
		if strings.Contains(text, other) {
			t.Errorf("%s may bring what another workflow has left", other)
		}
	}
}

// Dependencies do not grow old unseen: every place that names versions is looked at each week.
func TestDependabotCoversEveryManifest(t *testing.T) {
	t.Parallel()
	text := read(t, ".github/dependabot.yml")
	looked := map[string]int{"gomod": 0, "npm": 0, "github-actions": 0}
	for update := range strings.SplitSeq(text, "- package-ecosystem: ") {
		ecosystem, rest, _ := strings.Cut(update, "\n")
		if _, known := looked[ecosystem]; !known {
			continue
		}
		looked[ecosystem]++
		if !strings.Contains(rest, "interval: weekly") || !strings.Contains(rest, "groups:") {
			t.Errorf("%s: not each week, or not together", ecosystem)
		}
		for _, folder := range submatches(`^      - (/\S*)$`, rest) {
			manifest := map[string]string{"gomod": "go.mod", "npm": "package-lock.json", "github-actions": ".github/workflows"}[ecosystem]
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder), manifest)); err != nil {
				t.Errorf("%s: %v", ecosystem, err)
			}
		}
	}
	for ecosystem, times := range looked {
		if times != 1 {
			t.Errorf("%s is looked at %d times", ecosystem, times)
		}
	}
	for _, pattern := range []string{"go.mod", "*/go.mod", "tools/*/go.mod", "internal/devstack/npm/*/package.json"} {
		manifests, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(manifests) == 0 {
			t.Fatalf("%s: %q, %v", pattern, manifests, err)
		}
		for _, manifest := range manifests {
			folder, err := filepath.Rel(root, filepath.Dir(manifest))
			if err != nil {
				t.Fatal(err)
			}
			if path := strings.TrimSuffix("/"+filepath.ToSlash(folder), "."); !strings.Contains(text, "      - "+path+"\n") {
				t.Errorf("nobody looks at %s", path)
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
