package page_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"sheetdrop/verify/e2e"
)

// tools returns the folder of the modules that the page is checked with.
func tools(t testing.TB) string {
	t.Helper()
	return e2e.NodeModules(t, "npm", "page-tests")
}

const sources = "../../web-page"

// What the comments say about types is true, and the files look alike whoever wrote them.
func TestPageTypesAndFormat(t *testing.T) {
	t.Parallel()
	modules := tools(t)
	for name, arguments := range map[string][]string{
		"TypeScript": {"typescript/bin/tsc", "--project", sources},
		"Prettier":   {"prettier/bin/prettier.cjs", "--print-width", "140", "--check", sources + "/assets", sources + "/docs/*.{css,js}", sources + "/embed", sources + "/shapes.d.ts", sources + "/tsconfig.json"},
	} {
		arguments[0] = filepath.Join(modules, arguments[0])
		if out, err := exec.CommandContext(t.Context(), "node", arguments...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
