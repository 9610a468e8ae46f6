package clients_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sheetdrop/verify/e2e"
)

// A developer generates types from the document, and the program that compiles with them does what it says: it uploads,
// waits, reads rows by their links and rejects, is told that nothing has changed, and reads a problem in its language.
func TestGeneratedTypesOfTypeScriptFit(t *testing.T) {
	t.Parallel()
	modules := e2e.NodeModules(t, "npm", "client-tests")
	app := e2e.Start(t, e2e.Options{})
	folder := t.TempDir()
	document := app.Do(t, http.MethodGet, "/api/openapi.json", nil, nil)
	if err := os.WriteFile(filepath.Join(folder, "openapi.json"), document.Text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"use.ts", "tsconfig.json"} {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	node(t, folder, filepath.Join(modules, "openapi-typescript", "bin", "cli.js"), "openapi.json", "--output", "openapi.d.ts")
	node(t, folder, filepath.Join(modules, "typescript", "bin", "tsc"), "--project", ".")
	const want = `{"status":"COMPLETED","file":"prices.csv","loaded":2,"rows":[["A",1.5],["C",2.5]],"first":["A","C"],"rejects":[[3,"extra_cell"]],"unchanged":304,` +
		`"problem":["empty_file","/api/docs/errors#empty_file","ファイルが空です。"]}` + "\n"
	if got := node(t, folder, "use.js", app.Host.URL()); got != want {
		t.Errorf("the program says %s, want %s", got, want)
	}
}

// node runs a program of Node.js in a folder and returns what it prints.
func node(t *testing.T, folder string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", arguments...)
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("node %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}
