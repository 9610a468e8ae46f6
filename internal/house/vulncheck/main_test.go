package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// found is what govulncheck 1.8.0 wrote of sheetdrop, without what it says of its progress, with a database of invented
// vulnerabilities: of the three the program calls the first, and of the packages of the others it uses something else.
func found(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/found.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is called needs an exception with a day and a reason, and an exception needs something that is called.
func TestCheck(t *testing.T) {
	t.Parallel()
	const first = "| GO-2000-0001 | 2026-11-21 | only our own texts come there |\n"
	whole := found(t)
	_, unknown, _ := strings.Cut(whole, "\n}\n") // without the configuration, which comes first
	for name, c := range map[string]struct {
		found, list string
		complaints  []string // none where all is well
	}{
		"no exception":         {whole, "# Vulnerabilities\n", []string{"GO-2000-0001 is called", "encoding/json.Unmarshal", "v1.99.0"}},
		"an exception":         {whole, "| id | day | why |\n|---|---|---|\n" + first, nil},
		"one too many":         {whole, first + "| GO-2000-0002 | 2026-11-21 | not called |\n", []string{"GO-2000-0002 is an exception"}},
		"another one":          {whole, "| GO-2000-0003 | 2026-11-21 | not called |\n", []string{"GO-2000-0001 is called", "GO-2000-0003 is an exception"}},
		"without a reason":     {whole, "| GO-2000-0001 | 2026-11-21 | |\n", []string{"a day and a reason"}},
		"without a day":        {whole, "| GO-2000-0001 | soon | because |\n", []string{"a day and a reason"}},
		"no output":            {"", "", []string{"no configuration"}},
		"output of no scan":    {unknown, first, []string{"no configuration"}},
		"output that breaks":   {whole[:len(whole)-20], first, []string{"unexpected EOF"}},
		"a scan of modules":    {strings.Replace(whole, `"symbol"`, `"module"`, 1), first, []string{"no configuration"}},
		"nothing, and no list": {`{"config":{"scan_level":"symbol"}}`, "", nil},
	} {
		err := check(strings.NewReader(c.found), c.list)
		if (err == nil) != (len(c.complaints) == 0) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, words := range c.complaints {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v, without %q", name, err, words)
			}
		}
	}
}

// The repository's own list can be read, and CI asks for it: with a scan by symbols, which is what govulncheck does if nothing is said.
func TestCI(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	list, err := os.ReadFile(filepath.Join(root, listFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exceptions(string(list)); err != nil {
		t.Error(err)
	}
	workflow, err := os.ReadFile(filepath.Join(root, ".github", "workflows", "ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []string{
		"go tool -modfile=tools/go.mod govulncheck -format=json ./... > \"$RUNNER_TEMP/found.json\"\n",
		"go run ./internal/house/vulncheck < \"$RUNNER_TEMP/found.json\"\n",
	} {
		if !strings.Contains(string(workflow), "- run: "+step) {
			t.Errorf("CI does not run %s", step)
		}
	}
}
