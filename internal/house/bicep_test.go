package house

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const bicepFolder = "infra/bicep"

// Bicep that does not hold against Azure's types would fail in the middle of a deployment. The checker stands beside the checkout where
// there is one; elsewhere the compiler in CI has the word, and this holds what needs neither: that files and names fit together.
func TestBicep(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	for name, text := range templates {
		for _, other := range submatches(`(?:^module \w+|^import \{[^}]*\} from) '([^']+)'`, text) {
			if path := filepath.ToSlash(filepath.Join(filepath.Dir(name), other)); templates[path] == "" {
				t.Errorf("%s uses %s, which is not there", name, other)
			}
		}
		if n, described := len(submatches(`^param (\w+) `, text)), len(submatches(`^@description\('[^\n]*'\)\n(?:@.+\n)*param (\w+) `, text)); n != described {
			t.Errorf("%s has %d parameters and describes %d", name, n, described)
		}
		for _, param := range submatches(`^param (\w+) `, text) {
			if len(regexp.MustCompile(`\b`+param+`\b`).FindAllString(text, -1)) < 2 {
				t.Errorf("%s does not use its parameter %s", name, param)
			}
		}
	}
	declared := submatches(`^param (\w+) `, templates["main.bicep"])
	for name, text := range bicepFiles(t, ".bicepparam") {
		for _, param := range submatches(`^param (\w+) `, text) {
			if !slices.Contains(declared, param) {
				t.Errorf("%s gives %s, which main.bicep does not know", name, param)
			}
		}
	}
	checkWithTypes(t)
}

func checkWithTypes(t *testing.T) {
	checker := bicepChecker(t)
	if checker == "" {
		return
	}
	if out, err := exec.CommandContext(t.Context(), "go", "-C", checker, "run", ".", templatesFolder(t)).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// outdated are damages of which the compiler's answers are recorded for a text that has changed since, by what it is now. What the compiler
// would say of the new text, only the compiler knows.
var outdated = map[string][]string{
	"the database is made by its group, in the provision command, and not by the template": {
		"batchsize-no-loop", "child-name-with-slash", "child-name-without-parent", "dependson-by-variable", "dependson-parent", "dependson-unneeded",
	},
	"modules take the identity's name in place of its principal's id": {
		"imported-object-key-unknown", "module-cycle-of-values", "required-principal-missing",
	},
	"monitoring has no output with the component's name": {
		"module-output-removed", "reference-by-resourceid", "reference-with-version", "secret-output-name",
	},
	"settings do not read the site any more": {"existing-location", "existing-with-properties", "existing-without-name"},
	"the owner's template has other roles":   {"deployments-existing", "enum-principal-type", "loc-hardcoded-variable"},
	"requests at once have another default":  {"default-above-max"},
}

// What the checker passes, the compiler passes, and what it refuses, the compiler refuses: both were given the same
// several hundred damages to these templates. The compiler's answers are recorded, but for the outdated ones.
func TestCheckerAgreesWithTheCompiler(t *testing.T) {
	t.Parallel()
	checker := bicepChecker(t)
	if checker == "" {
		return
	}
	const mutants = "../../review/bicep-mutants.jsonl"
	replay := exec.CommandContext(t.Context(), "go", "-C", checker, "run", ".", "mutants", mutants, templatesFolder(t))
	out, err := replay.CombinedOutput() // its status is 1 because of the one below
	counts := map[string]int{}
	for _, match := range regexp.MustCompile(`([\w-]+) (\d+), `).FindAllStringSubmatch(string(out), -1) {
		counts[match[1]], _ = strconv.Atoi(match[2])
	}
	if agree := counts["exact"] + counts["same"] + counts["both-silent"] + counts["note-only"]; agree == 0 {
		t.Errorf("no damage is judged: %v\n%s", err, out)
	}
	// An unknown type of a function's parameter is an error of another code.
	if wrong := counts["MISSED"] + counts["only-standin"]; wrong > 0 || counts["other-code"] > 1 {
		t.Errorf("judged differently: %v, %v\n%s", counts, err, out)
	}
	stale, listed := submatches(`^stale +(\S+)$`, string(out)), slices.Concat(slices.Collect(maps.Values(outdated))...)
	slices.Sort(stale)
	slices.Sort(listed)
	if !slices.Equal(stale, listed) {
		t.Errorf("damages that do not fit the templates any more are\n%v, listed are\n%v", stale, listed)
	}
}

// bicepChecker is the checker's folder, or empty where there is none.
func bicepChecker(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join(root, "..", "shared", "tools", "bicepcheck"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "go.mod")); err != nil {
		t.Logf("no checker: %v", err)
		return ""
	}
	return folder
}

func templatesFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join(root, bicepFolder))
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// Nobody can get in with a key or a password, or without having signed in, nothing goes over the net in the clear, and
// nothing that holds data is thrown away by a rule.
func TestNoKeys(t *testing.T) {
	t.Parallel()
	all := strings.Join(slices.Sorted(maps.Values(bicepFiles(t, ".bicep"))), "\n")
	accounts := len(submatches(`^resource (\w+) 'Microsoft.Storage/storageAccounts@[\d-]+' = \{`, all))
	for pattern, want := range map[string]int{
		`allowSharedKeyAccess: false`:             accounts,
		`allowBlobPublicAccess: false`:            accounts,
		`supportsHttpsTrafficOnly: true`:          accounts,
		`minimumTlsVersion: 'TLS1_2'`:             accounts,
		`inTlsVersion: '1\.2'`:                    2, // of the app and of its publishing site
		`ssl_min_protocol_version: 'TLSv1\.2'`:    1,
		`activeDirectoryAuth: 'Enabled'`:          1,
		`DisableLocalAuth: true`:                  1,
		`passwordAuth: 'Disabled'`:                1,
		`properties: \{ allow: false \}`:          2, // ftp and scm
		`httpsOnly: true`:                         1,
		`platform: \{ enabled: true \}`:           1,
		`requireAuthentication: true`:             1,
		`'RedirectToLoginPage'`:                   1,
		`requireHttps: true`:                      1,
		`AdminIsolationEnabled: true`:             1,
		`level: 'CanNotDelete'`:                   2, // database and files
		`audiences: \['api://AzureADTokenExch`:    2,
		`:environment:\$\{environmentName\}'`:     1, // of the repository, and none else may deploy
		`:environment:\$\{environmentName\}-what`: 1, // or look what a deployment would change
		`excludedPaths: concat\(\['/api/health'\], embedded \? \['/embed\.js', '/api/embed/\*'\] : \[\]\)`: 1, // TestUploadTokensThatDoNotCount
		`publicAccess: 'None'`:                    len(submatches(`^ +resource (\w+) 'containers'`, all)),
		`principalType: 'ServicePrincipal'`:       len(submatches(`^resource (\w+) 'Microsoft.Authorization/roleAssignments@`, all)),
		`actions: \{ baseBlob: \{ tierToCool: `:   1,
		`prefixMatch: \['\$\{containerName\}/'\]`: 1,
	} {
		if got := len(regexp.MustCompile(pattern).FindAllString(all, -1)); got != want || want == 0 {
			t.Errorf("%s stands there %d times, want %d", pattern, got, want)
		}
	}
	for _, pattern := range []string{`listKeys\(`, `AccountKey`, `allowSharedKeyAccess: true`, `delete: \{ daysAfter`, `@secure`} {
		if regexp.MustCompile(pattern).MatchString(all) {
			t.Errorf("%s stands in a Bicep file", pattern)
		}
	}
}

// bicepFiles returns the files below infra/bicep with this ending, by their paths there.
func bicepFiles(t *testing.T, ending string) map[string]string {
	t.Helper()
	folder := filepath.Join(root, filepath.FromSlash(bicepFolder))
	files := map[string]string{}
	for _, pattern := range []string{"*" + ending, filepath.Join("modules", "*"+ending)} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel(folder, path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.ToSlash(name)] = string(text)
		}
	}
	if len(files) == 0 {
		t.Fatalf("no %s files in %s", ending, folder)
	}
	return files
}

// submatches returns what the expression's first group matches; ^ stands for the beginning of a line.
func submatches(expression, text string) (found []string) {
	for _, match := range regexp.MustCompile(`(?m)`+expression).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}
